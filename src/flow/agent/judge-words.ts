import { type UntouchedTests, untouchedTests } from "../../claim/index.ts";
import type { Repository, SavedTree } from "../../repo/index.ts";
import { AGENT_TREE } from "../../run/index.ts";
import type { Verdict } from "../../schema/finding.ts";
import type { SourceTree } from "../../verify/citation/index.ts";
import { judgeChangeWords, type SaidOfChange } from "../change/judge-change-words.ts";
import { withSourceTrees } from "../change/source-tree.ts";
import { judgeKeptTests } from "../ci/judge-change-of-tests.ts";
import { madeUpIn } from "../hook/judge-message.ts";
import type { TestsOfRun } from "./tests-of-run.ts";

const VERDICTS = {
  confirmed: "CONFIRMED",
  refuted: "HALLUCINATED",
  unverified: "UNVERIFIED",
} as const;

/** What an agent says that the source shows, or the change itself. */
export interface JudgedWords {
  readonly claim: {
    readonly kind: "source" | "kept-tests" | SaidOfChange["kind"];
    readonly text: string;
  };
  readonly verdict: Verdict;
  readonly reason: string;
}

/** A run's words, and the change that it made. */
export interface SpokenRun {
  readonly text: string;
  readonly repository: Repository;
  readonly base: string;
  readonly saved: SavedTree;
  /** It goes on from other runs, and may speak of what those did. */
  readonly isLater?: boolean;
}

/**
 * Holds places, quotations and findings of an agent's answer against the source as it is and as it was, and
 * what it says of the tests that were there against its change. Only what is made up of the source is told.
 */
export async function judgeWords(run: SpokenRun, tests: TestsOfRun): Promise<JudgedWords[]> {
  const { repository, base, saved } = run;
  // An agent calls files what they are called inside.
  const text = run.text.replaceAll(`${AGENT_TREE}/`, "");
  // Nothing is said of the source, so nobody lists it.
  if (text.trim() === "") return [];
  return withSourceTrees(repository, [saved.commit, base], async (trees) => {
    const madeUp = await madeUpIn(text, trees);
    const judged: JudgedWords[] = madeUp.map((words) => {
      const at = words.indexOf(": ");
      const claim = { kind: "source" as const, text: words.slice(0, at) };
      return { claim, verdict: "HALLUCINATED", reason: words.slice(at + 2) };
    });
    for (const said of untouchedTests(text)) {
      judged.push(await judgeKept(said, { run, tests, trees }));
    }
    const seen = { trees, changed: [...saved.changed] };
    const ofChange = await judgeChangeWords(text, seen, tests.files);
    return [...judged, ...ofChange.map((one) => toWords(one, run))];
  });
}

/** What an earlier run did is not in this one's change. */
function toWords({ kind, text, verdict, why }: SaidOfChange, { isLater }: SpokenRun): JudgedWords {
  const isOpen = verdict === "refuted" && isLater === true;
  const found = isOpen ? "unverified" : verdict;
  const reason = isOpen ? `${why} in this run; what earlier ones did was not looked at` : why;
  return { claim: { kind, text }, verdict: VERDICTS[found], reason };
}

async function judgeKept(
  said: UntouchedTests,
  known: {
    readonly run: SpokenRun;
    readonly tests: TestsOfRun;
    readonly trees: readonly SourceTree[];
  },
): Promise<JudgedWords> {
  const { run, tests, trees } = known;
  const changed = [...run.saved.changed];
  const isWeakened = tests.weakened.length > 0;
  const { verdict, why } = await judgeKeptTests(said, { trees, changed, ...tests, isWeakened });
  return {
    claim: { kind: "kept-tests", text: said.text },
    verdict: VERDICTS[verdict],
    reason: why,
  };
}
