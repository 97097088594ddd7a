import type { Sentence } from "./sentences.ts";

/** Wishes, conditions and plans are no reports, and neither is what is denied. */
const NOT_SAID =
  /\b(?:should|would|could|may|might|must|if|once|when|until|before|unless|please|ensure|make sure|verify that|to check|will|not|never|no longer|cannot|fails?|failed|failing|need to|so that)\b|n['’]t\b|\?\s*$/i;
/** That something is so but for a part of it is not that it is so. */
const EXCEPT =
  /\b(?:except|apart from|aside from|other than|all but|save for|only (?:on|in|with|for|under|locally))\b/i;
/** Somebody's aim, or somebody else's word. */
const WISHED =
  /\b(?:expect(?:s|ed|ing)?|wants?|wanted|goal|aim(?:s|ing)?|hope(?:s|d|fully)?|assum(?:e|es|ed|ing)|requires?|required|claims|claimed|pretend(?:s|ed)?|in theory|ideally)\b|\b(?:he|she|they|you|it|issue|description|comment|readme|docs?)\s(?:says?|said)\b/i;
/** "Got all tests to pass" is done; anything else "to pass" is yet to be. */
const TO_PASS = /\bto\s(?:pass|succeed|be\s(?:green|passing))\b/i;
const GOT = /\b(?:got|made|brought|managed)\b/i;
/** Said of how things were, or are elsewhere. */
const ELSEWHERE =
  /\b(?:previously\s+(?:pass|succeed)\w*|used\sto|(?:pass|fail|succeed)\w*\s(?:previously|earlier)|(?:pass\w*|green|fail\w*|succeed\w*)\son\s(?:the\s)?(?:main|master|base|old)\b)|^\W{0,12}(?:previously|originally|formerly|earlier|(?:even\s)?without\s(?:the|this|that|my|these|it))\b/i;
/** Told to somebody else: an order is obeyed or not, and says nothing of what was done. */
const ORDER =
  /^[\s>*+-]{0,9}(?:\d{1,3}[.)]\s{1,3})?(?:(?:say|report|state|claim|tell|answer|remember|confirm|always|do|don't|make|keep|check)\s|only\s(?:say|report|claim))|\bonly\s(?:after|once|when|if)\s(?:you|they)\b/i;
/** These words compare, and tell neither a time nor a wish. */
const COMPARED =
  /\b(?:just\s)?(?:as|like|than)\s(?:(?:they|it)\s(?:did\s|was\s)?)?(?:before|expected|planned|required|intended)\b/gi;
/** What a deed was for, or what came after it, is said behind it, and takes nothing of it back. */
const AIM = /\sso\sthat\s.*$/is;
/** Why it was done is as it may be. */
const REASON =
  /,?\s(?:since|because)\s(?:it|they|this|that|nothing|nobody|none|no\sone)\b[^,;:.!?]{0,200}/gi;
const RAN_BEFORE =
  /(\b(?:re-?)?(?:ran|executed|formatted|linted)\s.{1,200}?)\sbefore\s(?:\p{L}{1,20}ing\b|and\safter\b|(?:the|each|every|my|this)\scommit\b).*$/isu;
/** What is named in front of a colon, and is a wish of all that follows. */
const LABEL =
  /^[^:.!?]{0,60}\b(?:acceptance|criteri(?:a|on)|definition\sof\sdone|proposal|suggestion|option|plan|next\ssteps?|to\sdo|todo|example|hypothetically)\b[^:.!?]{0,40}:/i;
/** A box that nobody ticked. */
const UNTICKED = /^[\s>]{0,9}(?:[-*+]|\d{1,3}[.)])\s+\[ \]\s/;
const TICKED = /^[\s>]{0,9}(?:(?:[-*+]|\d{1,3}[.)])\s+)?(?:\[[xX]\]|✅|✔|☑)/u;
/** What stands under such words is to be done, or to be so. */
const LEAD =
  /\b(?:should|must|make sure|ensure|please|before\s(?:you|merging|the|it|this|that)|needs?\sto|to[- ]?do|acceptance criteria|definition of done|requirements|will|would|if|next steps?|remaining|expected|nächste\sschritte|zu\stun|vorschlag|à\sfaire|prochaines\sétapes|próximos\spasos|por\shacer|proposal|plan|option)\b|下一步|待办|建议|今後|次のステップ/i;
const QUOTATION = /"[^"\n]{1,300}"|“[^”\n]{1,300}”/g;

/** Whether a sentence, without what it quotes as code, reports something. */
export function isReported(plain: string): boolean {
  const words = plain.replace(COMPARED, " ");
  if (TO_PASS.test(words) && !GOT.test(words)) return false;
  return ![NOT_SAID, EXCEPT, WISHED, ELSEWHERE, ORDER, LABEL].some((one) => one.test(words));
}

/** A sentence as far as it reports: without the aim of a deed, its reason, or what was done after it. */
export function withoutAim(sentence: string): string {
  return sentence.replace(AIM, "").replace(REASON, "").replace(RAN_BEFORE, "$1");
}

/** Whether what stands around a sentence says that it is still to be done, or to be so. */
export function isOpen({ text, lead }: Sentence): boolean {
  return UNTICKED.test(text) || (lead !== undefined && LEAD.test(lead) && !TICKED.test(text));
}

/** A sentence without the words of others in it. Where there are hardly any others, these are its own. */
export function ownWords(sentence: string): string {
  const rest = sentence.replace(QUOTATION, " ");
  const isOwn = rest.includes(":") || (rest.match(/\p{L}{2,}/gu)?.length ?? 0) < 3;
  return isOwn ? sentence : rest;
}
