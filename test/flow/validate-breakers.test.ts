import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkTruth, type TruthRequest } from "../../src/flow/validate/truth-check.ts";
import type { Finding } from "../../src/schema/finding.ts";
import type { SourceTree } from "../../src/verify/citation/index.ts";
import { CircuitBreaker } from "../../src/verify/contract/index.ts";
import { verifies } from "../verifies.ts";
import { COMPARE, deliverable, SHELL, TeamRun } from "./team-run.ts";

const UNSEALED = deliverable([COMPARE]).replace(/---\nSEAL.*/s, "");

/** A team of which nobody's file is in order, judged three times. */
async function failedThrice(): Promise<TeamRun> {
  const run = new TeamRun();
  run.deliver("forge.md", UNSEALED);
  run.deliver("ward.md", UNSEALED);
  for (let time = 1; time <= 3; time += 1) await run.validated();
  return run;
}

verifies(
  "000-5",
  "after three runs in a row without one good file, the next one is not asked",
  async () => {
    const run = await failedThrice();
    run.deliver("forge.md", deliverable([SHELL]));
    run.nowMs += 59_000;
    const { deliverables, report, lateGaps, warnings, retryAt } = await run.validated();
    const why = "not checked: it failed 3 times in a row and waits";
    expect(deliverables.map(({ status, reasons }) => [status, reasons])).toEqual([
      ["partial", [why]],
      ["partial", [why]],
    ]);
    expect(report.gaps).toContainEqual({ what: "the files' form (layer 0)", why });
    expect(lateGaps).toBe(3);
    expect(run.json("inline-validation.json")).toMatchObject({ results: {}, tarnished_checked: 0 });
    const until = new Date(run.nowMs + 1_000).toISOString();
    expect(retryAt).toBe(until);
    expect(warnings).toContain(
      `the files' form: 3 failures in a row; it is asked again in 1 s, at ${until}`,
    );
    // What the files say is another layer's business, and was held against the source.
    expect(report.reviewers.map(({ confirmed }) => confirmed)).toEqual([1, 1]);
  },
);

test("after its while one file is let through; if it is good, all are asked again", async () => {
  const run = await failedThrice();
  run.deliver("forge.md", deliverable([SHELL]));
  run.nowMs += 60_000;
  const { deliverables } = await run.validated();
  expect(deliverables.map(({ status }) => status)).toEqual(["complete", "partial"]);
  expect(deliverables[1]?.reasons).toEqual(["no Seal"]);
  expect(JSON.parse(readFileSync(run.breakers, "utf8"))).toMatchObject({
    layer_0: { failures: 0, opened_ms: null, trial_ms: null },
  });
});

test("if that one is not good, nobody else is asked, and the while begins again", async () => {
  const run = await failedThrice();
  run.deliver("ward.md", deliverable([COMPARE]));
  run.nowMs += 60_000;
  const { deliverables } = await run.validated();
  expect(deliverables.map(({ reasons }) => reasons)).toEqual([
    ["no Seal"],
    ["not checked: the one that was tried first is not in order either"],
  ]);
  run.nowMs += 59_999;
  const [forge] = (await run.validated()).deliverables;
  expect(forge?.reasons[0]).toMatch(/failed 4 times in a row and waits/);
});

test("one good file between bad runs is enough to start counting anew", async () => {
  const run = await failedThrice();
  expect(JSON.parse(readFileSync(run.breakers, "utf8"))).toMatchObject({
    v: 1,
    layer_0: { failures: 3 },
    layer_2: { failures: 0 },
  });
  const calm = new TeamRun();
  calm.deliver("forge.md", UNSEALED);
  await calm.validated();
  await calm.validated();
  calm.deliver("forge.md", deliverable([SHELL]));
  await calm.validated();
  calm.deliver("forge.md", UNSEALED);
  const [forge] = (await calm.validated()).deliverables;
  expect(forge?.reasons).toEqual(["no Seal"]);
});

test("another contract's team has not failed yet", async () => {
  const run = await failedThrice();
  const contract = JSON.parse(readFileSync(join(run.out, "inscription.json"), "utf8"));
  const again = { ...contract, timestamp: "2026-02-12T10:30:00Z" };
  writeFileSync(join(run.out, "inscription.json"), JSON.stringify(again));
  const { deliverables, retryAt } = await run.validated();
  expect(deliverables.map(({ reasons }) => reasons)).toEqual([["no Seal"], ["no Seal"]]);
  expect(retryAt).toBeUndefined();
});

test("where nothing ever failed no store is made for it", async () => {
  const run = new TeamRun();
  run.deliver("forge.md", deliverable([SHELL]));
  await run.validated();
  expect(existsSync(dirname(run.breakers))).toBe(false);
});

test("a try that is under way is written down first, so that another process waits for it", async () => {
  const run = new TeamRun();
  run.deliver("forge.md", deliverable([SHELL]));
  const memory = {
    v: 1,
    layer_0: { failures: 0, opened_ms: null, trial_ms: null },
    layer_2: { failures: 2, opened_ms: run.nowMs - 120_000, trial_ms: null },
  };
  run.write(run.breakers, JSON.stringify(memory));
  const seen: unknown[] = [];
  const { report } = await run.validated({
    onProgress: () => seen.push(JSON.parse(readFileSync(run.breakers, "utf8")).layer_2.trial_ms),
  });
  expect(seen).toEqual([run.nowMs]);
  expect(report.reviewers[0]?.confirmed).toBe(1);
  expect(JSON.parse(readFileSync(run.breakers, "utf8")).layer_2.opened_ms).toBeNull();
});

const future = {
  v: 1,
  layer_0: { failures: 3, opened_ms: Date.parse("2030-01-01T00:00:00Z"), trial_ms: null },
  layer_2: { failures: 0, opened_ms: null, trial_ms: null },
};

test.each([
  ["is no JSON", "{", /is damaged/],
  ["has another shape", '{"v":2}', /is damaged/],
  ["is too long", JSON.stringify({ v: 1, more: "x".repeat(5_000) }), /is damaged/],
  ["speaks of the future", JSON.stringify(future), /speaks of the future/],
])("a memory that %s is not believed, said so, and replaced", async (_, text, warning) => {
  const run = new TeamRun();
  run.deliver("forge.md", deliverable([SHELL]));
  run.write(run.breakers, text);
  const { warnings, deliverables } = await run.validated();
  expect(warnings).toEqual([expect.stringMatching(warning)]);
  expect(deliverables[0]?.status).toBe("complete");
  expect((await run.validated()).warnings).toEqual([]);
});

test("a memory behind a link is not read", async () => {
  const run = await failedThrice();
  const text = readFileSync(run.breakers, "utf8");
  const other = new TeamRun();
  other.deliver("forge.md", deliverable([SHELL]));
  writeFileSync(join(other.folder, "memory.json"), text);
  mkdirSync(dirname(other.breakers));
  symlinkSync(join(other.folder, "memory.json"), other.breakers);
  const { deliverables, warnings } = await other.validated();
  expect(deliverables[0]?.status).toBe("complete");
  expect(warnings).toEqual([expect.stringMatching(/is damaged/)]);
});

const finding = (id: string, priority: Finding["priority"]): Finding => ({
  id,
  title: "A title",
  priority,
  citations: [{ file: "a.js", line: 1, quote: "let a = 1;" }],
});
const FINDINGS = [finding("A-1", "P3"), finding("A-2", "P1")];
const TREE: SourceTree = {
  find: async () => ({ kind: "file", bytes: Buffer.from("let a = 1;\n"), at: "head" }),
  paths: async () => ["a.js"],
};

/** The truth check with a breaker of its own and a clock that the test moves. */
class Stand {
  nowMs = 1_000_000;
  trials = 0;
  readonly stop = new AbortController();
  readonly breaker = new CircuitBreaker({ failure_threshold: 2, recovery_seconds: 120 });

  async check(more: Partial<TruthRequest> = {}) {
    const { checked, gaps } = await checkTruth({
      said: [{ name: "ward", findings: FINDINGS }],
      open: async () => TREE,
      breaker: this.breaker,
      clock: () => this.nowMs,
      signal: this.stop.signal,
      onProgress: () => {},
      onTrial: () => {
        this.trials += 1;
      },
      ...more,
    });
    return { verdicts: checked.get("ward")?.map(({ verdict }) => verdict), gaps };
  }
}

const broken = { open: () => Promise.reject(new Error("git is gone")) };

test("a source that cannot be read leaves every finding unverified, never confirmed", async () => {
  const stand = new Stand();
  expect(await stand.check(broken)).toEqual({
    verdicts: ["UNVERIFIED", "UNVERIFIED"],
    gaps: [{ what: "findings against the source (layer 2)", why: "not checked: git is gone" }],
  });
});

verifies(
  "000-5",
  "two failures in a row stop the truth check for two minutes; then one try decides",
  async () => {
    const stand = new Stand();
    await stand.check(broken);
    await stand.check(broken);
    stand.nowMs += 119_999;
    const waiting = await stand.check();
    expect(waiting.verdicts).toEqual(["UNVERIFIED", "UNVERIFIED"]);
    expect(waiting.gaps[0]?.why).toBe("not checked: it failed 2 times in a row and waits");
    stand.nowMs += 1;
    expect(await stand.check()).toEqual({ verdicts: ["CONFIRMED", "CONFIRMED"], gaps: [] });
    expect(stand.trials).toBe(1);
    expect(await stand.check()).toMatchObject({ gaps: [] });
    expect(stand.trials).toBe(1);
  },
);

test("the urgent findings come first, and what time does not allow is unverified", async () => {
  const stand = new Stand();
  const slow: SourceTree = {
    ...TREE,
    find: async (path) => {
      stand.nowMs += 15 * 60_000 + 1;
      return TREE.find(path);
    },
  };
  const { verdicts, gaps } = await stand.check({ open: async () => slow });
  expect(verdicts).toEqual(["UNVERIFIED", "CONFIRMED"]);
  expect(gaps[0]?.why).toBe("not checked: it took longer than 15 minutes");
});

test("who stops the run has not seen the check fail", async () => {
  const stand = new Stand();
  stand.stop.abort();
  await expect(stand.check()).rejects.toThrow(/abort/i);
  expect(stand.breaker.memory.failures).toBe(0);
});

test("without findings there is nothing to ask, and nothing to succeed in", async () => {
  const stand = new Stand();
  await stand.check(broken);
  await stand.check({ said: [] });
  expect(stand.breaker.memory.failures).toBe(1);
});
