import { type UntouchedTests, untouchedTests } from "../../claim/index.ts";
import type { Repository, SavedTree } from "../../repo/index.ts";
import { AGENT_TREE } from "../../run/index.ts";
import type { WeakenedTest } from "../../scan/weaken/index.ts";
import type { Verdict } from "../../schema/finding.ts";
import type { SourceTree } from "../../verify/citation/index.ts";
import { judgeKeptTests } from "../ci/judge-change-of-tests.ts";
import { madeUpIn } from "../hook/judge-message.ts";
import { sourceTree } from "../source-tree.ts";
import { weakenedBetween } from "../weakened-between.ts";

const VERDICTS = {
  confirmed: "CONFIRMED",
  refuted: "HALLUCINATED",
  unverified: "UNVERIFIED",
} as const;

/** What an agent says that the source shows, or the change itself. */
export interface JudgedWords {
  readonly claim: { readonly kind: "source" | "kept-tests"; readonly text: string };
  readonly verdict: Verdict;
  readonly reason: string;
}

/** A run's words, and the change that it made. */
export interface SpokenRun {
  readonly text: string;
  readonly repository: Repository;
  readonly base: string;
  readonly saved: SavedTree;
}

/** What a run took away from the tests, where it changed anything. */
export async function weakenedTests({ repository, base, saved }: SpokenRun) {
  if (saved.changed.length === 0) return [];
  return weakenedBetween(repository, base, saved.commit);
}

/**
 * Holds places, quotations and findings of an agent's answer against the source as it is and as it was, and
 * what it says of the tests that were there against its change. Only what is made up of the source is told.
 */
export async function judgeWords(
  run: SpokenRun,
  weakened: readonly WeakenedTest[],
): Promise<JudgedWords[]> {
  const { repository, base, saved } = run;
  // An agent calls files what they are called inside.
  const text = run.text.replaceAll(`${AGENT_TREE}/`, "");
  // Nothing is said of the source, so nobody lists it.
  if (text.trim() === "") return [];
  const blobs = repository.openBlobs();
  try {
    const trees: SourceTree[] = [];
    for (const commit of new Set([saved.commit, base])) {
      trees.push(await sourceTree(repository, blobs, commit));
    }
    const [now, before = now] = trees;
    const madeUp = await madeUpIn(text, trees);
    const judged: JudgedWords[] = madeUp.map((words) => {
      const at = words.indexOf(": ");
      const claim = { kind: "source" as const, text: words.slice(0, at) };
      return { claim, verdict: "HALLUCINATED", reason: words.slice(at + 2) };
    });
    const sides = [now, before].filter((tree) => tree !== undefined);
    for (const said of untouchedTests(text)) {
      judged.push(await judgeKept(said, { run, weakened, trees: sides }));
    }
    return judged;
  } finally {
    await blobs.close();
  }
}

async function judgeKept(
  said: UntouchedTests,
  known: {
    readonly run: SpokenRun;
    readonly weakened: readonly WeakenedTest[];
    readonly trees: readonly SourceTree[];
  },
): Promise<JudgedWords> {
  const { run, weakened, trees } = known;
  const { changed } = run.saved;
  const isWeakened = weakened.length > 0;
  const { verdict, why } = await judgeKeptTests(said, {
    trees,
    changed: [...changed],
    weakened,
    isWeakened,
  });
  return {
    claim: { kind: "kept-tests", text: said.text },
    verdict: VERDICTS[verdict],
    reason: why,
  };
}
