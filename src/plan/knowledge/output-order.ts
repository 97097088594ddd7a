import { ANSWER_SECTIONS, type AnswerSection, readSections } from "./answer-sections.ts";

/** Longer answers are not looked at, and count as wrong. */
const ANSWER_CHARS_MAX = 1 << 20;
const NEEDED: readonly AnswerSection[] = ANSWER_SECTIONS.filter(
  (name) => name !== "Latest Context (from Web)",
);
const BULLET = /^ {0,3}[-*+] /;
const DATE = /\b(\d{4})-(\d{2})(?:-\d{2})?\b/;
const LINK = /https?:\/\/[^\s<>")\]]{4,}/;
const NOTHING = /^(?:nothing is recorded|none)\.?$/i;

/** What an answer is held against. */
export interface OrderOptions {
  /** Whether it is the first reply: only that one states the cutoff. */
  readonly isFirst?: boolean;
  /** The internal context that the agent was given; its quotation must be word for word. */
  readonly given?: string | undefined;
}

/**
 * Checks the order of an answer to a question about a project: cutoff, internal context word for
 * word, what the web says with dates and links, the answer with what it rests on, next steps. It
 * looks at the form and at quotations; whether the answer is right it does not know.
 *
 * @returns what is wrong, in words; empty when nothing is.
 */
export function checkOutputOrder(text: string, options: OrderOptions = {}): string[] {
  if (text.length > ANSWER_CHARS_MAX) {
    return [`the answer has ${text.length} characters, expected at most ${ANSWER_CHARS_MAX}`];
  }
  const { isFirst = true, given } = options;
  const sections = readSections(text);
  const found = new Map(sections.toReversed().map(({ name, lines }) => [name, lines]));
  const names = sections.map(({ name }) => name);
  return [
    ...orderProblems(names, isFirst),
    ...cutoffProblems(found.get("Knowledge Cutoff")),
    ...internalProblems(found.get("Internal Context (from Project)"), given),
    ...webProblems(found.get("Latest Context (from Web)"), found.get("Knowledge Cutoff")),
    ...answerProblems(found.get("Reasoned Answer"), names.includes("Latest Context (from Web)")),
    ...emptyProblem("Next Steps", found.get("Next Steps")),
  ];
}

function orderProblems(names: readonly AnswerSection[], isFirst: boolean): string[] {
  const needed = isFirst ? NEEDED : NEEDED.filter((name) => name !== "Knowledge Cutoff");
  const missing = needed.filter((name) => !names.includes(name));
  const again = names.filter((name, at) => names.indexOf(name) !== at);
  const places = names.map((name) => ANSWER_SECTIONS.indexOf(name));
  const early = names.filter((_, at) => at > 0 && (places[at] ?? 0) < (places[at - 1] ?? 0));
  const isRepeated = !isFirst && names.includes("Knowledge Cutoff");
  return [
    ...missing.map((name) => `there is no section "${name}"`),
    ...again.map((name) => `the section "${name}" is there more than once`),
    ...early.map((name) => `the section "${name}" stands too late, after one that follows it`),
    ...(isRepeated ? ["the cutoff is stated again: only the first reply states it"] : []),
  ];
}

const said = (lines: readonly string[]): string[] => lines.filter((line) => line.trim() !== "");

function cutoffProblems(lines: readonly string[] | undefined): string[] {
  if (lines === undefined || said(lines).length === 1) return [];
  return [`the cutoff takes one line, found ${said(lines).length}`];
}

/** Every line of it must be one of what was given, in the same order: leaving out is no retelling. */
function internalProblems(lines: readonly string[] | undefined, given: string | undefined) {
  if (lines === undefined || given === undefined) return [];
  const quoted = said(lines).map((line) => line.trimEnd());
  const source = said(given.split(/\r?\n/)).map((line) => line.trimEnd());
  if (quoted.length === 0) return ["the internal context is empty: expected what was given"];
  let from = 0;
  for (const line of quoted) {
    const at = source.indexOf(line, from);
    if (at < 0 && !(quoted.length === 1 && source.length === 0 && NOTHING.test(line))) {
      return [`the internal context is not word for word: ${JSON.stringify(line.slice(0, 200))}`];
    }
    from = at + 1;
  }
  return [];
}

function webProblems(lines: readonly string[] | undefined, cutoff: readonly string[] | undefined) {
  if (lines === undefined) return [];
  const bullets = said(lines).filter((line) => BULLET.test(line));
  const known = DATE.exec(said(cutoff ?? [])[0] ?? "")?.[0].slice(0, 7);
  const bare = bullets.filter((line) => !DATE.test(line.replace(LINK, "")) || !LINK.test(line));
  const old = bullets.filter((line) => {
    const month = DATE.exec(line.replace(LINK, ""))?.[0].slice(0, 7);
    return known !== undefined && month !== undefined && month < known;
  });
  return [
    ...(bullets.length === 0 ? ["what is from the web stands in a list, found none"] : []),
    ...bare.map((line) => `from the web without a date or a link: ${line.trim().slice(0, 200)}`),
    ...old.map((line) => `from the web, and older than the cutoff: ${line.trim().slice(0, 200)}`),
  ];
}

function answerProblems(lines: readonly string[] | undefined, hasWeb: boolean): string[] {
  if (lines === undefined) return [];
  const text = lines.join("\n").toLowerCase();
  if (text.trim() === "") return emptyProblem("Reasoned Answer", lines);
  const isCiting = ["internal context", "latest context", "ucxl://"].some((one) =>
    text.includes(one),
  );
  return [
    ...(isCiting ? [] : ["the answer does not say which section it rests on"]),
    ...(text.includes("training") ? [] : ["the answer does not say what is from training"]),
    ...(hasWeb && !text.includes("web") ? ["the answer does not say what is from the web"] : []),
  ];
}

function emptyProblem(name: AnswerSection, lines: readonly string[] | undefined): string[] {
  return lines === undefined || said(lines).length > 0 ? [] : [`the section "${name}" is empty`];
}
