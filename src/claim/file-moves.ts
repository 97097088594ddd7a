import { type FileDeed, isFile, withinTree } from "./file-deeds.ts";
import { SENTENCE_START } from "./sentences.ts";

const PATH = String.raw`\x60([^\x60\n]{1,300})\x60`;
const WHAT = String.raw`(?:(?:this|the)\s(?:PR|pull\srequest|merge\srequest|MR|change|commit|patch|branch|diff)\s)?(?:also\s|and\s)?`;
const MOVED = new RegExp(
  String.raw`(?:${SENTENCE_START}${WHAT}(?:renames|moves|renamed|moved)|(?:\b(?:I|we|and|also|then)\s|,\s)(?:have\s)?(?:renamed|moved))\s(?:the\s)?(?:file\s|module\s|script\s|test\s)?${PATH}\s(?:(?:in)?to|→|->|as)\s(?:the\sfolder\s)?${PATH}(?=\s*(?:$|[.!,;)]|and\b|to\s(?:match|make|avoid|follow)\b|because\b))`,
  "giu",
);
const WAS_MOVED = new RegExp(
  String.raw`${PATH}\s(?:was|is|has\sbeen|is\snow)\s(?:renamed|moved)\s(?:(?:in)?to|as)\s${PATH}(?=\s*(?:$|[.!,;)]))`,
  "giu",
);
const FOLDER = /^(?:\.\/)?(?:[\p{L}\p{N}_.@-]{1,200}\/){1,20}$/u;

/** The files of a sentence that it says have another name now: the old ones are gone, the new ones there. */
export function fileMoves(sentence: string, tree?: string): FileDeed[] {
  if (!/move|rename/iu.test(sentence)) return [];
  return [...sentence.matchAll(MOVED), ...sentence.matchAll(WAS_MOVED)].flatMap(
    ([, old = "", now = ""]) => {
      const [from, to] = [old, now].map((path) =>
        withinTree(path.trim(), tree).replace(/^\.\//, ""),
      );
      if (from === undefined || to === undefined || !isFile(from)) return [];
      const gone = { path: from, how: "deleted" as const };
      const name = FOLDER.test(to) ? `${to}${from.slice(from.lastIndexOf("/") + 1)}` : to;
      return isFile(name) ? [gone, { path: name, how: "added" as const }] : [];
    },
  );
}
