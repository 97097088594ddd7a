import { isFile } from "./file-deeds.ts";
import { word } from "./foreign-words.ts";
import { withNames } from "./named-files.ts";
import { isOpen, ownWords } from "./not-said.ts";
import { readSentences, SENTENCE_START } from "./sentences.ts";
import { isNamedLikeTests } from "./untouched-tests.ts";

/** Somebody's word that files are as they were, or still there. */
export interface KeptFiles {
  readonly text: string;
  readonly paths: readonly string[];
  readonly denied: "change" | "deletion";
}

const CLAIMS_MAX = 100;
const CODE = String.raw`\x60[^\x60\n]{1,300}\x60`;
const QUOTED = /`([^`\n]{1,300})`/g;
const LIST = String.raw`((?:the\s(?:file\s)?)?${CODE}(?:(?:,\s(?:and\s|or\s)?|\s(?:and|or|nor)\s)${CODE}){0,9})`;
/** Nothing follows that says of what it is said, or of what not. */
const END = String.raw`(?=\s*(?:$|[.!;:)|✅]|,\s(?:and|but|so|as|since|because|which)\b|\b(?:at\sall|too|as\swell|and\s(?:I|no|the)|because|since)\b))`;
const DENIED = String.raw`(?:(?:did|do|have|has)(?:\snot|n['’]t)|never|without)`;
const CHANGED = String.raw`(?:chang|modif|touch|edit|alter|adjust|updat)\p{L}*`;
const GONE = String.raw`(?:delet|remov|dropp)\p{L}*`;
const AS_IT_WAS = String.raw`(?:unchanged|untouched|unmodified|unaltered|as\s(?:it|they)\s(?:was|were|is|are)(?:\sbefore)?)`;
const IS = String.raw`(?:is|was|are|were|remains?|stays?|has\sbeen|have\sbeen|left)`;
const NOT_BEEN = String.raw`(?:(?:is|was|are|were|has|have)(?:\snot|n['’]t)(?:\sbeen)?)`;
const form = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "iu");

const SAME = [
  form(String.raw`\b(?:I|we)\s${DENIED}\s${CHANGED}\s`, LIST, END),
  form(SENTENCE_START, LIST, String.raw`\s(?:${IS}\s){0,2}${AS_IT_WAS}`, END),
  form(SENTENCE_START, LIST, String.raw`\s${NOT_BEEN}\s${CHANGED}`, END),
  form(
    String.raw`(?:${SENTENCE_START}|\b(?:I|we|and|but)\s)(?:have\s)?(?:left|kept)\s`,
    LIST,
    String.raw`\s(?:alone|as\sis|${AS_IT_WAS})`,
    END,
  ),
];
const THERE = [
  form(String.raw`\b(?:I|we)\s${DENIED}\s${GONE}\s`, LIST, END),
  form(SENTENCE_START, LIST, String.raw`\s${NOT_BEEN}\s${GONE}`, END),
  form(
    SENTENCE_START,
    LIST,
    String.raw`\s(?:is|are|was|were)\s(?:still\s(?:there|here|in\splace)|kept|left\sin\splace)(?:\s(?:for|because|since|to)\b[^.]{0,80})?`,
    END,
  ),
];
const CLAUSE_END = String.raw`(?=\s*(?:$|[.,，。!]))`;
/** In other languages, by the word that denies it and the verb beside it. */
const FOREIGN: readonly (readonly [KeptFiles["denied"], RegExp])[] = [
  [
    "change",
    form(
      `(${CODE})`,
      String.raw`\s(?:habe\sich|wurde|ist)\s(?:gar\s)?nicht\s${word("geändert|verändert|angefasst|angepasst|bearbeitet")}`,
      CLAUSE_END,
    ),
  ],
  [
    "deletion",
    form(
      `(${CODE})`,
      String.raw`\s(?:habe\sich|wurde|ist)\snicht\s${word("gelöscht|entfernt")}`,
      CLAUSE_END,
    ),
  ],
  [
    "change",
    form(
      String.raw`n['’](?:ai|avons)\spas\s(?:modifié|touché\sà|changé)\s`,
      `(${CODE})`,
      CLAUSE_END,
    ),
  ],
  [
    "deletion",
    form(String.raw`n['’](?:ai|avons)\spas\s(?:supprimé|effacé)\s`, `(${CODE})`, CLAUSE_END),
  ],
  ["deletion", form(`(${CODE})`, String.raw`\sn['’]a\spas\sété\ssupprimé`, CLAUSE_END)],
  [
    "change",
    form(String.raw`\bno\s(?:he|hemos)\s(?:modificado|tocado|cambiado)\s`, `(${CODE})`, CLAUSE_END),
  ],
  [
    "deletion",
    form(String.raw`\bno\s(?:he|hemos)\s(?:eliminado|borrado)\s`, `(${CODE})`, CLAUSE_END),
  ],
  ["change", form(String.raw`(?:没有|未)(?:修改|改动|更改)\s?`, `(${CODE})`, CLAUSE_END)],
  ["deletion", form(String.raw`(?:没有|未)(?:删除|移除)\s?`, `(${CODE})`, CLAUSE_END)],
  ["change", form(`(${CODE})`, String.raw`\s?(?:は|を)(?:変更|修正)してい?ません`)],
  ["deletion", form(`(${CODE})`, String.raw`\s?(?:は|を)削除してい?ません`)],
];
/** Who names what is not so says no more than what is left. */
const EXCEPT =
  /\b(?:except|apart\sfrom|aside\sfrom|other\sthan|but\sfor|besides|save\sfor|yet|anything\selse)\b/i;
/** Wishes, conditions and orders are no reports. */
const NOT_SAID =
  /\b(?:should|would|could|may|might|must|if|unless|please|ensure|make\ssure|will|need\sto|until|when|why)\b|\?\s*$/i;
/** Each form needs one of these. */
const MAY_SAY =
  /\b(?:not|never|without|unchanged|untouched|unmodified|unaltered|left|kept|still|nicht|pas|no)\b|n['’]t\b|\bas\s(?:it|they)\s|没有|未|ません/iu;

/** Reads a text for the word that files were not changed, or not taken away. */
export function keptFiles(text: string): KeptFiles[] {
  return readSentences(text)
    .filter(({ text: one }) => MAY_SAY.test(one))
    .filter((one) => !(isOpen(one) || NOT_SAID.test(one.text) || EXCEPT.test(one.text)))
    .flatMap(({ text: one }) => {
      const named = withNames(ownWords(one));
      if (!named.includes("`")) return [];
      const [denied, list] = heardIn(named) ?? [];
      if (denied === undefined || list === undefined) return [];
      const paths = [...list.matchAll(QUOTED)]
        .map(([, path = ""]) => path.trim().replace(/^\.\//, ""))
        .filter((path) => isFile(path) && !(denied === "change" && isNamedLikeTests(path)));
      return paths.length === 0 ? [] : [{ text: one, paths, denied }];
    })
    .slice(0, CLAIMS_MAX);
}

function heardIn(sentence: string): readonly [KeptFiles["denied"], string] | undefined {
  const same = firstOf(SAME, sentence);
  if (same !== undefined) return ["change", same];
  const there = firstOf(THERE, sentence);
  if (there !== undefined) return ["deletion", there];
  for (const [denied, one] of FOREIGN) {
    const list = one.exec(sentence)?.[1];
    if (list !== undefined) return [denied, list];
  }
  return undefined;
}

const firstOf = (forms: readonly RegExp[], sentence: string): string | undefined =>
  forms.map((one) => one.exec(sentence)?.[1]).find((list) => list !== undefined);
