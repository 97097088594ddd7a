import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/index.ts";
import { compareManifests, makeManifest, type RunRecord } from "../../../src/run/manifest/index.ts";
import { OUTPUT, record } from "./record.ts";

const FIRST = makeManifest(record());
const compare = (changes: Partial<RunRecord>, explanations?: Record<string, string>) =>
  compareManifests(FIRST, makeManifest(record(changes)), explanations);

test("a run at another time with the same hashes is a reproduction", () => {
  const later = {
    taskId: "build-2",
    containerId: "other",
    started: { wallMs: 1_800_000_000_000, monotonicUs: 9 },
    ended: { wallMs: 1_800_000_000_001, monotonicUs: 10 },
    output: [{ ...OUTPUT("a"), mtime_ms: 5 }, OUTPUT("b")],
  };
  expect(compare(later)).toEqual({ isReproduced: true, equalFiles: 2, differences: [] });
});

test("every hash is compared, and each difference is named", () => {
  const output = [OUTPUT("a", "other"), { ...OUTPUT("c"), mode: 0o755 }];
  expect(compare({ output })).toEqual({
    isReproduced: false,
    equalFiles: 0,
    differences: [
      { subject: "a", kind: "content", first: sha256Hex("a"), second: sha256Hex("other") },
      { subject: "b", kind: "missing", first: sha256Hex("b"), second: "" },
      { subject: "c", kind: "added", first: "", second: sha256Hex("c") },
    ],
  });
  const executable = [{ ...OUTPUT("a"), mode: 0o755 }, OUTPUT("b")];
  expect(compare({ output: executable }).differences).toEqual([
    { subject: "a", kind: "mode", first: "420", second: "493" },
  ]);
});

test("an explanation excuses other content, is shown, and excuses nothing else", () => {
  const output = [OUTPUT("a", "other"), OUTPUT("b")];
  const why = { a: "the linker writes a random build id" };
  const explained = compare({ output }, why);
  expect(explained.isReproduced).toBe(true);
  expect(explained.differences[0]?.explained).toBe("the linker writes a random build id");
  expect(compare({ output }, { a: " " }).isReproduced).toBe(false);
  expect(compare({ output: [OUTPUT("b")] }, why).isReproduced).toBe(false);
  const named = [OUTPUT("a"), OUTPUT("b"), OUTPUT("constructor")];
  const other = [OUTPUT("a"), OUTPUT("b"), OUTPUT("constructor", "x")];
  const [one, two] = [named, other].map((files) => makeManifest(record({ output: files })));
  expect(compareManifests(one as typeof FIRST, two as typeof FIRST).isReproduced).toBe(false);
});

test.each([
  ["seed", { seed: "43" }],
  ["argv", { argv: ["npm", "run"] }],
  ["source_date_epoch", { sourceDateEpoch: 1 }],
  ["timezone", { timezone: "Europe/Berlin" }],
  ["locale", { locale: "de_DE.UTF-8" }],
  ["env", { env: { TZ: "UTC" } }],
  ["input", { input: { commit: null, tree: null, sha256: "0".repeat(64) } }],
  ["engine", { engine: "docker" as const }],
  ["cwd", { cwd: "/" }],
  [
    "environment.digest",
    { environment: { name: "node", digest: `sha256:${"b".repeat(64)}`, reference: "x" } },
  ],
])("another %s is no repetition, even with the same hashes", (subject, changes) => {
  const { isReproduced, differences } = compare(changes, { [subject]: "because" });
  expect(isReproduced).toBe(false);
  expect(differences.map((one) => [one.kind, one.subject])).toEqual([["condition", subject]]);
});

test("another end is a difference", () => {
  const { isReproduced } = compare({ exit: { code: 1, signal: undefined, limit: undefined } });
  expect(isReproduced).toBe(false);
});
