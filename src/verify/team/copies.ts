import type { CheckedFinding } from "../../schema/finding.ts";
import type { ReviewerFindings } from "./reviewer-findings.ts";

/** Two people who see the same thing share words, but hardly a run of words in three. */
const SAME_PERCENT = 60;
/** Runs of this many words are compared. */
const RUN_WORDS = 3;
/** Below this many runs only the whole tells: titles are short, and much alike. */
const RUNS_MIN = 12;
const WORDS_MAX = 50_000;

/** Reviewers with those who repeat another one counted as one with it, and what a person should know. */
export interface WithoutCopies {
  readonly reviewers: readonly ReviewerFindings[];
  readonly notes: readonly string[];
}

/**
 * Finds agents whose words are another agent's. Somebody who hands one report in twice, or has it
 * reworded a little, must not be borne out by it: a copy is of its original's family.
 */
export function withoutCopies(reviewers: readonly ReviewerFindings[]): WithoutCopies {
  const heard: { readonly name: string; readonly family: string; readonly said: Said }[] = [];
  const notes: string[] = [];
  const all = reviewers.map((reviewer) => {
    if (reviewer.kind === "analyser" || reviewer.findings.length === 0) return reviewer;
    const said = saidBy(reviewer.findings);
    for (const { name, family, said: earlier } of heard) {
      const percent = samePercent(said, earlier);
      if (percent < SAME_PERCENT) continue;
      notes.push(
        `${reviewer.name} repeats ${name}: ${percent} % of its words are the same, so both count as one reviewer`,
      );
      return { ...reviewer, family };
    }
    heard.push({ name: reviewer.name, family: reviewer.family, said });
    return reviewer;
  });
  return { reviewers: all, notes };
}

interface Said {
  readonly runs: ReadonlySet<string>;
  readonly whole: string;
}

/** The words about the findings. What is quoted is the source's, and rightly the same. */
function saidBy(findings: readonly CheckedFinding[]): Said {
  const texts = findings.map(({ finding: { title, issue = "", fix = "" } }) =>
    wordsOf(`${title} ${issue} ${fix}`),
  );
  const words = texts.flat().slice(0, WORDS_MAX);
  const runs = new Set<string>();
  for (let at = 0; at + RUN_WORDS <= words.length; at += 1) {
    runs.add(words.slice(at, at + RUN_WORDS).join(" "));
  }
  return {
    runs,
    whole: texts
      .map((text) => text.join(" "))
      .toSorted()
      .join("\n"),
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** How much of the shorter one is in the other: who adds a few findings has copied all the same. */
function samePercent(a: Said, b: Said): number {
  if (a.whole === b.whole) return 100;
  const [short, long] = a.runs.size <= b.runs.size ? [a.runs, b.runs] : [b.runs, a.runs];
  if (short.size < RUNS_MIN) return 0;
  const same = [...short].filter((run) => long.has(run)).length;
  return Math.floor((same * 100) / short.size);
}
