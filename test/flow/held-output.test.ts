import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import {
  assertHeld,
  dropHeld,
  type HeldFile,
  handOver,
  heldFolder,
  holdOutput,
  reapHeld,
} from "../../src/flow/exec/held-output.ts";
import type { Place } from "../../src/flow/place.ts";
import { temporaryFolder, temporaryPlace } from "../fake/sandbox.ts";

const TRACE = "trace_01M7J53P2KDKXZ1040985ZSST6";
const DAY_MS = 86_400_000;
let place: Place;
let folder = "";
let listed: HeldFile[] = [];

beforeEach(() => {
  place = temporaryPlace();
  const copies = temporaryFolder();
  mkdirSync(join(copies, "d"));
  writeFileSync(join(copies, "d", "run.sh"), "echo hello\n", { mode: 0o700 });
  writeFileSync(join(copies, "plain"), "x\n", { mode: 0o600 });
  listed = holdOutput(place, TRACE, copies);
  folder = heldFolder(place, TRACE);
});
const check = () => assertHeld(place, TRACE, listed);

test("what waits is closed to others, and handed over as it was", () => {
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(listed.map(({ path, bytes }) => [path, bytes])).toEqual([
    ["d/run.sh", 11],
    ["plain", 2],
  ]);
  check();
  const out = join(temporaryFolder(), "out");
  handOver(place, TRACE, listed, out);
  expect(readFileSync(join(out, "d", "run.sh"), "utf8")).toBe("echo hello\n");
  expect(statSync(join(out, "d", "run.sh")).mode & 0o100).toBe(0o100);
  dropHeld(place, TRACE);
  expect(existsSync(folder)).toBe(false);
  dropHeld(place, TRACE);
});

test.each<[string, () => void]>([
  ["changed", () => writeFileSync(join(folder, "plain"), "y\n")],
  ["added", () => writeFileSync(join(folder, "more"), "y\n")],
  ["removed", () => rmSync(join(folder, "plain"))],
  ["turned into a link", () => linkTo(join(folder, "plain"))],
])("a file that was %s while it waited stops the clearance", (_, change) => {
  change();
  expect(check).toThrow();
  const out = join(temporaryFolder(), "out");
  writeFileSync(join(folder, "d", "run.sh"), "echo other\n");
  expect(() => handOver(place, TRACE, listed, out)).toThrow("not the one that was put aside");
  expect(existsSync(join(out, "d", "run.sh"))).toBe(false);
});

function linkTo(path: string): void {
  const other = join(temporaryFolder(), "other");
  writeFileSync(other, "x\n", { mode: 0o600 });
  rmSync(path);
  symlinkSync(other, path);
}

test("what nobody looks at within seven days is removed", () => {
  const now = Date.now();
  const clock = () => now;
  const { state } = place;
  const age = (days: number) => {
    const at = (now - days * DAY_MS) / 1_000;
    utimesSync(folder, at, at);
  };
  age(6.9);
  reapHeld({ state, clock });
  expect(existsSync(folder)).toBe(true);
  age(7.1);
  reapHeld({ state, clock });
  expect(existsSync(folder)).toBe(false);
  expect(check).toThrow("not kept any more");
  reapHeld({ state: temporaryFolder(), clock });
});
