import { ownWords, plainWords } from "./plain-words.ts";

/** Words that say nothing two people would measure alike. */
const VAGUE =
  /(?<![\p{L}\p{N}_-])(?:fast|faster|quick|quickly|nice|nicely|good|better|great|cleanly|smooth|smoothly|seamless|seamlessly|intuitive|robust|robustly|efficient|efficiently|performant|scalable|optimal|optimally|sensible|sane|reasonable|reasonably|appropriate|appropriately|adequate|adequately|suitable|suitably|proper|properly|correct|correctly|graceful|gracefully|user-friendly|friendly|modern|elegant|easy|easily|happy|satisfied|high-quality|acceptable|usable|useful|improved|works|functional|helpful|understandable|working|plausible|right thing)(?![\p{L}\p{N}_-])/u;
/** Outcomes that say that it went well, and not what is seen then. */
const EMPTY =
  /^\W*(?:(?:it|this|that|all|everything|the (?:work|task|result|code|feature)))? ?(?:is|are|was|must be|must|be)? ?(?:done|finished|completed?|ok|okay|fine|well|alright|success|successful|in order|so|there|no (?:errors?|problems?|issues?|failures?))?\W*$/u;
const WORD = /[\p{L}\p{N}_]{2,}/u;
/** What makes an outcome measurable all the same: a figure, or words quoted from the product. */
const ANCHOR = /\d|`[^`]+`|"[^"]+"|'[^']+'|“[^“”]+”|«[^«»]+»/u;
/** Words for what only a reader of the code could see. */
const INSIDE =
  /(?<![\p{L}\p{N}_])(?:implementation|implemented (?:with|using|by|as)|source code|internally|under the hood|refactored|the code (?:is|uses|has|calls|contains|follows)(?! \d)|(?:private|internal) (?:field|method|variable|function|state|member)s?|design pattern|well[- ](?:structured|written|named))(?![\p{L}\p{N}_])/u;

/** Why an outcome cannot be judged from outside, or undefined. */
export function vagueOutcome(then: string): string | undefined {
  const words = plainWords(ownWords(then));
  const inside = INSIDE.exec(words)?.[0];
  if (inside !== undefined) {
    return `"${inside}" can only be judged by reading the implementation`;
  }
  if (ANCHOR.test(then)) return undefined;
  if (EMPTY.test(words) || !WORD.test(words)) return "it names nothing that is seen";
  const vague = VAGUE.exec(words)?.[0];
  if (vague === undefined) return undefined;
  return `"${vague}" is not measurable, and no figure, value or quoted text says what is meant`;
}
