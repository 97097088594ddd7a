import { onTestFinished } from "vitest";
import type { TaskDelivery } from "../../../../src/flow/deliver/task/deliver-task.ts";
import { Bus } from "../../../../src/flow/talk/bus.ts";
import { enrolAgent } from "../../../../src/flow/talk/join.ts";
import { castVote } from "../../../../src/flow/vote/cast-vote.ts";
import { proposeCommit } from "../../../../src/flow/vote/propose-commit.ts";
import { CLEO, granted, MEASURED, NIA, OPERATOR, OTTO } from "../../vote/review-scene.ts";
import type { DoneWork } from "./delivery-world.ts";

const signal = new AbortController().signal;

/** What it takes to deliver a work, with nothing sent and nobody waited for. */
export function deliveryOf(done: DoneWork, to: string, token: string): TaskDelivery {
  const { place, repository, path: root, work, home, env } = done;
  return {
    ...{ place, repository, root, work, to, isSent: false, home, signal },
    env: { ...env, SWORN_DELIVER_TOKEN: token },
    onStep: () => {},
    pause: async () => {},
  };
}

/** Three reviewers who had no part in it agree on the commit. */
export async function agreeOn({
  place,
  path,
  env,
  commit,
  start,
}: DoneWork): Promise<{ readonly trace: string; readonly completion: string }> {
  const bus = await Bus.begin({ place, task: "t" });
  onTestFinished(() => bus.close());
  for (const { agent, role } of [CLEO, OTTO, NIA]) await enrolAgent(bus, agent, [role]);
  const source = { repository: path, env, signal };
  const about = {
    scope: [],
    why: "It was asked for",
    risks: ["none known"],
    rollback: "revert it",
  };
  const proposed = granted(
    await proposeCommit({
      ...{ place, trace: bus.trace, ...source, commit, base: start, facts: MEASURED, ...about },
      authors: [{ agent: "nia" }],
    }),
  );
  const ballot = { vote: "green", focus: ["st-01.txt"], rationale: "I read it" } as const;
  for (const author of [CLEO, OTTO, OPERATOR]) {
    const booth = { place, trace: bus.trace, author, source };
    const evidence = ["st-01.txt:1"];
    granted(await castVote(booth, proposed.completion_id, { ...ballot, evidence }));
  }
  return { trace: bus.trace, completion: proposed.completion_id };
}
