import { messageOf } from "../../base/index.ts";
import { parseReport, type SaidWork, saidWork } from "../../claim/index.ts";
import type { Finding, JudgedFinding } from "../../schema/finding.ts";
import { CitationChecker, type SourceTree } from "../../verify/citation/index.ts";
import { missingPlaces } from "./cited-places.ts";

const MESSAGE_CHARS_MAX = 1_000_000;
const SHOWN_CHARS_MAX = 200;

/** What came of an agent's words. */
export interface Heard {
  /** Found to be otherwise. */
  readonly refuted: readonly string[];
  /** Said, and shown by nothing. */
  readonly unverified: readonly string[];
}

/** What is known of the work that is spoken of. */
export interface Known {
  /** The source as it is and as it was: what one of them has is not made up. */
  readonly trees: readonly SourceTree[];
  /** The folder that the message was written in, below the top of the tree. */
  readonly under: string;
  /** What else it says, where such messages have a way of their own to say it. */
  readonly alsoSaid?: readonly SaidWork[];
  /** Holds one report of work against what is known; undefined when nothing is wrong with it. */
  judge(said: SaidWork): JudgedOne | Promise<JudgedOne>;
}

type JudgedOne = { readonly isRefuted: boolean; readonly why: string } | undefined;

/** Whether a name says where the file is: a bare one may be in a place that is nobody's business here. */
export const isPlaced = (path: string): boolean => path.includes("/");

/**
 * Holds what an agent says against the source and against what is known of its work. What is refuted counts
 * where its findings cannot be read: a text that nobody can read would otherwise carry any other past.
 *
 * @throws whatever kept its findings from being read, where nothing else is refuted
 */
export async function judgeMessage(message: string, known: Known): Promise<Heard> {
  const text = message.slice(0, MESSAGE_CHARS_MAX);
  const unverified: string[] = [];
  let unread: unknown;
  const findings = await madeUpFindings(text, known.trees).catch((error: unknown) => {
    unread = error;
    unverified.push(`its findings were not read: ${messageOf(error)}`);
    return [];
  });
  const refuted = [...findings, ...(await missingPlaces(text, known.trees, known.under))];
  for (const said of [...saidWork(text), ...(known.alsoSaid ?? [])]) {
    const judged = await known.judge(said);
    if (judged === undefined) continue;
    const words = `"${said.text.slice(0, SHOWN_CHARS_MAX)}": ${judged.why}`;
    (judged.isRefuted ? refuted : unverified).push(words);
  }
  if (unread !== undefined && refuted.length === 0) throw unread;
  return { refuted: unique(refuted), unverified: unique(unverified) };
}

/** Findings, quotations and places of a message that no tree has, each with the reason behind a colon. */
export async function madeUpIn(
  message: string,
  trees: readonly SourceTree[],
  under = "",
): Promise<string[]> {
  const text = message.slice(0, MESSAGE_CHARS_MAX);
  return [...(await madeUpFindings(text, trees)), ...(await missingPlaces(text, trees, under))];
}

/** A finding is made up when neither tree has what it points at. */
async function madeUpFindings(text: string, trees: readonly SourceTree[]): Promise<string[]> {
  const findings = findingsIn(text);
  if (findings.length === 0) return [];
  const judged: JudgedFinding[][] = [];
  for (const tree of trees) judged.push(await new CitationChecker(tree).checkAll(findings));
  return findings.flatMap(({ id, title }, at) => {
    const each = judged.map((answers) => answers[at]);
    if (!each.every((one) => one?.verdict === "HALLUCINATED")) return [];
    return [`${id} ${title.slice(0, SHOWN_CHARS_MAX)}: ${each[0]?.reason ?? ""}`];
  });
}

function findingsIn(text: string): readonly Finding[] {
  if (text.includes("\0")) return [];
  return parseReport(text, { path: "the message", format: "markdown" }).findings;
}

const unique = (words: readonly string[]): string[] => [...new Set(words)];
