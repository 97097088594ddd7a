import { foldAlike, isAscii } from "../../base/index.ts";
import { ownWords, plainWords } from "./plain-words.ts";

/** Words that may stand inside a phrase without changing what it is. */
const SOFT =
  "(?:(?:just|simply|now|then|still|also|all|mostly|basically|generally|normally|usually|really|quite|very|fully|completely|reasonably|be|to be|to|in principle|in theory|in practice|we think|i think|we hope) ){0,3}";
const WORK = "(?:work|function|behave)(?:s|ing)?";

/** What a criterion must not say: the four phrases of LAW 03, and others of their kind. */
export const HEDGES: readonly { readonly phrase: string; readonly pattern: RegExp }[] = [
  hedge("should work", `(?:should|ought to) ${SOFT}${WORK}`),
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
  hedge(
    "as expected",
    "as (?:(?:one|you|we) )?(?:(?:would|might|could|may) )?(?:be )?(?:expect(?:ed)?|hoped?)",
  ),
  hedge(
    "probably",
    "(?:probably|presumably|hopefully|supposedly|arguably|ideally|possibly|perhaps|maybe|apparently|seemingly|typically|(?:most |quite |very )?likely|in (?:theory|principle))",
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
  hedge("may or may not", "(?:may|might|can|could) or (?:may|might|can|could) not"),
  hedge(
    "or something similar",
    "or (?:something|anything|someone) (?:similar|else|like (?:it|that|this)|of the (?:kind|sort))",
  ),
];

function hedge(phrase: string, source: string): { phrase: string; pattern: RegExp } {
  // "Appears right of the label" is a place.
  const placed = "(?! (?:of|next|side|below|above|after|before|away|under|aligned) )";
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${source}(?![\\p{L}\\p{N}_])${placed}`, "u");
  return { phrase, pattern };
}

/** Nearly every text has none of these: they are looked for before sixteen patterns are. */
const HINTS =
  /should|ought|appear|seem|feel|look|sure|work|behav|funct|runs? |expect|hope|[ai]bl[ey]|likely|typical|theory|principle|or (?:may|might|can|could|some|any)|hopeful|suppos|ideal|perhaps|maybe|enough|more or less|rough|(?:kind|sort) of|pretty much|about right|feasible|practic|cases?\b|best of/;

/** The phrases of a criterion that leave open whether it holds, as the list has them. */
export function findHedges(text: string): string[] {
  const all = bareWords(text);
  if (!HINTS.test(all)) return [];
  const words = bareWords(ownWords(unquotedWords(text)));
  return HEDGES.filter(({ pattern }) => pattern.test(words)).map(({ phrase }) => phrase);
}

/** Single words in quotes: a label is quoted whole, and quotes around a part of a phrase only hide it. */
function unquotedWords(text: string): string {
  return /["'`*_~-]/.test(text)
    ? text.replaceAll(/(?<![\p{L}\p{N}])(["'`*_~]{1,3})(\w+)\1(?![\p{L}\p{N}])/gu, "$2")
    : text;
}

/** Words alone: without marks, accents and signs between letters, and with look-alikes taken for what they look like. */
function bareWords(text: string): string {
  const plain = plainWords(text);
  if (/^[a-z ]*$/.test(plain)) return plain;
  const latin = isAscii(plain)
    ? plain
    : foldAlike(plain.normalize("NFKD").replaceAll(/\p{M}/gu, ""));
  return latin
    .replaceAll(/[*_~]+/g, "")
    .replaceAll(/[-.,;:/|()][-.,;:/|() ]*| [-.,;:/|() ]+/g, " ")
    .replaceAll(/(?<![a-z0-9])[a-z](?: [a-z]){3,}(?![a-z0-9])/g, (letters) =>
      letters.replaceAll(" ", ""),
    )
    .replaceAll(/[0135](?=[a-z])/g, (digit, at: number, all: string) =>
      standsForLetter(digit, all.slice(Math.max(0, at - 2), at), all.slice(at + 1, at + 3))
        ? (DIGITS[digit] ?? digit)
        : digit,
    );
}

/** Whether letters stand around a figure before a letter: `w0rk`, `sh0uld`, `1ooks`; not `v1`, `h1` or `utf8`. */
function standsForLetter(digit: string, before: string, after: string): boolean {
  if (/^[a-z]{2}/.test(after)) return true;
  return /[a-z]{2}$/.test(before) || (digit === "0" && /[a-z]$/.test(before));
}

/** Figures that are written for letters. */
const DIGITS: Readonly<Record<string, string>> = { "0": "o", "1": "l", "3": "e", "5": "s" };
