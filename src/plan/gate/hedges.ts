import { ownWords, plainWords } from "./plain-words.ts";

/** Words that may stand inside a phrase without changing what it is. */
const SOFT =
  "(?:(?:just|simply|now|then|still|also|all|mostly|basically|generally|normally|usually|really|quite|very|fully|completely|reasonably|be|to be|to) ){0,3}";

/** What a criterion must not say: the four phrases of LAW 03, and others of their kind. */
export const HEDGES: readonly { readonly phrase: string; readonly pattern: RegExp }[] = [
  hedge("should work", `should ${SOFT}(?:work|function|behave)`),
  hedge("should be fine", `should ${SOFT}(?:fine|ok|okay|good|correct|right|enough|alright)`),
  hedge(
    "appears correct",
    `appears? ${SOFT}(?:correct|right|fine|good|ok|work(?:ing)?|functional|valid|stable|complete)`,
  ),
  hedge(
    "seems functional",
    `seems? ${SOFT}(?:functional|correct|right|fine|good|ok|work(?:ing)?|valid|stable|complete)`,
  ),
  hedge(
    "feels right",
    `feels? ${SOFT}(?:right|correct|good|fine|fast|quick|smooth|natural|responsive|snappy|solid)`,
  ),
  hedge(
    "looks good",
    `looks? ${SOFT}(?:good|right|correct|fine|ok|okay|nice|great|reasonable|complete)`,
  ),
  hedge(
    "make sure it works",
    "(?:make|be) sure (?:that )?(?:it|this|that|everything|things|all) (?:all )?works?",
  ),
  hedge(
    "works as expected",
    "(?:works?|behaves?|functions?|runs?) (?:as|like) (?:expected|intended|it should|designed|desired)",
  ),
  hedge(
    "works properly",
    "works? (?:properly|correctly|well|fine|nicely|smoothly|reliably|ok|okay)",
  ),
  hedge("as expected", "as (?:one )?(?:would )?(?:be )?expected"),
  hedge(
    "probably",
    "(?:probably|presumably|hopefully|supposedly|arguably|ideally|possibly|perhaps|maybe)",
  ),
  hedge("good enough", "(?:good|fast|close|near|clear|safe) enough"),
  hedge(
    "more or less",
    "(?:more or less|roughly|(?:is|are|it|works?|looks?) (?:kind|sort) of|pretty much|about right)",
  ),
  hedge(
    "if possible",
    "(?:if|where|when|wherever|whenever|as far as) (?:at all )?(?:possible|feasible|practical|practicable)",
  ),
  hedge("in most cases", "in (?:most|many|general|normal|typical) cases?"),
  hedge("to the best of", "to the best of"),
];

function hedge(phrase: string, source: string): { phrase: string; pattern: RegExp } {
  // "Appears right of the label" is a place.
  const placed = "(?! (?:of|next|side|below|above|after|before|away|under|aligned) )";
  const pattern = new RegExp(`(?<![p{L}p{N}_])${source}(?![p{L}p{N}_])${placed}`, "u");
  return { phrase, pattern };
}

/** Nearly every text has none of these: they are looked for before sixteen patterns are. */
const HINTS =
  /should|appear|seem|feel|look|sure|work|behav|funct|runs? |expected|[ai]bl[ey]|hopeful|suppos|ideal|perhaps|maybe|enough|more or less|rough|(?:kind|sort) of|pretty much|about right|feasible|practic|cases?\b|best of/;

/** The phrases of a criterion that leave open whether it holds, as the list has them. */
export function findHedges(text: string): string[] {
  const all = bareWords(text);
  if (!HINTS.test(all)) return [];
  const words = bareWords(ownWords(unquotedWords(text)));
  return HEDGES.filter(({ pattern }) => pattern.test(words)).map(({ phrase }) => phrase);
}

/** Single words in quotes: a label is quoted whole, and quotes around a part of a phrase only hide it. */
function unquotedWords(text: string): string {
  return /["'`*_~-]/.test(text) ? text.replaceAll(/(["`*_~]{1,3})(\w+)\1/g, "$2") : text;
}

/** Words without marks of emphasis, with letters of other alphabets that look like ours taken for ours. */
function bareWords(text: string): string {
  const plain = plainWords(text);
  const folded = ALIKE.test(plain)
    ? plain.replaceAll(ALIKES, (letter) => LATIN[FOREIGN.indexOf(letter)] ?? letter)
    : plain;
  return /[*_~-]/.test(folded) ? folded.replaceAll(/[*_~]+/g, "").replaceAll("-", " ") : folded;
}

const FOREIGN = "аеорсухіѕјѵԁһοαενκρτυ";
const LATIN = "aeopcyxisjvdhoaevkptu";
const ALIKE = new RegExp(`[${FOREIGN}]`, "u");
const ALIKES = new RegExp(`[${FOREIGN}]`, "gu");
