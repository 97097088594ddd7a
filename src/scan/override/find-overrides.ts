import { foldAlike, isAscii } from "../../base/index.ts";

/** A place where a text tries to tell its reader what to do, or who it is. */
export interface OverrideHit {
  /** From 1. */
  readonly line: number;
  /** The words, cut and on one line. */
  readonly words: string;
  readonly why: string;
}

const TEXT_CHARS_MAX = 1 << 20;
const LINE_CHARS_MAX = 2_000;
/** More than the longest thing that a pattern finds. */
const OVERLAP_CHARS = 400;
const STEP_CHARS = LINE_CHARS_MAX - OVERLAP_CHARS;
const WORDS_SHOWN = 160;
const HITS_MAX = 20;
/** Between the words of a pattern there may be a few others, and never more than this. */
const GAP = "[^.!?\\n]{0,60}?";

const OBEYED = "(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|constraints?)";
interface Rule {
  readonly why: string;
  readonly pattern: RegExp;
}
const SET_ASIDE: Rule = {
  why: "it tells the reader to set its instructions aside",
  pattern: new RegExp(
    `\\b(?:ignore|disregard|forget|override|bypass|discard)\\b${GAP}\\b(?:previous|prior|above|earlier|preceding|all|any|your|the system|other)\\b${GAP}\\b${OBEYED}\\b`,
    "iu",
  ),
};
const RULES: readonly Rule[] = [
  SET_ASIDE,
  {
    why: "it asks for a check to be changed until it passes",
    pattern: new RegExp(
      `\\b(?:change|edit|adapt|weaken|loosen|delete|remove|skip|disable|comment out)\\b${GAP}\\b(?:tests?|checks?|assertions?)\\b${GAP}\\b(?:until|so that|such that|to make) (?:it|they|the (?:tests?|suite|build|checks?)) (?:pass(?:es)?|(?:is|are|turns?) green)\\b`,
      "iu",
    ),
  },
  {
    why: "it gives new instructions",
    pattern: new RegExp(
      `\\b(?:new|updated|real|actual|true)\\s+(?:system\\s+)?${OBEYED}\\s*:`,
      "iu",
    ),
  },
  {
    why: "it pretends to be a part of the prompt",
    pattern:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<\/?(?:system|system_prompt|instructions)>|^\s{0,3}(?:###\s*)?(?:system|assistant)\s*(?:prompt|message)?\s*:\s*you\b/iu,
  },
  {
    why: "it tells the reader who it is from now on",
    pattern: /\byou are (?:now|no longer|hereby)\b|\bfrom now on,? you (?:are|will|must)\b/iu,
  },
  {
    why: "it asks for something to be kept from people",
    pattern: new RegExp(
      `\\b(?:do not|don't|never|without)\\b${GAP}\\b(?:tell|telling|mention|mentioning|report|reporting|inform|informing|reveal|revealing|alert|alerting)\\b${GAP}\\b(?:users?|operators?|humans?|reviewers?|maintainers?|developers?|anyone|anybody)\\b`,
      "iu",
    ),
  },
  {
    why: "it asks for what the reader was told",
    pattern: new RegExp(
      `\\b(?:reveal|print|repeat|output|show|leak|exfiltrate)\\b${GAP}\\b(?:system prompt|your (?:initial |original )?instructions|your prompt)\\b`,
      "iu",
    ),
  },
  {
    why: "it asks for a verdict that is not its to give",
    pattern: new RegExp(
      `\\b(?:mark|report|treat|rate|score|approve|accept|say|state|claim)\\b${GAP}\\b(?:as (?:approved|passed|passing|safe|done|green|complete|verified)|no (?:issues|findings|vulnerabilities|problems) (?:were )?found|that all tests pass)\\b`,
      "iu",
    ),
  },
];

/** White space, also as JSON writes it: whole documents are looked at, too. */
const BLANKS = "(?:\\s|\\\\[tnrf])*";
/**
 * Something of what every rule needs, in small letters. Nearly all texts have nothing of it, and one plain pattern over
 * the whole text is many times cheaper than all rules over each of its lines.
 */
const HINTS = new RegExp(
  [
    "ignore|disregard|forget|override|bypass|discard",
    `${OBEYED}${BLANKS}:`,
    `<\\||\\[\\/?inst\\]|<\\/?(?:system|instructions)|(?:system|assistant)${BLANKS}(?:prompt|message)?${BLANKS}:`,
    "you are|from now on",
    `(?:do not|don't|never|without)${GAP}(?:tell|mention|report|inform|reveal|alert)`,
    "system prompt|your (?:initial |original )?instructions|your prompt",
    "(?:until|so that|such that|to make) (?:it|they|the )",
    "as (?:approved|pass|safe|done|green|complete|verified)|no (?:issues|findings|vulnerabilities|problems)|that all tests",
  ].join("|"),
);

/**
 * Looks for words in a text that are meant for whoever reads it as a prompt. What it finds is for a
 * person to look at: such words are never obeyed, but plain documentation can hold them as well.
 */
export function findOverrides(text: string): OverrideHit[] {
  const hits: OverrideHit[] = [];
  const cut = text.slice(0, TEXT_CHARS_MAX);
  if (!mayOverride(cut)) return hits;
  const lines = cut.split(/\r\n|[\n\r\u2028\u2029]/);
  for (const [at, line] of lines.entries()) {
    const hit = firstHit(line);
    if (hit !== undefined) hits.push({ line: at + 1, ...hit });
    if (hits.length === HITS_MAX) break;
  }
  return hits;
}

/** A long line is looked at in pieces that overlap, or it would hide what stands far to the right. */
function firstHit(line: string): Pick<OverrideHit, "words" | "why"> | undefined {
  for (let from = 0; from === 0 || from + OVERLAP_CHARS < line.length; from += STEP_CHARS) {
    const plain = plainLetters(line.slice(from, from + LINE_CHARS_MAX));
    const rule = HINTS.test(plain.toLowerCase())
      ? RULES.find(({ pattern }) => pattern.test(plain))
      : undefined;
    if (rule !== undefined) return { words: shown(plain, rule.pattern), why: rule.why };
  }
  return undefined;
}

/**
 * The plainest of these words where they are broken over lines, or over texts that a reader sees one after
 * the other. The other rules would find too much there that nobody wrote together.
 */
export function findBroken(texts: readonly string[]): Omit<OverrideHit, "line"> | undefined {
  const plain = plainLetters(texts.join(" ").slice(0, TEXT_CHARS_MAX)).replaceAll(/\s+/gu, " ");
  if (!/ignore|disregard|forget|override|bypass|discard/i.test(plain)) return undefined;
  return SET_ASIDE.pattern.test(plain)
    ? { words: shown(plain, SET_ASIDE.pattern), why: SET_ASIDE.why }
    : undefined;
}

/**
 * Whether a text, or a JSON document as it is written, could hold such words at all. A no is certain and
 * quickly given; a yes means that it has to be looked at.
 */
export function mayOverride(text: string): boolean {
  return HINTS.test(plainLetters(text).toLowerCase());
}

/** Letters that show nothing, or look like others, would otherwise keep the words apart. */
function plainLetters(text: string): string {
  return isAscii(text) ? text : foldAlike(text.normalize("NFKC").replaceAll(/\p{DI}|\p{M}/gu, ""));
}

function shown(line: string, pattern: RegExp): string {
  const at = pattern.exec(line)?.index ?? 0;
  return line
    .slice(at, at + WORDS_SHOWN)
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim();
}
