import { type FileDeed, isFile, withinTree } from "./file-deeds.ts";
import { SENTENCE_START, type Sentence } from "./sentences.ts";

const PATH = String.raw`(?:\x60[^\x60\n]{1,300}\x60|[\p{L}\p{N}_.@/-]{1,300})`;
const STATUS = String.raw`(new(?:\sfiles?)?|newly\sadded|add(?:ed)?|created?|modif(?:y|ied)|updated?|changed?|edited|rewritten|deleted?|removed?)`;
/** "src/a.js (new)", "| `src/a.js` | modified |". */
const MARKED = new RegExp(
  String.raw`^(?:\*\*|__)?(${PATH})(?:\*\*|__)?\s?(?:[(\[|:,–—-]|\s-\s)\s?(?:\*\*|__|\x60)?(?:an?\s)?${STATUS}(?:\*\*|__|\x60)?\s*(?=$|[)\]|,;:.–—])`,
  "iu",
);
/** "src/a.js – new module". */
const NEW_HERE = new RegExp(
  String.raw`^(?:\*\*|__)?(${PATH})(?:\*\*|__)?\s?(?:[:–—|]|-\s)\s?(?:an?\s)?new\s(?:\p{L}{1,20}\s)?(?:file|module|script|document|page|guide)\b`,
  "iu",
);
/** "src/a.js – new helper": that may be the file, or something in it. */
const NEW_IN_IT = new RegExp(
  String.raw`^(?:\*\*|__)?(${PATH})(?:\*\*|__)?\s?(?:[:–—|]|-\s)\s?(?:an?\s)?new\s`,
  "iu",
);
/** "[new] src/a.js", "New files: src/a.js, src/b.js". */
const LED = new RegExp(
  String.raw`^(?:\*\*|__|[(\[])?${STATUS}(?:\*\*|__)?(?:[)\]:|]|\s-)(?:\*\*|__)?\s?(${PATH}(?:,\s(?:and\s)?${PATH}){0,50})(?=\s*(?:$|[(|,;:–—]|-\s))`,
  "iu",
);
const FIRST = new RegExp(String.raw`^(?:\*\*|__)?(${PATH})(?:\*\*|__)?\s?(?=$|[(|:,–—]|-\s)`, "iu");
/** What stands over a list of files that a change has. */
const OF_CHANGED =
  /^[\s>#*_|]*(?:(?:the|all|list\sof|here\sare\sthe|summary\sof)\s)*(?:(?:files?|modules?)\s(?:(?:i|we)(?:['’]ve|\shave)?\s)?(?:that\s)?(?:(?:were|was|are|have\sbeen)\s)?(changed|modified|touched|updated|edited|added|created|deleted|removed)|(changed|modified|touched|updated|edited|new|added|created|deleted|removed)\s(?:files?|modules?))\b/iu;
const OF_FILES = /^[\s|*_]*(?:files?|paths?)\s*[|*_]/iu;
const NOT_SO = /\b(?:not|never|no|untouched|unchanged|to\sdo|todo|planned|later)\b/iu;

/**
 * The files of a list or a table of what was changed, which are said to be in it without any sentence. Of a table
 * only its head says what it lists, so rows are to be handed in in their order.
 */
export class ListedFiles {
  #head: string | undefined;

  take(sentence: Sentence, tree?: string): FileDeed[] {
    const isRow = /^\s*\|/.test(sentence.text);
    const isHead = isRow && this.#head === undefined;
    if (!isRow) this.#head = undefined;
    else if (isHead) this.#head = sentence.text;
    const words = sentence.text.replace(new RegExp(SENTENCE_START, "iu"), "").replace(/^\|\s?/, "");
    // A word and a colon say what they list without a list, too.
    const isItem = isRow || words !== sentence.text || LED.test(words);
    if (!isItem || NOT_SO.test(words)) return [];
    const lead = isRow ? this.#head : sentence.lead;
    return deedOf(words, lead ?? "", isRow && !isHead).flatMap((deed) => {
      const path = withinTree(deed.path.replaceAll("`", "").trim(), tree).replace(/^\.\//, "");
      return isFile(path) ? [{ ...deed, path }] : [];
    });
  }
}

/** By its own words, or else by what stands over it. */
function deedOf(words: string, lead: string, isRow: boolean): FileDeed[] {
  const marked = markedIn(words);
  if (marked.length > 0) return marked;
  const [, first] = FIRST.exec(words) ?? [];
  const [, ...said] = OF_CHANGED.exec(lead) ?? [];
  if (first === undefined) return [];
  if (said.length > 0) return [{ path: first, ...deedFor(said.join("")) }];
  return isRow && OF_FILES.test(lead) ? [{ path: first, ...deedFor("changed") }] : [];
}

function markedIn(words: string): FileDeed[] {
  const [, path, status] = MARKED.exec(words) ?? [];
  if (path !== undefined && status !== undefined) return [{ path, ...deedFor(status) }];
  const [, before = "", behind] = LED.exec(words) ?? [];
  if (behind !== undefined) {
    return behind.split(/,\s(?:and\s)?/).map((one) => ({ path: one, ...deedFor(before) }));
  }
  const [, fresh] = NEW_HERE.exec(words) ?? [];
  if (fresh !== undefined) return [{ path: fresh, ...deedFor("new") }];
  const [, grown] = NEW_IN_IT.exec(words) ?? [];
  return grown === undefined ? [] : [{ path: grown, ...deedFor("changed") }];
}

/** A list of what was changed has what was added and deleted in it as well. */
function deedFor(word: string): Pick<FileDeed, "how" | "isNew" | "isListed"> {
  if (/^(?:new|add|creat)/i.test(word)) return { how: "added", isNew: true };
  if (/^(?:delet|remov)/i.test(word)) return { how: "deleted" };
  return { how: "modified", isListed: true };
}
