import { Repository } from "../../../repo/index.ts";
import type { DoneItem } from "../../../schema/completion.ts";
import type { DoneFacts } from "../../../vote/index.ts";
import { sessionOf } from "../../trace/look.ts";
import { readConfig } from "../../workflow-config.ts";
import { authorsIn, type CommitRequest } from "../propose-commit.ts";
import { budgetFacts } from "./budget-facts.ts";
import { docsFacts } from "./docs-facts.ts";
import { licenceFacts } from "./licence-facts.ts";
import { measureTests } from "./measure-tests.ts";
import { specFacts } from "./spec-facts.ts";

/** A change that is to be measured, and what somebody says of it that cannot be. */
export interface MeasuredChange
  extends Pick<CommitRequest, "place" | "trace" | "repository" | "env" | "signal" | "authors"> {
  readonly task: string | undefined;
  /** Commits, by their ids. */
  readonly before: string;
  readonly after: string;
  readonly requirements: readonly string[];
  /** Why no document had to change. */
  readonly docs: string | undefined;
  readonly onStep: (words: string) => void;
}

/** What {@link CommitRequest} takes of it. */
export type Measured = Required<Pick<CommitRequest, "facts" | "lcov" | "said">> & {
  readonly facts: DoneFacts;
};

/**
 * Finds out what a commit needs to be called done, item by item, by running and looking: nobody's
 * word about it is asked for. What could not be found out says what would make it known.
 */
export async function measureChange(change: MeasuredChange): Promise<Measured> {
  const { place, trace, task, before, after, env, signal, onStep } = change;
  const repository = await Repository.open(change.repository, { env, signal });
  try {
    const { work, runs } = readConfig(repository.root);
    const changed: string[] = [];
    for await (const { path } of repository.changedFiles(before, after)) changed.push(path);
    const range = { repository, before, after, env, signal, changed };
    const tests = await measureTests({ ...range, settings: work, state: place.state, onStep });
    const docs = await docsFacts({ ...range, reason: change.docs });
    const authors = (
      change.authors ?? authorsIn(sessionOf(place, trace).session, place, trace)
    ).map(({ agent }) => agent);
    const { requirements } = change;
    const spec = await specFacts({ ...range, place, trace, task, requirements, authors });
    const licences = await licenceFacts(repository, { commit: after, changed }, runs?.licences);
    const spent = { spend: runs?.spend, tests: tests.spent };
    const budgets = budgetFacts(place, { trace, task }, spent);
    return {
      lcov: tests.lcov,
      facts: together([tests.facts, docs, spec.facts, licences, budgets]),
      said: {
        specLinks: spec.links,
        docs: change.docs === undefined ? [] : [change.docs.slice(0, 4_000)],
        outputs: tests.output === undefined ? [] : [{ name: "tests", text: tests.output }],
      },
    };
  } finally {
    repository.close();
  }
}

/** All facts as one; what one part does not know, another may. */
export function together(parts: readonly DoneFacts[]): DoneFacts {
  const unknown: Partial<Record<DoneItem, string>> = {};
  for (const part of parts) Object.assign(unknown, part.unknown);
  return { ...Object.assign({}, ...parts), unknown };
}
