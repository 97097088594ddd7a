import { type ParsedReport, saidWork } from "../claim/index.ts";
import type { Verdict } from "../schema/finding.ts";

const CLAIMS_MAX = 100;
const TEXT_CHARS_MAX = 300;
const UNSEEN = "nothing was seen running: nobody watched whoever wrote this";
/** Said of the whole, which is a report of work wherever it stands. */
const OF_ALL = /\b(?:all|every|entire|whole|full)\b/i;

const OF_A_CHANGE = /^(?:commit|dependencies|scope|size)$/;

/** Something that a report says was run, which no source can bear out. */
export interface UnseenClaim {
  readonly text: string;
  readonly verdict: Extract<Verdict, "UNVERIFIED">;
  readonly reason: string;
}

/**
 * What the prose of a report says was run: that tests pass, or that a command ran. It is not known, and
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
  const claimed = saidWork(text).filter((said) => {
    // What a change does is what reviewers speak of, too.
    if (said.kind === "file" || OF_A_CHANGE.test(said.kind === "check" ? said.check : "")) {
      return false;
    }
    const isOfAll = said.kind === "tests" && (said.count !== undefined || OF_ALL.test(said.text));
    return isOfAll || !isFindings(wordsOf(said.text));
  });
  const words = new Set(claimed.map((said) => said.text.slice(0, TEXT_CHARS_MAX).toWellFormed()));
  return [...words]
    .slice(0, CLAIMS_MAX)
    .map((one) => ({ text: one, verdict: "UNVERIFIED", reason: UNSEEN }));
}

const wordsOf = (text: string): string => text.replace(/\s+/g, " ").trim();
