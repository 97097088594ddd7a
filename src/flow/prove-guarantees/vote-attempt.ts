import { Bus } from "../talk/bus.ts";
import { enrolAgent } from "../talk/join.ts";
import type { Ballot } from "../vote/cast-vote.ts";
import { proposeCommit } from "../vote/propose-commit.ts";
import type { Ground } from "./ground.ts";
import { type Attempt, fails, holds } from "./guarantee.ts";

/** A critic who made something for once: may it vote on that, too? */
const AUTHOR = { agent: "nia", role: "critic" } as const;
const REVIEWER = { agent: "cleo", role: "critic" } as const;
const BALLOT: Ballot = {
  vote: "green",
  focus: ["src/a.js"],
  rationale: "I read it",
  evidence: ["src/a.js:2"],
};
/** What would have been measured, all of it good: who votes is the question here. */
const MEASURED = {
  spec: { summary: "It was asked for", unmet: [] },
  tests: { passed: 3, failed: 0, coverage: 100 },
  reproducibility: { isSame: true },
  budgets: { overrun: [], measured: ["3 tests in 0.1 s"] },
  licences: { refused: [] },
  docs: { missing: [] },
};

/** The author of a change votes for it. */
export const selfVote: Attempt = {
  name: "a self-vote",
  tried: "a critic votes green on a commit of its own; then another critic does",
  make: async (product, ground) => {
    const { place, trace, source, proposed } = await reviewOf(ground);
    if ("kind" in proposed) return fails(`the proposal is refused: ${proposed.reason}`);
    const id = proposed.completion_id;
    const own = await product.vote({ place, trace, source, author: AUTHOR }, id, BALLOT);
    const other = await product.vote({ place, trace, source, author: REVIEWER }, id, BALLOT);
    if ("kind" in other) return fails(`the reviewer's vote is refused: ${other.reason}`);
    if (!("kind" in own)) return fails("the author's vote was counted");
    return holds(`${own.rule}: ${own.reason}`);
  },
};

/** A commit of the author's that is up for review. */
async function reviewOf(ground: Ground) {
  await ground.commit({ "src/a.js": "const a = 1;\n" });
  await ground.commit({ "src/a.js": "const a = 1;\nconst limit = 5;\n" });
  const place = ground.place();
  const bus = await Bus.begin({ place, task: "limit" });
  try {
    for (const { agent, role } of [AUTHOR, REVIEWER]) await enrolAgent(bus, agent, [role]);
  } finally {
    bus.close();
  }
  const { trace } = bus;
  const source = { repository: ground.project, env: ground.env, signal: ground.signal };
  const about = { scope: [], why: "It was asked for", risks: ["none known"], rollback: "revert" };
  const authors = [{ agent: AUTHOR.agent }];
  const change = { commit: "HEAD", base: "HEAD~1", facts: MEASURED, authors };
  const proposed = await proposeCommit({ place, trace, ...source, ...change, ...about });
  return { place, trace, source, proposed };
}
