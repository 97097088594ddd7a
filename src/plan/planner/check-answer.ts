import {
  AREAS,
  type ComparisonAnswer,
  type Draft,
  type FactsAnswer,
  type QuestionsAnswer,
  type SweepAnswer,
} from "./answer-shapes.ts";
import { CRITIQUE_KINDS } from "./step.ts";
import type { KnownTask, OpenQuestion } from "./step-prompts.ts";

const QUOTE_CHARS_MIN = 8;

/** What is wrong with an answer of the right shape, one sentence each; empty when nothing is. */
type Wrong = readonly string[];

/** Files that nobody could have read were made up. */
export function checkFacts(
  { files_read, findings, premise }: FactsAnswer,
  isFile: (path: string) => boolean,
): Wrong {
  const madeUp = files_read.filter((path) => !isFile(plainPath(path)));
  const unseen = findings.filter(({ evidence }) => !namesOne(evidence, isFile));
  return [
    ...madeUp.map((path) => `${JSON.stringify(path)} is no file of the project at this commit`),
    ...unseen.map(
      ({ evidence }) => `the evidence ${JSON.stringify(evidence)} names no file of the project`,
    ),
    ...(premise !== "UNVERIFIED" && files_read.length === 0
      ? [`premise is ${premise} and no file was read: read some, or say UNVERIFIED`]
      : []),
  ];
}

/** Whether a text names something that exists, with or without a line behind it. */
export function namesOne(text: string, exists: (name: string) => boolean): boolean {
  return text.split(/[\s,;()[\]`'"]+/).some((word) => word !== "" && exists(plainPath(word)));
}

function plainPath(path: string): string {
  return path
    .trim()
    .replace(/^\.\//, "")
    .replace(/(?::\d+(?:-\d+)?|\.)$/, "");
}

/** Every place is there, and what is said to be stated stands somewhere. */
export function checkSweep({ areas }: SweepAnswer, known: KnownTask, facts: FactsAnswer): Wrong {
  const missing = AREAS.filter((area) => !areas.some((one) => one.area === area));
  const said = plain(
    [
      known.request,
      known.brief ?? "",
      ...known.answers.flatMap(({ question, answer }) => [question, answer]),
      ...facts.findings.map(({ statement }) => statement),
    ].join("\n"),
  );
  return [
    ...missing.map((area) => `the area ${area} is missing: settle it, ask, or assume`),
    ...areas.flatMap((one) =>
      one.outcome === "stated" && !isQuoted(said, plain(one.quote))
        ? [`${one.area}: nobody said ${JSON.stringify(one.quote)}: quote letter by letter, or ask`]
        : [],
    ),
  ];
}

/** A word or two stand everywhere, and settle nothing. */
function isQuoted(said: string, quote: string): boolean {
  return quote.length >= QUOTE_CHARS_MIN && said.includes(quote);
}

/** White space apart, so that a quotation over a line break is still one. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** All five kinds are put, and none gives the plan away. */
export function checkQuestions({ questions }: QuestionsAnswer): Wrong {
  const missing = CRITIQUE_KINDS.filter((kind) => !questions.some((one) => one.kind === kind));
  return [
    ...missing.map((kind) => `no question is of kind ${kind}`),
    ...questions.flatMap(({ question }, at) =>
      /\bST-[0-9]{2,4}\b/.test(question)
        ? [`question ${at + 1} names a subtask, which whoever answers must not know of`]
        : [],
    ),
  ];
}

/** Each question is compared, once. */
export function checkComparison({ comparisons }: ComparisonAnswer, count: number): Wrong {
  const numbers = comparisons.map(({ question }) => question);
  const expected = Array.from({ length: count }, (_, at) => at + 1);
  return [
    ...expected
      .filter((number) => numbers.filter((one) => one === number).length !== 1)
      .map((number) => `question ${number} has to be compared once`),
    ...numbers
      .filter((number) => number > count)
      .map((number) => `there is no question ${number}: there are ${count}`),
  ];
}

/** What holds for a draft before the gate looks at the plan that is made of it. */
export function checkDraft(draft: Draft, open: readonly OpenQuestion[]): Wrong {
  const ids = new Set(draft.subtasks.map(({ id }) => id));
  const asked = new Set(open.map(({ id }) => id));
  return [
    ...Object.entries(draft.blocks).flatMap(([question, subtask]) => [
      ...(asked.has(question) ? [] : [`blocks.${question}: no such question is open`]),
      ...(ids.has(subtask) ? [] : [`blocks.${question}: there is no subtask ${subtask}`]),
    ]),
    ...draft.subtasks.flatMap(({ id, name, instruction }) =>
      [name, instruction].some(hasCode)
        ? [
            `${id}: it holds implementation code; say what is to be true, and let the worker write it`,
          ]
        : [],
    ),
    ...[draft.verimapped_task, draft.negative_contract].flatMap((text) =>
      hasCode(text) ? ["the plan holds implementation code; take it out"] : [],
    ),
  ];
}

const LINE_CHARS_MAX = 2_000;
const CODE_LINES_MIN = 2;
const FENCE = /^(?:`{3,}|~{3,})/;
/** What can be nothing but a definition or a patch. */
const CERTAIN =
  /^(?:(?:export|async|public|private|static|default) )*(?:def \w+\(.*\).*:$|def \w+\(.*\): |function\s?\w*\(.*\) ?\{|class \w+.*\{$|fn \w+\(.*\{$|func \w+\(.*\{$)|^diff --git |^@@ -\d/;
/** What is a statement if another one follows. */
const STATEMENT =
  /^(?:(?:const|let|var) \w+ ?=|(?:if|for|while) ?\(.*\) ?\{?$|(?:if|for|while|with) .+:$|return\b.*;$|import .+ from |from \S+ import |#include\b|[\w$.]+\(.*[;)]$|[\w$.[\]]+ [-+*]?= .*;$|[})\]]+;?$)/;

/** Whether a text has code in it: a code block, a patch, a definition, or two statements in a row. */
export function hasCode(text: string): boolean {
  let run = 0;
  for (const line of text.split("\n")) {
    const words = line.slice(0, LINE_CHARS_MAX).trim();
    if (FENCE.test(words) || CERTAIN.test(words)) return true;
    run = STATEMENT.test(words) ? run + 1 : 0;
    if (run >= CODE_LINES_MIN) return true;
  }
  return false;
}
