import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canonicalize, sha256Hex } from "../../src/base/index.ts";
import type { Entry } from "../../src/schema/index.ts";
import { sworn } from "../fake/child.ts";
import {
  bundleVerifier,
  codesIn,
  entriesOf,
  type Part,
  packed,
  partsOf,
  withEntries,
  withPart,
} from "./bundle-parts.ts";
import { findsEveryChange } from "./byte-tamper.ts";
import { EXAMPLE, exampleProject, exported, projectIn } from "./project.ts";
import { seeded } from "./seed.ts";

/** One in so many bytes, so that it stays short; the soak tries them all. */
const STRIDE = 16;

test("a changed byte anywhere in a bundle is found", () => findsEveryChange(0x01, STRIDE));

/** Every variant of the entries must fail, and not for its packaging. */
async function expectAllFound(parts: readonly Part[], variants: Iterable<readonly string[]>) {
  const verify = bundleVerifier();
  expect((await verify(packed(parts))).status).toBe("pass");
  let tried = 0;
  for (const lines of variants) {
    const report = await verify(packed(withEntries(parts, lines)));
    expect([tried, report.status]).toEqual([tried, "fail"]);
    expect([tried, codesIn(report)]).not.toEqual([tried, []]);
    tried += 1;
  }
  return tried;
}

const without = (lines: readonly string[], at: number) => lines.toSpliced(at, 1);
const inserted = (lines: readonly string[], at: number, line: string) =>
  lines.toSpliced(at, 0, line);

test("an entry that was left out is found, whichever it is", async () => {
  const parts = partsOf(exported(await exampleProject()));
  const lines = entriesOf(parts);
  const tried = await expectAllFound(
    parts,
    lines.map((_, at) => without(lines, at)),
  );
  expect(tried).toBe(36);
});

test("two entries that changed places are found, whichever they are", async () => {
  const parts = partsOf(exported(await exampleProject()));
  const lines = entriesOf(parts);
  const swapped = (at: number) => inserted(without(lines, at), at + 1, lines[at] ?? "");
  const tried = await expectAllFound(
    parts,
    Array.from({ length: 35 }, (_, at) => swapped(at)),
  );
  expect(tried).toBe(35);
});

test("an entry that stands there twice is found, wherever the second one is", async () => {
  const parts = partsOf(exported(await exampleProject()));
  const lines = entriesOf(parts);
  const { below } = seeded();
  const next = lines.map((line, at) => inserted(lines, at, line));
  const anywhere = lines.map((line) => inserted(lines, below(lines.length + 1), line));
  const atEnd = lines.map((line) => [...lines, line]);
  expect(await expectAllFound(parts, [...next, ...anywhere, ...atEnd])).toBe(108);
});

test("an end that was cut off is found, wherever the cut is", async () => {
  const parts = partsOf(exported(await exampleProject()));
  const lines = entriesOf(parts);
  const tried = await expectAllFound(
    parts,
    Array.from({ length: 35 }, (_, at) => lines.slice(0, at + 1)),
  );
  expect(tried).toBe(35);
});

test("a bundle cut off at any byte is found", async () => {
  const bundle = exported(await exampleProject());
  const verify = bundleVerifier();
  const { seed, below } = seeded();
  const lengths = [0, 1, 511, 512, bundle.length - 1024, bundle.length - 512, bundle.length - 1];
  for (let turn = 0; turn < 150; turn += 1) lengths.push(below(bundle.length));
  for (const length of lengths) {
    const { status } = await verify(bundle.subarray(0, length));
    expect([seed, length, status]).toEqual([seed, length, "fail"]);
  }
});

test("entries renumbered and chained anew after one was left out are found", async () => {
  const parts = partsOf(exported(await exampleProject()));
  const lines = entriesOf(parts);
  const rechained = (at: number) => {
    const out: string[] = [];
    for (const line of without(lines, at)) {
      const prev = out.length === 0 ? "0".repeat(64) : sha256Hex(out.at(-1) ?? "");
      out.push(canonicalize({ ...(JSON.parse(line) as Entry), prev, seq: out.length }));
    }
    return out;
  };
  expect(
    await expectAllFound(
      parts,
      Array.from({ length: 36 }, (_, at) => rechained(at)),
    ),
  ).toBe(36);
});

test("entries of another trace by the same agents are found, wherever they are put", async () => {
  const project = await exampleProject();
  const parts = partsOf(exported(project));
  const again = await sworn(project, ["trace", "record", EXAMPLE, "--json"]);
  expect(again.code, again.err).toBe(0);
  const { trace } = JSON.parse(again.out) as { trace: string };
  const other = partsOf(exported(projectIn(project.folder, trace)));
  const [lines, strangers] = [entriesOf(parts), entriesOf(other)];
  const { below } = seeded();
  const variants = Array.from({ length: 150 }, () => {
    const at = below(lines.length);
    const stranger = strangers[below(strangers.length)] ?? "";
    return below(2) === 0 ? inserted(lines, at, stranger) : lines.with(at, stranger);
  });
  const samePlace = lines.map((_, at) => lines.with(at, strangers[at] ?? ""));
  expect(await expectAllFound(parts, [...variants, ...samePlace])).toBe(186);
  // Nor does another trace's checkpoint, or its list of keys with another signature, pass for this one's.
  const verify = bundleVerifier();
  const note = other.find(({ name }) => name === "checkpoint")?.bytes.toString() ?? "";
  const report = await verify(packed(withPart(parts, "checkpoint", note)));
  expect([report.status, codesIn(report)]).toEqual(["fail", ["CHECKPOINT_INVALID"]]);
});

test("an artifact that is missing, exchanged, added or empty is found", async () => {
  const parts = partsOf(exported(await exampleProject()));
  const verify = bundleVerifier();
  const artifacts = parts.filter(({ name }) => name.startsWith("artifacts/"));
  expect(artifacts.length).toBeGreaterThan(8);
  for (const [at, { name }] of artifacts.entries()) {
    const neighbour = artifacts[(at + 1) % artifacts.length];
    const variants = {
      ARTIFACT_MISSING: parts.filter((part) => part.name !== name),
      ARTIFACT_HASH_MISMATCH: withPart(parts, name, neighbour?.bytes.toString() ?? ""),
    };
    for (const [code, variant] of Object.entries(variants)) {
      const report = await verify(packed(variant));
      expect([name, report.status]).toEqual([name, "fail"]);
      expect(codesIn(report)).toContain(code);
    }
    const emptied = await verify(packed(withPart(parts, name, "")));
    expect(codesIn(emptied)).toContain("ARTIFACT_HASH_MISMATCH");
  }
  const added = { name: `artifacts/${"f".repeat(64)}`, bytes: Buffer.from("uncited") };
  const report = await verify(packed([...parts, added]));
  expect([report.status, report.failures.map(({ code }) => code)]).toEqual([
    "fail",
    ["ARTIFACT_UNCITED"],
  ]);
});

test("a bundle that was tampered with is not imported", async () => {
  const project = await exampleProject();
  const parts = partsOf(exported(project));
  const elsewhere = projectIn(join(project.folder, "elsewhere"), project.trace);
  const path = join(project.folder, "tampered.tar");
  writeFileSync(path, packed(withEntries(parts, without(entriesOf(parts), 7))));
  const place = { project: project.folder, state: elsewhere.state };
  const { code, out } = await sworn(place, ["trace", "import", path, "--json"]);
  expect(code).toBe(4);
  expect(JSON.parse(out)).toMatchObject({ imported: false });
});
