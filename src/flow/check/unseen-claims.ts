import {
  addedTests,
  keptFiles,
  type ParsedReport,
  partDeeds,
  type SaidWork,
  saidWork,
  saysNothing,
  untouchedTests,
} from "../../claim/index.ts";
import type { Verdict } from "../../schema/finding.ts";

const CLAIMS_MAX = 100;
const TEXT_CHARS_MAX = 300;
const UNSEEN = "nothing was seen running: nobody watched whoever wrote this";
const NOT_LOOKED_AT =
  "what was changed is not looked at here, where a report is held against one commit";
/** Said of the whole, which is a report of work wherever it stands. */
const OF_ALL = /\b(?:all|every|entire|whole|full)\b/i;

const OF_A_CHANGE = /^(?:commit|push|pull request|tag|dependencies|scope|size)$/;

/** Something that a report says was run or changed, which no source can bear out. */
export interface UnseenClaim {
  readonly text: string;
  readonly verdict: Extract<Verdict, "UNVERIFIED">;
  readonly reason: string;
}

/**
 * What the prose of a report says was run: that tests pass, or that a command ran; of an answer that is no
 * review also what it says was changed. It is not known, and
 * must not pass by in silence. In a finding that is about a test, "it passes" is what is wrong with it,
 * and is judged with the finding; that all pass is claimed there too.
 */
export function unseenClaims({ format, findings }: ParsedReport, text: string): UnseenClaim[] {
  // The other formats have no place for prose but the findings themselves.
  if (format !== "markdown") return [];
  const own = findings.map(({ title, issue = "", fix = "" }) => ({
    title: wordsOf(title),
    prose: wordsOf(`${issue} ${fix}`),
  }));
  const isFindings = (sentence: string) =>
    own.some(({ title, prose }) => sentence.includes(title) || prose.includes(sentence));
  // What a change does is what reviewers speak of; what is no review is somebody's word about work of their own.
  const isAnswer = findings.length === 0 && !saysNothing(text);
  const claimed = saidWork(text).filter((said) => {
    if (isOfChange(said)) return isAnswer;
    const isOfAll = said.kind === "tests" && (said.count !== undefined || OF_ALL.test(said.text));
    return isOfAll || !isFindings(wordsOf(said.text));
  });
  const ofContent = isAnswer
    ? [...addedTests(text), ...untouchedTests(text), ...keptFiles(text), ...partDeeds(text)]
    : [];
  const reasons = new Map([
    ...ofContent.map((said) => [shown(said), NOT_LOOKED_AT] as const),
    ...claimed.map((said) => [shown(said), isOfChange(said) ? NOT_LOOKED_AT : UNSEEN] as const),
  ]);
  return [...reasons]
    .slice(0, CLAIMS_MAX)
    .map(([said, reason]) => ({ text: said, verdict: "UNVERIFIED", reason }));
}

const shown = ({ text }: { readonly text: string }): string =>
  text.slice(0, TEXT_CHARS_MAX).toWellFormed();

const isOfChange = (said: SaidWork): boolean =>
  said.kind === "file" || (said.kind === "check" && OF_A_CHANGE.test(said.check));

const wordsOf = (text: string): string => text.replace(/\s+/g, " ").trim();
