import type { DeliveredReport } from "./delivered-report.ts";

/** A section with no more than these many words has nothing in it. */
const SECTION_WORDS_MIN = 10;
/** A longer title is no section anybody asked for. */
const TITLE_CHARS_MAX = 500;

/** What is wrong with the sections a report owes. */
export function sectionProblems(
  required: readonly string[],
  sections: DeliveredReport["sections"],
): string[] {
  return required.flatMap((title) => {
    const same = sections.filter((section) => isSameTitle(title, section.title));
    if (same.length === 0) return [`no ${title} section`];
    const words = Math.max(...same.map((section) => section.words));
    if (words > SECTION_WORDS_MIN) return [];
    return [`${title} has ${words} words, expected more than ${SECTION_WORDS_MIN}`];
  });
}

/**
 * `P1 (Critical)` is also found as `P1` or as `Critical`, and the other way round. Two full titles
 * that share only a part differ: `P3 (Critical)` is not the P1 section.
 */
function isSameTitle(required: string, found: string): boolean {
  if (found.length > TITLE_CHARS_MAX) return false;
  const [a, b] = [fold(required), fold(found)];
  return namesOf(a).includes(b) || namesOf(b).includes(a);
}

function fold(title: string): string {
  const plain = title
    .replaceAll(/[*_`#]/g, " ")
    .trim()
    .replace(/:$/, "");
  return plain.split(/\s+/).join(" ").trim().toLowerCase();
}

function namesOf(title: string): string[] {
  const open = title.indexOf("(");
  if (open <= 0 || !title.endsWith(")")) return [title];
  return [title, title.slice(0, open).trim(), title.slice(open + 1, -1).trim()];
}
