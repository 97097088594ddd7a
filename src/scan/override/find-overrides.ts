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
const WORDS_SHOWN = 160;
const HITS_MAX = 20;
/** Between the words of a pattern there may be a few others, and never more than this. */
const GAP = "[^.!?\\n]{0,60}?";

const OBEYED = "(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|constraints?)";
const RULES: readonly { readonly why: string; readonly pattern: RegExp }[] = [
  {
    why: "it tells the reader to set its instructions aside",
    pattern: new RegExp(
      `\\b(?:ignore|disregard|forget|override|bypass|discard)\\b${GAP}\\b(?:previous|prior|above|earlier|preceding|all|any|your|the system|other)\\b${GAP}\\b${OBEYED}\\b`,
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

/**
 * Looks for words in a text that are meant for whoever reads it as a prompt. What it finds is for a
 * person to look at: such words are never obeyed, but plain documentation can hold them as well.
 */
export function findOverrides(text: string): OverrideHit[] {
  const hits: OverrideHit[] = [];
  const lines = text.slice(0, TEXT_CHARS_MAX).split(/\r\n|[\n\r\u2028\u2029]/);
  for (const [at, line] of lines.entries()) {
    // Letters that show nothing would otherwise keep the words apart.
    const plain = line
      .slice(0, LINE_CHARS_MAX)
      .normalize("NFKC")
      .replaceAll(/\p{DI}/gu, "");
    const rule = RULES.find(({ pattern }) => pattern.test(plain));
    if (rule === undefined) continue;
    hits.push({ line: at + 1, words: shown(plain, rule.pattern), why: rule.why });
    if (hits.length === HITS_MAX) break;
  }
  return hits;
}

function shown(line: string, pattern: RegExp): string {
  const at = pattern.exec(line)?.index ?? 0;
  return line
    .slice(at, at + WORDS_SHOWN)
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim();
}
