import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, assert, beforeAll, describe, expect, test } from "vitest";
import type { FailureCode } from "../../src/schema/index.ts";
import { verifyBundle } from "../../src/verify/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

interface Finding {
  readonly code: FailureCode;
  readonly seq: number | null;
}

/** So many times the same byte, at a place of the bundle. */
interface Run {
  readonly at: number;
  readonly byte: number;
  readonly count: number;
}

interface Vector {
  readonly file: string;
  /** What the stored file was left without. */
  readonly runs?: readonly Run[];
  readonly shows: string;
  readonly status: "pass" | "pass-with-warnings" | "fail";
  readonly code?: FailureCode;
  readonly seq?: number | null;
  readonly lastTrustedSeq?: number;
  /** Where given, all failures there are. */
  readonly failures?: readonly Finding[];
  /** All warnings, of every bundle that passes and of some that fail. */
  readonly warnings?: readonly Finding[];
}

const HERE = import.meta.dirname;
const FOLDER = join(HERE, "ledger");
const { vectors } = JSON.parse(readFileSync(join(FOLDER, "index.json"), "utf8")) as {
  vectors: Vector[];
};

const expanded = mkdtempSync(join(tmpdir(), "sworn-test-"));
afterAll(() => rmSync(expanded, { recursive: true, force: true }));

/** Where a vector's bundle is, whole. */
function pathOf({ file, runs }: Vector): string {
  if (!runs) return join(FOLDER, file);
  const stored = readFileSync(join(FOLDER, file));
  const path = join(expanded, basename(file));
  let whole = Buffer.alloc(0);
  let from = 0;
  for (const { at, byte, count } of runs) {
    const next = from + at - whole.length;
    whole = Buffer.concat([whole, stored.subarray(from, next), Buffer.alloc(count, byte)]);
    from = next;
  }
  writeFileSync(path, Buffer.concat([whole, stored.subarray(from)]));
  return path;
}

const pick = (code: string, seq: number | null) => ({ code, seq });

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

test("the index lists every published file once", () => {
  const files = vectors.map(({ file }) => file);
  expect(vectors.length).toBeGreaterThan(200);
  expect([...files, "index.json"].sort()).toEqual(filesBelow(FOLDER));
});

describe("our verifier", () => {
  test.each(vectors)("$file: $shows", async (vector) => {
    const { status, code, seq, lastTrustedSeq, failures, warnings } = vector;
    const report = await verifyBundle(pathOf(vector), {
      profile: "default",
      mode: "full",
      threads: 0,
    });
    const [first] = report.failures;
    expect({ status: report.status, code: first?.code, seq: first?.seq }).toEqual({
      status,
      code,
      seq,
    });
    if (status === "fail") expect(report.lastTrustedSeq).toBe(lastTrustedSeq);
    else expect(report.lastTrustedSeq).toBe(report.entries - 1);
    const found = (list: readonly Finding[]) => list.map((one) => pick(one.code, one.seq));
    if (failures) expect(found(report.failures)).toEqual(failures);
    if (warnings) expect(found(report.warnings)).toEqual(warnings);
  });

  test("warns of an open dispute by default and fails it when strict", async () => {
    const path = join(FOLDER, "valid/dispute-open.tar");
    const report = await verifyBundle(path, { profile: "strict", mode: "full", threads: 0 });
    expect(report.failures.map(({ code }) => code)).toEqual(["DISPUTE_OPEN"]);
  });

  test("finds in a fast run what breaks chain, tree or checkpoint, and says what it skipped", async () => {
    const options = { profile: "default", mode: "fast", threads: 0 } as const;
    const sound = await verifyBundle(join(FOLDER, "valid/example-session.tar"), options);
    expect(sound.warnings.map(({ code }) => code)).toEqual(["CHECKS_SKIPPED"]);
    for (const name of ["entry-deleted", "entries-swapped", "payload-edited", "tail-cut"]) {
      const report = await verifyBundle(join(FOLDER, `invalid/${name}.tar`), options);
      expect(report.status, name).toBe("fail");
    }
  });
});

test.each(["line-too-long", "line-far-too-long"])(
  "%s: a line is one line however long it is, in a fast run and in a full one",
  async (name) => {
    const vector = vectors.find(({ file }) => file.startsWith(`invalid/${name}.`));
    assert(vector);
    const path = pathOf(vector);
    for (const mode of ["fast", "full"] as const) {
      const report = await verifyBundle(path, { profile: "default", mode, threads: 0 });
      const code = mode === "fast" ? "CHAIN_BREAK" : "SCHEMA_INVALID";
      expect(report.entries).toBe(3);
      expect(report.failures.map((one) => pick(one.code, one.seq))).toEqual([{ code, seq: 1 }]);
    }
  },
);

describe("the second verifier", () => {
  interface Verdict {
    readonly file: string;
    readonly status: string;
    readonly code: string | null;
    readonly seq: number | null;
    readonly failures: readonly (readonly [code: string, seq: number | null])[];
    readonly warnings: readonly (readonly [code: string, seq: number | null])[];
  }
  const verdicts = new Map<string, Verdict>();

  const verifyWithPython = (files: readonly string[]) => {
    const script = join(HERE, "verify_ledger.py");
    const run = spawnSync("python3", [script, "--all", ...files], { encoding: "utf8" });
    // A machine without Python must not look as if both verifiers had agreed.
    if (run.error) throw run.error;
    const lines = run.stdout.split("\n").filter((line) => line !== "");
    return {
      code: run.status,
      errors: run.stderr,
      verdicts: lines.map((line) => JSON.parse(line) as Verdict),
    };
  };

  beforeAll(() => {
    const run = verifyWithPython(vectors.map(pathOf));
    expect(run.errors).toBe("");
    for (const [index, { file }] of vectors.entries()) {
      const verdict = run.verdicts[index];
      if (verdict) verdicts.set(file, verdict);
    }
  });

  test.each(vectors)("agrees about $file", (vector) => {
    const { file, status, code, seq, failures, warnings } = vector;
    const verdict = verdicts.get(file);
    expect([verdict?.status, verdict?.code, verdict?.seq]).toEqual([
      status,
      code ?? null,
      seq ?? null,
    ]);
    if (failures) {
      expect(verdict?.failures.map((failure) => pick(...failure))).toEqual(failures);
    }
    if (warnings) {
      expect(verdict?.warnings.map((warning) => pick(...warning))).toEqual(warnings);
    }
  });

  test("ends with 0 when all pass and with 4 when one does not", () => {
    const valid = join(FOLDER, "valid/short-session.tar");
    expect(verifyWithPython([valid]).code).toBe(0);
    expect(verifyWithPython([valid, join(FOLDER, "invalid/tail-cut.tar")]).code).toBe(4);
  });

  test("calls anything else a malformed bundle", () => {
    const { code, errors, verdicts } = verifyWithPython([join(HERE, "verify_ledger.py"), FOLDER]);
    expect({ code, errors }).toEqual({ code: 4, errors: "" });
    expect(verdicts.map((verdict) => verdict.code)).toEqual([
      "BUNDLE_MALFORMED",
      "BUNDLE_MALFORMED",
    ]);
  });
});

test("the maker writes the published files again, byte for byte", () => {
  const folder = temporaryFolder();
  execFileSync(process.execPath, [resolve(HERE, "make-ledger-vectors.mjs"), folder]);
  expect(filesBelow(folder)).toEqual(filesBelow(FOLDER));
  const differing = filesBelow(folder).filter(
    (file) => !readFileSync(join(folder, file)).equals(readFileSync(join(FOLDER, file))),
  );
  expect(differing).toEqual([]);
});
