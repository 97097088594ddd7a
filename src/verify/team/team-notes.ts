import { conflictNotes } from "./conflict-notes.ts";
import type { MergedFinding } from "./merge-findings.ts";
import { hasEvidence } from "./reliability.ts";
import type { ReviewerFindings } from "./reviewer-findings.ts";

/** From this many reviewers on, the same words are a sign of one source and not of agreement. */
const SAME_WORDS_REVIEWERS = 3;
const SILENT_FILES = 10;
const MANY_FINDINGS = 15;
/** Most notes of one kind; a flood of them would hide the others. */
const NOTES_MAX = 100;

/** What a person should know before relying on several reviewers at once. */
export function teamNotes(reviewers: readonly ReviewerFindings[]): string[] {
  return [
    ...sameWordsNotes(reviewers).slice(0, NOTES_MAX),
    ...conflictNotes(reviewers).slice(0, NOTES_MAX),
    ...reviewers.filter(({ kind }) => kind === "agent").flatMap(reviewerNotes),
  ];
}

/** Findings that belong into every summary, however long the list is: P1 findings about security. */
export function summaryFindings(findings: readonly MergedFinding[]): MergedFinding[] {
  return findings.filter(
    ({ finding, sayings }) =>
      finding.priority === "P1" &&
      sayings.some(({ checked }) => checked.finding.id.toUpperCase().startsWith("SEC-")),
  );
}

function sameWordsNotes(reviewers: readonly ReviewerFindings[]): string[] {
  const speakers = new Map<string, { title: string; names: Set<string> }>();
  for (const { name, kind, findings } of reviewers) {
    if (kind === "analyser") continue;
    for (const { finding } of findings) {
      const words = fold(`${finding.title}\n${finding.issue ?? ""}`);
      const same = speakers.get(words) ?? { title: finding.title, names: new Set<string>() };
      speakers.set(words, { ...same, names: same.names.add(name) });
    }
  }
  return [...speakers.values()]
    .filter(({ names }) => names.size >= SAME_WORDS_REVIEWERS)
    .map(
      ({ title, names }) =>
        `${names.size} reviewers use the same words for "${title.slice(0, 100)}" (${[...names].toSorted().join(", ").slice(0, 500)}): they may repeat one source`,
    );
}

const fold = (text: string): string => text.toLowerCase().split(/\s+/).join(" ").trim();

function reviewerNotes({ name, findings, filesGiven, log }: ReviewerFindings): string[] {
  const notes: string[] = [];
  const deleted = log.filter(({ action }) => action === "deleted").length;
  if (deleted * 4 > log.length) {
    notes.push(`${name} took out ${deleted} of ${log.length} findings again, more than 25 %`);
  }
  if (findings.length === 0 && filesGiven >= SILENT_FILES) {
    notes.push(`${name} found nothing in ${filesGiven} files`);
  }
  const backed = findings.filter(hasEvidence).length;
  if (findings.length > MANY_FINDINGS && backed * 100 < findings.length * 70) {
    notes.push(`${name} has ${findings.length} findings, only ${backed} of them with evidence`);
  }
  return notes;
}
