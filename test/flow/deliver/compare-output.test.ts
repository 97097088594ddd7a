import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareOutput } from "../../../src/flow/deliver/compare-output.ts";
import type { ConcludedRun } from "../../../src/flow/deliver/concluded-run.ts";
import { deliveryFacts } from "../../../src/flow/deliver/deliver-facts.ts";
import { makeManifest } from "../../../src/run/manifest/index.ts";
import { sidecarBytes } from "../../../src/scan/classify/index.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { OUTPUT, record } from "../../run/manifest/record.ts";

/** An output folder, and the manifest of a run that left it. */
function left(files: Record<string, string>, changes: object = {}) {
  const folder = temporaryFolder();
  const output = Object.entries(files).map(([path, text]) => ({
    ...OUTPUT(path, text),
    ...changes,
  }));
  for (const { path, classification, pii } of output) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), files[path] ?? "");
    writeFileSync(join(folder, `${path}.meta.json`), sidecarBytes({ classification, pii }));
  }
  return { folder, manifest: makeManifest(record({ output })) };
}

test("every file is described by its bytes", () => {
  const { folder, manifest } = left({ "a/b": "text", c: "zero \u0000" });
  const compared = compareOutput(folder, manifest);
  expect(compared).toMatchObject({
    files: [
      { path: "a/b", bytes: 4, content: "text", sidecar: { classification: "internal" } },
      { path: "c", bytes: 6, content: "binary" },
    ],
    secretFiles: [],
    flagged: [],
  });
});

test("a run that left nothing is compared as well", () => {
  const { folder, manifest } = left({});
  expect(compareOutput(folder, manifest)).toEqual({ files: [], secretFiles: [], flagged: [] });
  writeFileSync(join(folder, "more"), "");
  expect(compareOutput(folder, manifest)).toMatchObject({ rule: "F.5" });
});

test("output is judged anew: what is found today counts, and what was flagged stays so", () => {
  const secret = left({ ".env": "A=b\n" });
  expect(compareOutput(secret.folder, secret.manifest)).toMatchObject({ secretFiles: [".env"] });
  const personal = left({ a: "plain" }, { pii: true });
  expect(compareOutput(personal.folder, personal.manifest)).toMatchObject({ flagged: ["a"] });
  const restricted = left({ a: "plain" }, { classification: "restricted" });
  expect(compareOutput(restricted.folder, restricted.manifest)).toMatchObject({ flagged: ["a"] });
});

test("many wrong files are named up to five", () => {
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`f${at}`, "x"]));
  const { folder, manifest } = left(files);
  for (const name of Object.keys(files)) writeFileSync(join(folder, name), "y");
  const { reason } = compareOutput(folder, manifest) as { reason: string };
  expect(reason).toContain("f0, f1, f2, f3, f4 and 3 more");
});

test("only a folder of this machine's own may be plain, and then it is asked about twice", () => {
  const run = {
    facts: { task: "t" },
    manifest: { output: [] },
    cleared: new Set(),
  } as unknown as ConcludedRun;
  const output = { files: [], secretFiles: ["s"], flagged: ["f"] };
  const place = { sink: "artifact-store", destination: "folder /shelf" } as const;
  const listed = { kind: "folder", path: "/shelf", plain: true } as const;
  const sink = { name: "shelf", listed, place, folder: "/shelf" };
  const here = deliveryFacts(run, output, { ...sink, isLocal: true });
  for (const facts of here) {
    expect(facts).toMatchObject({
      task: "t",
      moment: "complete",
      output: { secret_files: ["s"], unreviewed_flags: ["f"] },
    });
  }
  expect(here.map((facts) => facts.output.deliveries)).toEqual([
    [],
    [expect.objectContaining({ destination: "folder /shelf", encrypted: true, listed: true })],
  ]);
  const elsewhere = deliveryFacts(run, output, { ...sink, isLocal: false });
  expect(elsewhere.map((facts) => facts.output.deliveries)).toEqual([
    [expect.objectContaining({ encrypted: false, listed: true })],
  ]);
});
