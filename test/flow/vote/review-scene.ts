import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Place } from "../../../src/flow/place.ts";
import { type Author, Bus, OPERATOR, RUNTIME } from "../../../src/flow/talk/bus.ts";
import { enrolAgent } from "../../../src/flow/talk/join.ts";
import { type Ballot, type Cast, castVote } from "../../../src/flow/vote/cast-vote.ts";
import { type CommitRequest, proposeCommit } from "../../../src/flow/vote/propose-commit.ts";
import type { Proposed } from "../../../src/flow/vote/propose-completion.ts";
import type { Refusal } from "../../../src/view/index.ts";
import type { DoneFacts } from "../../../src/vote/index.ts";
import { GitFolder } from "../../repo/git-folder.ts";

export const CLEO: Author = { agent: "cleo", role: "critic" };
export const OTTO: Author = { agent: "otto", role: "auditor" };
export const NIA: Author = { agent: "nia", role: "executor" };
export { OPERATOR, RUNTIME };

const RUN = "20260101-0000000000-1";

/** What the runner writes about the run of a worker: the model behind it. */
export function writeModel(place: Place, backend_model: string): void {
  const folder = join(place.talkFolder("limit"), "runs", RUN);
  mkdirSync(folder, { recursive: true });
  const at = "2026-01-01T00:00:00.000Z";
  const info = {
    ...{ version: 1, run_id: RUN, project_id: "p", task_id: "limit", parent_run_id: null },
    ...{ previous_run_id: null, depth: 0, agent: NIA.agent, pid: 1, pgid: 1, start_time: at },
    ...{ end_time: at, exit_code: 0, status: "completed", cwd: "/w", prompt_path: "/w/p" },
    ...{ output_path: "/w/o", output_origin: "agent", stdout_path: "/w/1", stderr_path: "/w/2" },
    ...{ process_ownership: "managed", backend_model },
  };
  writeFileSync(join(folder, "run-info.yaml"), JSON.stringify(info));
}

/** What the rest of the runtime found out, all of it good. */
export const MEASURED: DoneFacts = {
  spec: { summary: "It was asked for", unmet: [] },
  tests: { passed: 3, failed: 0, coverage: 100 },
  reproducibility: { isSame: true },
  budgets: { overrun: [], measured: ["3 tests in 0.1 s"] },
  licences: { refused: [] },
  docs: { missing: [] },
};

/** A task whose worker nia committed something, with reviewers cleo and otto. */
export async function reviewScene(nowMs: () => number = Date.now) {
  const git = new GitFolder();
  const base = git.commit({ "src/a.js": "const a = 1;\n" });
  const commit = git.commit({ "src/a.js": "const a = 1;\nconst limit = 5;\n" });
  const place = new Place({
    store: join(git.path, ".sworn"),
    state: join(git.home, "state"),
    clock: nowMs,
  });
  const bus = await Bus.begin({ place, task: "limit" });
  onTestFinished(() => bus.close());
  for (const { agent, role } of [CLEO, OTTO, NIA]) await enrolAgent(bus, agent, [role]);
  await bus.record({
    actor: { agent: RUNTIME.agent, role: "runtime" },
    type: "run_started",
    body: { run_id: RUN, agent: NIA.agent, depth: 0 },
  });
  const { signal } = new AbortController();
  const source = { repository: git.path, env: git.env, signal };
  const scene = { git, place, bus, base, commit, source, trace: bus.trace };
  return {
    ...scene,
    propose: (more: Partial<CommitRequest> = {}) =>
      proposeCommit({
        ...{ place, trace: bus.trace, ...source, commit, base, facts: MEASURED },
        ...{ scope: [], why: "It was asked for", risks: ["none known"], rollback: "revert it" },
        ...more,
      }),
    vote: (author: Author, id: string, colour: Ballot["vote"], more: Partial<Ballot> = {}) =>
      castVote({ place, trace: bus.trace, author, source }, id, {
        vote: colour,
        focus: ["src/a.js"],
        rationale: "I read it",
        evidence: ["src/a.js:2"],
        ...(colour === "yellow"
          ? { mitigations: [{ action: "Say why 5", owner: "nia", deadline: "2030-01-01" }] }
          : {}),
        ...(colour === "red" ? { fix: "Take 4" } : {}),
        ...(author.role === "runtime" ? { check: "tests" } : {}),
        ...more,
      }),
  };
}

/** What is not refused. */
export function granted<T extends Proposed | Cast | object>(answer: T | Refusal): T {
  if ("kind" in answer && answer.kind === "refused") throw new Error(`refused: ${answer.reason}`);
  return answer as T;
}

/** The rule and the reason of what is. */
export function refusedBy(answer: object): string {
  if ("rule" in answer && "reason" in answer) return `${answer.rule}: ${answer.reason}`;
  throw new Error(`not refused: ${JSON.stringify(answer)}`);
}
