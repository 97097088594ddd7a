import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { execute } from "../../src/run/index.ts";
import { BwrapEngine } from "../../src/sandbox/index.ts";
import { Limits } from "../../src/schema/execution.ts";

const engine = new BwrapEngine();

/** Runs a script, calls it off as soon as it prints something, and says what it left and how long that took. */
async function calledOff(script: string, graceMs: number, isObserved: boolean) {
  const limits = Limits.parse({ step_seconds: 60 });
  const prepared = await engine.prepare({
    id: `called-off-${Math.random().toString(36).slice(2)}`,
    root: { kind: "host" },
    argv: ["sh", "-c", script],
    cwd: "/workspace/output",
    env: { PATH: "/usr/bin:/bin" },
    mounts: [],
    limits,
    isObserved,
  });
  const controller = new AbortController();
  let askedAt = 0;
  try {
    const ran = await execute(prepared, {
      limits,
      graceMs,
      signal: controller.signal,
      onOutput: () => {
        askedAt ||= performance.now();
        controller.abort();
      },
    });
    const tookMs = performance.now() - askedAt;
    const read = (name: string) => {
      const path = join(prepared.output, name);
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    };
    const observed = ran.kind === "ran" ? ran.observed : undefined;
    return { ran, tookMs, observed, kept: read("kept.txt"), apart: read("apart.txt") };
  } finally {
    prepared.release();
  }
}

/** Says that it is ready, and then waits in a way that any signal ends. */
const WAITS = "echo ready; while :; do sleep 0.05; done";

describe.each([
  ["unobserved", false],
  ["observed", true],
])("%s", (_, isObserved) => {
  test("who is asked to end has time to write down what it has", async () => {
    const flush = "trap 'sleep 0.2; echo flushed > kept.txt; exit 5' TERM";
    const { ran, kept, tookMs, observed } = await calledOff(
      `${flush}; ${WAITS}`,
      20_000,
      isObserved,
    );
    expect(kept).toBe("flushed\n");
    expect(ran).toMatchObject({ kind: "ran", end: { code: 5, limit: "cancelled" } });
    expect(tookMs).toBeLessThan(10_000);
    expect(observed?.gaps ?? []).toEqual([]);
  });

  test("who does not listen is killed when the time is over, wherever it went", async () => {
    const deaf = `setsid sh -c 'trap "echo asked > apart.txt" TERM; ${WAITS}' &`;
    // Deaf before the other says that it is ready; a signal ignored (`trap ''`) is one that its child cannot catch.
    const { ran, apart, tookMs, observed } = await calledOff(
      `trap : TERM; ${deaf} while :; do sleep 1; done`,
      2_000,
      isObserved,
    );
    // One in a session of its own was asked like the others, and ended like the others.
    expect(apart).toBe("asked\n");
    expect(ran).toMatchObject({ kind: "ran", end: { limit: "cancelled" } });
    expect(tookMs).toBeGreaterThanOrEqual(1_980);
    expect(tookMs).toBeLessThan(20_000);
    expect(observed?.gaps ?? []).toEqual([]);
  });
});

test("without a time of grace nobody is asked", async () => {
  const { kept } = await calledOff(`trap 'echo flushed > kept.txt' TERM; ${WAITS}`, 0, false);
  expect(kept).toBe(undefined);
});
