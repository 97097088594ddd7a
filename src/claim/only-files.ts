import { isFile } from "./file-deeds.ts";
import { word } from "./foreign-words.ts";
import { withNames } from "./named-files.ts";
import { isOpen, ownWords } from "./not-said.ts";
import { readSentences, SENTENCE_START } from "./sentences.ts";

/** Somebody's word that these files were changed, and no others. */
export interface OnlyFiles {
  readonly text: string;
  /** Files, and folders with a slash behind them. */
  readonly paths: readonly string[];
}

const CLAIMS_MAX = 100;
const CODE = String.raw`\x60[^\x60\n]{1,300}\x60`;
const QUOTED = /`([^`\n]{1,300})`/g;
const UNDER = String.raw`(?:(?:the\s)?(?:files?|code)\s(?:in|under|below)\s|the\sfiles?\s|files?\s)?`;
const LIST = String.raw`(${UNDER}${CODE}(?:(?:,\s(?:and\s)?|\s(?:and|&)\s)${CODE}){0,9})`;
/** Nothing follows that says of what it is said, or what else was done. */
const END = String.raw`(?=\s*(?:$|[.!:)✅。，]|,\s(?:because|since|as|so)\b|\b(?:because|since)\b))`;
const CHANGED = String.raw`(?:changed|modified|touched|edited|updated|altered)`;
const WAS = String.raw`(?:(?:is|are|was|were|has\sbeen|have\sbeen|had\sto\sbe|needed\sto\sbe|gets?|got)\s)`;
const ONLY = String.raw`(?:only|solely|exclusively|just)`;
const WHO = String.raw`(?:${SENTENCE_START}(?:(?:in\stotal|overall|also|in\sthe\send),?\s)?|\b(?:I|we)(?:\shave|['’]ve)?\s|,\s(?:and\s)?(?:I|we)\s)`;
const form = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "iu");

const FORMS = [
  form(SENTENCE_START, String.raw`${ONLY}\s`, LIST, String.raw`\s${WAS}${CHANGED}`, END),
  form(WHO, String.raw`${ONLY}\s${CHANGED}\s`, LIST, END),
  form(WHO, String.raw`${CHANGED}\s(?:${ONLY}|nothing\s(?:but|except|other\sthan))\s`, LIST, END),
  form(
    SENTENCE_START,
    String.raw`(?:this|the)\s(?:change|commit|patch|PR|pull\srequest|diff)\s${ONLY}\s(?:changes|modifies|touches|edits|updates|affects)\s`,
    LIST,
    END,
  ),
  form(
    SENTENCE_START,
    String.raw`(?:no\s(?:other\s)?files?|nothing)\s(?:other\sthan|except(?:\sfor)?|apart\sfrom|but|besides|outside(?:\sof)?)\s`,
    LIST,
    String.raw`\s${WAS}${CHANGED}`,
    END,
  ),
  form(
    SENTENCE_START,
    String.raw`(?:the\s)?only\s(?:files?\s)?(?:that\s)?(?:(?:I|we)\s)?(?:${WAS})?(?:${CHANGED}\s)?(?:files?\s)?(?:is|are|was|were):?\s`,
    LIST,
    END,
  ),
  form(
    SENTENCE_START,
    LIST,
    String.raw`\s(?:is|are|was|were)\sthe\sonly\s(?:files?|things?)\s(?:that\s)?(?:(?:I|we)\s)?(?:${WAS})?${CHANGED}`,
    END,
  ),
  form(
    SENTENCE_START,
    String.raw`(?:nur|ausschließlich|lediglich)\s(?:die\sDatei\s)?`,
    `(${CODE})`,
    String.raw`\s(?:wurde|ist|habe\sich)\s`,
    word("geändert|verändert|angefasst|angepasst|bearbeitet"),
    END,
  ),
  form(
    String.raw`(?<!\p{L})ich\shabe\s(?:nur|ausschließlich|lediglich)\s(?:die\sDatei\s)?`,
    `(${CODE})`,
    String.raw`\s`,
    word("geändert|verändert|angefasst|angepasst|bearbeitet"),
    END,
  ),
  form(
    String.raw`(?:${SENTENCE_START}seul(?:\sle\sfichier)?\s)`,
    `(${CODE})`,
    String.raw`\sa\sété\s(?:modifié|touché|changé)`,
    END,
  ),
  form(
    String.raw`(?:j['’]ai|nous\savons)\s(?:uniquement|seulement)\s(?:modifié|changé|touché\sà)\s`,
    `(${CODE})`,
    END,
  ),
  form(
    String.raw`(?<!\p{L})(?:sol[oó]|únicamente)\s(?:se\s(?:modificó|cambió|tocó)|(?:he\s)?(?:modificado|cambiado|modifiqué|cambié|toqué))\s`,
    `(${CODE})`,
    END,
  ),
  form(String.raw`(?:只|仅)(?:修改|改动|更改)了?\s?`, `(${CODE})`, END),
  form(`(${CODE})`, String.raw`\s?(?:のみ|だけ)を?(?:変更|修正|編集)しました`, END),
];
/** Wishes, conditions, orders, and what was before, are no reports. */
const NOT_SAID =
  /\b(?:should|would|could|may|might|must|if|unless|please|ensure|make\ssure|will|need\sto|until|when|whenever|why|not|never|previously|earlier|before)\b|n['’]t\b|\?\s*$/i;
/** Each form needs one of these. */
const MAY_SAY =
  /\b(?:only|solely|exclusively|just|nothing|no|nur|ausschließlich|lediglich|seul|uniquement|seulement|solo)\b|sólo|únicamente|只|仅|のみ|だけ/iu;

/** Reads a text for the word that nothing but some files was changed. */
export function onlyFiles(text: string): OnlyFiles[] {
  return readSentences(text)
    .filter((one) => MAY_SAY.test(one.text) && !isOpen(one))
    .flatMap(({ text: one }) => {
      const named = withNames(ownWords(one));
      if (!named.includes("`") || NOT_SAID.test(named.replaceAll(QUOTED, "`x`"))) return [];
      const list = FORMS.map((each) => each.exec(named)?.[1]).find((found) => found !== undefined);
      const paths = [...(list ?? "").matchAll(QUOTED)].map(([, path = ""]) => plain(path));
      // Of a function, or another thing in a file, nothing is known.
      return paths.length > 0 && paths.every(isPlace) ? [{ text: one, paths }] : [];
    })
    .slice(0, CLAIMS_MAX);
}

const plain = (path: string): string => path.trim().replace(/^\.\//, "");

const isPlace = (path: string): boolean =>
  isFile(path) || /^(?:[\p{L}\p{N}_.@-]{1,100}\/){1,20}$/u.test(path);
