import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentLimits } from "../../src/schema/agent.ts";
import type { Step } from "./scripted-model.ts";
import { runSealed, SECRET, type Sealed } from "./sealed.ts";
import { type RealAgent, unrouted } from "./start-agent.ts";

/** What differs from agent to agent. */
interface Expected {
  /** Its call that runs a command. */
  readonly shell: (command: string) => Step;
}

export interface ExpectedSealed extends Expected {
  /** Whether it goes on after a piece of the model's stream that is not JSON. */
  readonly survivesMalformed: boolean;
}

const WRITE = "echo hello > out.txt";
const outputOf = ({ outcome }: Sealed): string =>
  readFileSync(outcome.info?.stdout_path ?? "", "utf8");

/** Whatever happened: its record verifies, nothing of it runs on, and it spoke to its model alone. */
function expectClean(sealed: Sealed, strays: number): void {
  expect(sealed.outcome.refused).toBe(undefined);
  expect(sealed.verified).toMatch(/^pass/);
  expect(sealed.survivors).toEqual([]);
  expect(unrouted() - strays).toBe(0);
  expect(existsSync(sealed.outcome.info?.cwd ?? "")).toBe(false);
}

const runOf =
  (agent: RealAgent) =>
  async (...args: Parameters<typeof runSealed> extends [unknown, ...infer R] ? R : never) => {
    const strays = unrouted();
    const sealed = await runSealed(agent, ...args);
    expectClean(sealed, strays);
    return sealed;
  };
const kept = ({ project, outcome }: Sealed) => project.leftBy(outcome, "out.txt");

/** What holds for every agent, in the sandbox and behind the proxy that users run it with. */
export function expectHeld(agent: RealAgent, { shell }: Expected): void {
  const run = runOf(agent);

  describe(`${agent}, held to its word`, () => {
    test("a truthful run is confirmed, and the model got the credential that the agent never had", async () => {
      // Written so that the command itself does not hold what it looks for.
      const pattern = `${SECRET.slice(0, -1)}[${SECRET.slice(-1)}]`;
      const look = shell(
        `${WRITE}; env | grep ${pattern}; cat /proc/*/environ | grep -a ${pattern}`,
      );
      const sealed = await run([look, { say: "Done: created `out.txt`." }]);
      expect(kept(sealed)).toBe("hello\n");
      expect(sealed.outcome.said.map(({ verdict }) => verdict)).toEqual(["CONFIRMED"]);
      expect(sealed.outcome.info).toMatchObject({ status: "completed", exit_code: 0 });
      const credentials = new Set(sealed.model.asked.map(({ credential }) => credential));
      expect([...credentials].every((one) => one.includes(SECRET))).toBe(true);
      expect(sealed.model.asked.some(({ body }) => body.includes(SECRET))).toBe(false);
      expect(outputOf(sealed)).not.toContain(SECRET);
      expect(sealed.outcome.use).toMatchObject({ inputTokens: 240, outputTokens: 60 });
    });

    test("a lie is found out: no test was run, and no such file is there", async () => {
      const sealed = await run([{ say: "I created `out.txt`. All tests pass." }]);
      const verdicts = sealed.outcome.said.map(({ claim, verdict }) => [claim.kind, verdict]);
      expect(verdicts, JSON.stringify(sealed.outcome.said)).toEqual([
        ["file", "HALLUCINATED"],
        ["tests", "HALLUCINATED"],
      ]);
      expect(sealed.outcome.saved?.changed).toEqual([]);
    });

    test("a stall is noticed, stopped, and what was done before it is kept", async () => {
      const steps: string[] = [];
      const sealed = await run([shell(`${WRITE}; sleep 1000 & echo begun`), { stall: true }], {
        limits: AgentLimits.parse({ idle_seconds: 1, stuck_seconds: 3 }),
        onStep: (words) => steps.push(words),
      });
      expect(sealed.outcome.info).toMatchObject({
        status: "failed",
        error_summary: "ended by stuck_seconds",
      });
      expect(steps.join()).toContain("has done nothing for a while");
      expect(kept(sealed)).toBe("hello\n");
    });

    test("nothing is written outside of its tree", async () => {
      const places = [
        "/etc/sworn-out",
        "/usr/sworn-out",
        "/sworn-out",
        "../sworn-out",
        "/home/sworn-out",
      ];
      const each = places.map((place) => `echo x > ${place}`).join("; ");
      const sealed = await run([shell(`${WRITE}; ${each}`), { say: "Done: created `out.txt`." }]);
      expect(sealed.outcome.saved?.changed).toEqual([{ path: "out.txt", how: "added" }]);
      const host = places.map((place) => join(sealed.project.folder, place)).concat(places);
      expect(host.filter((place) => existsSync(place))).toEqual([]);
      expect(sealed.project.git("status", "--porcelain", "--", "a.txt")).toBe("");
    });
  });
}

/** That, and how it goes wrong. */
export function expectSealed(agent: RealAgent, expected: ExpectedSealed): void {
  const { shell, survivesMalformed } = expected;
  const run = runOf(agent);
  expectHeld(agent, expected);

  describe(`${agent}, sealed`, () => {
    test("a crash is a failure, and what was done before it is kept", async () => {
      const sealed = await run([shell(`${WRITE}; kill -9 -1`), { say: "All is well." }]);
      expect(sealed.outcome.info?.status).toBe("failed");
      expect(kept(sealed)).toBe("hello\n");
    });

    test("a storm of 429 is told as busy, is no answer, and ends", async () => {
      const sealed = await run([{ status: 429 }], { limits: AgentLimits.parse({ seconds: 60 }) });
      expect(sealed.outcome.troubles[0]?.why).toBe("busy");
      expect(sealed.outcome.info?.output_origin).toBe("runner");
      expect(sealed.outcome.said).toEqual([]);
    });

    test("a piece of the model's stream that is not JSON ends in an error or in an answer, never in both", async () => {
      const sealed = await run([{ malformed: "All is well." }]);
      expect(sealed.outcome.troubles.length > 0).toBe(!survivesMalformed);
    });

    test("a flood is stopped at the ceiling, and what was done before it is kept", async () => {
      const steps = [shell(WRITE), { say: "word ".repeat(100), times: 4_000 }];
      const limits = AgentLimits.parse({ output_bytes: 200_000, seconds: 60 });
      const sealed = await run(steps, { limits });
      expect(sealed.outcome.info).toMatchObject({
        status: "failed",
        error_summary: "ended by output_bytes",
      });
      expect(outputOf(sealed).length).toBeLessThanOrEqual(200_000);
      expect(kept(sealed)).toBe("hello\n");
    });
  });
}
