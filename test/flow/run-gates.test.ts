import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { budgetOf } from "../../src/flow/exec/run-budget.ts";
import { deniedLicences, type RunParts } from "../../src/flow/exec/run-licences.ts";
import { Place } from "../../src/flow/place.ts";
import { opening, recording, temporaryFolder } from "../fake/sandbox.ts";
import { intent, proposal, review, started } from "./requests.ts";

const DENY = { deny: ["AGPL-*"], accepted: [], environment: "ignored" as const };
let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

function parts(files: Record<string, string>, more: Partial<RunParts> = {}): RunParts {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return {
    environment: {
      name: "base",
      digest: "",
      reference: "",
      root: { kind: "folder", path: folder, digest: "" },
    },
    input: { root: folder, paths: Object.keys(files) },
    inputFolder: folder,
    request: { pull: [], isPinned: false },
    ...more,
  } as unknown as RunParts;
}

const lock = (licences: Record<string, string | undefined>) =>
  JSON.stringify({
    name: "p",
    lockfileVersion: 3,
    packages: Object.fromEntries(
      Object.entries(licences).map(([name, license]) => [
        `node_modules/${name}`,
        { version: "1.0.0", license },
      ]),
    ),
  });

test("licences are those of the lockfiles: denied ones and unknown ones are named with their package", () => {
  const run = parts({
    "a/package-lock.json": lock({ good: "MIT", bad: "AGPL-3.0-only", odd: undefined }),
  });
  expect(deniedLicences(run, DENY)).toEqual(["AGPL-3.0-only:bad@1.0.0", "unknown:odd@1.0.0"]);
  expect(deniedLicences(run, { ...DENY, accepted: ["bad@1.0.0", "odd@1.0.0"] })).toEqual([]);
  expect(deniedLicences(run, { ...DENY, deny: [] })).toEqual([]);
  expect(deniedLicences(run, undefined)).toEqual([]);
});

test("what cannot be listed is unknown: a broken lockfile, one nobody reads, a pull without pins", () => {
  const run = parts(
    { "package-lock.json": "{", "yarn.lock": "" },
    { request: { pull: ["npm", "pip"], isPinned: true } },
  );
  const found = deniedLicences(run, DENY);
  expect(found.map((one) => one.split(" ", 1)[0])).toEqual([
    "unknown:package-lock.json",
    "unknown:yarn.lock",
    "unknown:pull-pip",
  ]);
  const accepted = ["package-lock.json", "yarn.lock", "pull-pip"];
  expect(deniedLicences(run, { ...DENY, accepted })).toEqual([]);
  const open = parts({}, { request: { pull: ["npm"], isPinned: false } });
  expect(deniedLicences(open, DENY)[0]).toContain("unknown:pull-npm");
});

test("the environment's own packages are judged unless they are left out on purpose", () => {
  const status = "Package: lib\nStatus: install ok installed\nVersion: 1.0\nArchitecture: all\n";
  const run = parts({ "var/lib/dpkg/status": status });
  const judged = { ...DENY, environment: "judged" as const };
  expect(deniedLicences(run, judged)).toEqual(["unknown:lib@1.0"]);
  expect(deniedLicences(run, DENY)).toEqual([]);
  const empty = parts(
    {},
    {
      environment: {
        ...run.environment,
        root: { kind: "folder", path: join(folder, "none"), digest: "" },
      },
    },
  );
  expect(deniedLicences(empty, judged)[0]).toContain("unknown:base");
});

const NOW = Date.parse("2030-01-02T12:00:00Z");
const DAY_MS = 86_400_000;

function place(nowMs = NOW): Place {
  return new Place({
    store: join(folder, "project", ".sworn"),
    state: join(folder, "state"),
    clock: () => nowMs,
  });
}

/** A run that was to cost something, as far as it got. */
async function spent(thousandths: number, at = NOW, isBegun = true): Promise<string> {
  const text = JSON.stringify({ thousandths });
  const cost = [{ name: "spend.json", text, media_type: "application/json" }];
  const announced = intent("i1");
  const artifacts = [...(announced.artifacts ?? []), ...cost];
  const { recorder, outcome } = await recording(place(at), [
    opening(),
    proposal("p1"),
    review("p1"),
    { ...announced, artifacts },
    ...(isBegun ? [started("x1", "i1")] : []),
  ]);
  expect(outcome.refusal).toBeUndefined();
  return recorder.id;
}

test("without a ceiling nothing may be spent, and a run has its own", () => {
  expect(budgetOf(place(), 1, undefined)).toEqual({ spent_thousandths: 1, ceiling_thousandths: 0 });
  expect(budgetOf(place(), 1, {})).toEqual({ spent_thousandths: 1, ceiling_thousandths: 0 });
  expect(budgetOf(place(), 0, undefined)).toEqual({ spent_thousandths: 0, ceiling_thousandths: 0 });
  const ceilings = { per_run: 2.5, per_day: 20 };
  expect(budgetOf(place(), 2_501, ceilings)).toEqual({
    spent_thousandths: 2_501,
    ceiling_thousandths: 2_500,
  });
});

test("what a day has cost is read from its traces: what began, on this day", async () => {
  const ceilings = { per_day: 20 };
  const today = () => budgetOf(place(), 1_000, ceilings).spent_thousandths;
  expect(today()).toBe(1_000);
  await spent(5_000);
  await spent(300, NOW - DAY_MS / 2);
  expect(today()).toBe(6_300);
  await spent(7_000, NOW, false);
  await spent(7_000, NOW - DAY_MS);
  expect(today()).toBe(6_300);
  expect(budgetOf(place(NOW + DAY_MS), 0, ceilings).spent_thousandths).toBe(0);
});

test("a trace of the day that cannot be read makes the sum unknown", async () => {
  const trace = await spent(5_000);
  for (const end of ["", "-wal", "-shm"])
    rmSync(`${place().ledgerPath(trace)}${end}`, { force: true });
  const ceilings = { per_run: 10, per_day: 20 };
  expect(budgetOf(place(), 0, ceilings).spent_thousandths).toBeNull();
  expect(budgetOf(place(), 0, { per_run: 10 }).spent_thousandths).toBe(0);
});
