/** The sections of an answer to a question about a project, in their order. */
export const ANSWER_SECTIONS = [
  "Knowledge Cutoff",
  "Internal Context (from Project)",
  "Latest Context (from Web)",
  "Reasoned Answer",
  "Next Steps",
] as const;
export type AnswerSection = (typeof ANSWER_SECTIONS)[number];

/** A section as it stands in an answer. */
export interface ReadSection {
  readonly name: AnswerSection;
  readonly lines: readonly string[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** A heading in any of the ways in which agents write one; what is in brackets may be left out. */
const HEADING =
  /^ {0,3}(?:#{1,6} +)?(?:\*\*)?(knowledge cutoff|internal context|latest context|reasoned answer|next steps)(?: \((?:from )?(?:project|web|verbatim)\))?(?:\*\*)?(:?)(?:\*\*)?(.*)$/i;
const MARKED = /^ {0,3}(?:#|\*\*)/;

/**
 * Takes an answer apart. A heading counts only outside of quoted blocks: what is quoted cannot open a
 * section. What stands before the first one belongs to none.
 */
export function readSections(text: string): ReadSection[] {
  const sections: { name: AnswerSection; lines: string[] }[] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const heading = fence === undefined ? headingOf(line) : undefined;
    if (heading !== undefined) sections.push({ name: heading.name, lines: heading.rest });
    else sections.at(-1)?.lines.push(line);
    fence = fenceAfter(line, fence);
  }
  return sections;
}

function headingOf(line: string): { name: AnswerSection; rest: string[] } | undefined {
  const [, words = "", colon = "", rest = ""] = HEADING.exec(line) ?? [];
  const name = ANSWER_SECTIONS.find((one) => one.toLowerCase().startsWith(words.toLowerCase()));
  const isHeading = colon === ":" || (rest.trim() === "" && (MARKED.test(line) || rest === ""));
  if (words === "" || name === undefined || !isHeading) return undefined;
  return { name, rest: rest.trim() === "" ? [] : [rest.trim()] };
}

/** The fence that is open after a line; one is closed by one of its kind that is as long and bare. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, marks, rest = ""] = FENCE.exec(line) ?? [];
  if (marks === undefined) return open;
  if (open === undefined) return marks;
  const isEnd = marks[0] === open[0] && marks.length >= open.length && rest.trim() === "";
  return isEnd ? undefined : open;
}
