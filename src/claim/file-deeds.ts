import { SENTENCE_START } from "./sentences.ts";

/** What a sentence says was done to a file. */
export interface FileDeed {
  readonly path: string;
  readonly how: "added" | "modified" | "deleted";
  /** It is said that there was no such file before. */
  readonly isNew?: true;
  /** What is said was done to something in it. */
  readonly isPart?: true;
  /** It is only said to be among what was changed, in whatever way. */
  readonly isListed?: true;
}

const VERBS =
  /\b(?:(created|added|wrote|generated|introduced)|(updated|modified|changed|edited|fixed|implemented|refactored|rewrote|patched|adjusted|extended|adapted|amended|tweaked|reworked|simplified|strengthened|improved|enhanced|optimi[sz]ed|corrected|restructured|reformatted|hardened|tightened|bumped|upgraded)|(deleted|removed))\b/gi;
const QUOTED = /`([^`\n]{1,300})`/g;
/** With a folder any ending will do; a bare name needs one that files have: `user.name` is none. */
const PLACED = /^(?:\.\/)?[\p{L}\p{N}_.@-]+(?:\/[\p{L}\p{N}_.@-]+)+\.[A-Za-z0-9]{1,10}$/u;
const BARE =
  /^(?:\.\/)?(?:[\p{L}\p{N}_.@-]+\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|sql|json|ya?ml|toml|xml|html?|css|scss|mdx?|txt|vue|svelte|lock|proto|graphql|tf|gradle)|Makefile|Dockerfile|LICENSE|README)$/iu;
/** Something else was taken away or added, and the file is where: its content changed. */
const WITHIN = /\b(?:from|in|inside|into|within|of|to|at|on)\b/i;
/** Then the file that follows is not what something was done to. */
const ASIDE =
  /\b(?:that|who|whose|temporary|without|instead|rather|unlike|like|for|about|using|via|than|because|since|which|when|while|after|before|see|per|not|nothing)\b|\b(?:links?|references?|pointers?|pointing|imports?|calls?|paths?|refers?|similar|according|due|relative|compared)\s+(?:to|of)\b|\bbased\s+on\b|\bto\s(?:create|generate|write|emit|produce|output|save|build|load|read|parse|check|run|use|support|handle|delete|remove|ignore)\b/i;
/** Where tests are that were added for something, if the file is called like one. */
const OF_TESTS_IN =
  /\b(?:tests?|specs?|test cases?)\b[^.;]{0,80}\b(?:in|to)\s(?:the\s)?(?:new\s)?(?:file\s)?$/i;
const TEST_NAME = /^`[^`]*(?:^|[/._-]|`)(?:tests?|specs?)[/._-][^`]*`/i;
/** What may stand between two files of which the same is said. */
const AND = /^[\s,;&+|]*(?:and|or|as well as|plus|then)?\s*(?:to|in|from|into|also|the)?\s*$/i;
const INTO_FILE = /^\s(?:(?:in)?to|in)\s(?:the\s)?(?:file\s)?`([^`\n]{1,300})`/i;
const FROM_FILE = /^\s(?:from|in)\s(?:the\s)?(?:file\s)?`([^`\n]{1,300})`/i;
/** What is named without a folder may be a list: `files`, `.gitignore`. */
const OF_A_NAME = /^\s(?:(?:in)?to|from)\s(?:the\s)?(?:[\p{L}-]{1,20}\s)?`[^`/\s]{1,100}`/iu;
/** Made, and gone again. */
const TAKEN_BACK =
  /\b(?:remov|delet|revert|dropp|clean)ed\s(?:(?:it|them|that|up)\s)?(?:again|afterwards|later|at\sthe\send)\b/i;
/** Of something that belongs to the file, or is called after it. */
const OF_ITS_OWN = /^['’]s?\s/;
const CALLED_AFTER =
  /^\s(?!(?:and|or|but|because|since|as|so|which|that|from|with|without|in|into|to|for|at|on|under|by|per|after|before|when|while|where|if|until|then|plus|is|was|were|are|has|have|had|entirely|completely|altogether|fully|too|also|again|instead|already|now|here|today|earlier|accordingly|alongside|beside|next|files?|modules?|scripts?|helpers?|components?|tests?|suite|page|template|fixture|document|itself|using|via|containing|holding|exporting|implementing|providing|defining|covering|including|describing|documenting|wrapping|based|added|created|removed|deleted|not|whose|it|I|we|this|they|he|she)\b)\p{Ll}{2}/iu;
const OF_A_LIST = /^\s(?:(?:in)?to|from)\s(?:the|our|an?|its|this|that)\s/i;
/** Where files are, and come to by being added. */
const OF_A_PLACE =
  /^\s(?:(?:in)?to|from)\s(?:the|our|an?|its|this|that)\s(?:\S{1,40}\s){0,3}(?:repo|repository|project|tree|code\s?base|package|folder|directory|branch|module|workspace)\b/i;
const IMPORTED =
  /\bimports?\b[^`]*\bfrom\b|\b(?:imports?|packages?|library|libraries|dependency|dependencies|routes?|urls?|links?|references?)\s*$/i;
const NEW = /\bnew\b/i;
/** Tests are for something, and still are where it says that they are. */
const TESTS_IN =
  /^\s(?:[\p{L}\d-]{1,20}\s){0,5}(?:tests?|specs?|test\scases?)\b[^.;]{0,80}\s(?:in|to|into|under)\s(?:the\s|a\s|an\s|new\s|test\s|file\s){0,4}$/iu;
const A_NEW_FILE = /^,?\s\(?(?:which\sis\s)?an?\snew\s(?:test\s)?file\b/i;
/** Said without a verb: "12 new tests in `test/a.test.js`". */
const COUNTED = new RegExp(
  String.raw`${SENTENCE_START}(?:\d{1,6}|[\p{L}-]{1,20})\s(?:new|more|additional)\s(?:[\p{L}-]{1,20}\s){0,2}(?:tests?|specs?|test\scases?)\s(?:in|to|under)\s\x60([^\x60\n]{1,300})\x60`,
  "iu",
);
/** Something of one file is in another one now. */
const MOVED_INTO =
  /\b(?:moved|extracted|split|pulled|factored)\s(?!to\b|on\b)[^.;\x60]{0,60}(?:\x60[^\x60\n]{1,300}\x60[^.;\x60]{0,60}){0,3}?\s(?:out\s)?(?:in)?to\s(?:(?:the|a|its|own|new|file|module|helper|separate)\s){0,5}\x60([^\x60\n]{1,300})\x60(?=\s*(?:$|[.,;:)|]|and\b|so\b|which\b|to\b))/giu;
/** What may stand between a file and what is said of it afterwards. */
const OF_IT = /^(?:[\s,:;|–—*-]|\b(?:was|were|is|are|has|have|been|now|also|and)\b)*$/i;
const PASSIVE = /\b(?:was|were|been)\b/i;
/** Nothing else follows that could be what was taken away. */
const AT_THE_END = /^\s*(?:$|[|.,;:)!])/;

const SUBJECT_CHARS_MAX = 80;
/** What stands before a verb that tells of somebody else, or of another time. */
const OTHERS =
  /\b(?:(?:script|build|command|tool|tests?|functions?|method|job|server|program|users?|compiler|bundler|generator|migration|hook|workflow|pipeline|installer|caller|agent|editor|somebody|someone|nobody|nothing|which|who|temporarily)\s|(?:old|older|previous|earlier|original|former|prior|legacy|last|upstream)\s(?:[\p{L}-]{1,20}\s){1,2}|(?:commit|change|version|release|code|one|someone|somebody)\s(?:that|which|who)\s|(?:commit|version|release)\s\S{1,20}\s|(?:upstream|someone|somebody|previously|originally|formerly|already)\s)(?:had\s|has\s)?$|#\d{1,7}\s(?:had\s|has\s)?$/iu;
/** And behind it. */
const ELSEWHEN =
  /^\s(?:in|by|since|with|on)\s(?:PR\s)?(?:#\d|(?:an?|the|some)\s(?:earlier|previous|prior|older|other|separate|different|last|former|follow-up|later)\b|v?\d{1,4}\.\d|(?:19|20)\d\d\b|commit\s|main\b|master\b)|^\s(?:(?:a\s)?long\s(?:time\s)?ago|(?:some|many|a\sfew|several|two|three|\d{1,4})\s(?:years|months|weeks|days|releases|versions|commits)\s(?:ago|back))\b/i;

interface Verb {
  readonly from: number;
  readonly to: number;
  readonly how: FileDeed["how"];
  readonly isNew: boolean;
  /** Somebody else did it, or it was done some other time. */
  readonly isOthers: boolean;
}

/**
 * The files of a sentence, each with the verb that it belongs to: the last one before it, or the one
 * that is said of it afterwards. A sentence that takes something out of a file does not delete it.
 *
 * @param tree where whoever speaks worked: whole paths below it are read as those of its files, and
 *   others as what they are. Without it, whole paths are left out.
 */
export function fileDeeds(sentence: string, tree?: string): FileDeed[] {
  const words = sentence.replace(QUOTED, blank);
  const verbs = [...words.matchAll(VERBS)].map((found) => toVerb(found, words));
  const deeds = [...sentence.matchAll(QUOTED)].flatMap(({ 0: quote, 1: code = "", index }) => {
    const path = withinTree(code.trim(), tree);
    const isWhole = tree !== undefined && path.startsWith("/");
    if (!isFile(isWhole ? path.slice(1) : path)) return [];
    const before = deedBefore(sentence, verbs, index);
    const after = () => deedAfter(sentence, verbs, index + quote.length);
    const deed = before === undefined ? after() : before;
    return deed === undefined || deed === "aside"
      ? []
      : [{ path: path.replace(/^\.\//, ""), ...deed }];
  });
  const others = deedsInWords(sentence, tree).filter(
    ({ path }) => !deeds.some((one) => one.path === path),
  );
  return [...deeds, ...others];
}

/** Files that something was put into, in words that have no verb of the ones above. */
function deedsInWords(sentence: string, tree: string | undefined): FileDeed[] {
  const counted = COUNTED.exec(sentence)?.[1];
  const moved = [...sentence.matchAll(MOVED_INTO)].map(([, path = ""]) => path);
  return [...(counted === undefined ? [] : [counted]), ...moved].flatMap((code) => {
    const path = withinTree(code.trim(), tree).replace(/^\.\//, "");
    return isFile(path) ? [{ path, how: "modified" as const, isPart: true as const }] : [];
  });
}

/** A path as it is called in a tree, where it is known in which. */
export function withinTree(path: string, tree: string | undefined): string {
  return tree !== undefined && path.startsWith(`${tree}/`) ? path.slice(tree.length + 1) : path;
}

type Deed = Omit<FileDeed, "path">;

/** By the last verb before it; a file that the verb is not about is an aside. */
function deedBefore(
  sentence: string,
  verbs: readonly Verb[],
  at: number,
): Deed | "aside" | undefined {
  const verb = verbs.findLast(({ to }) => to <= at);
  if (verb === undefined) return undefined;
  const text = sentence.slice(verb.to, at);
  const files = [...text.matchAll(QUOTED)].filter(({ 1: code = "" }) => isFile(code.trim()));
  const [first, last] = [files[0], files.at(-1)];
  // The verb is about the first file, and about others only as far as they are listed with it.
  const head = text.slice(0, first?.index).replace(QUOTED, blank);
  const between = last && text.slice(last.index + last[0].length);
  const behind = sentence.slice(sentence.indexOf("`", at + 1) + 1);
  const file = sentence.slice(at);
  const ofTests = first === undefined ? testsIn(verb, head, file) : undefined;
  if (ofTests !== undefined) return ofTests;
  if (isAsideIn(head, verb, file) || isAsideBehind(verb, between, behind)) return "aside";
  if (OF_ITS_OWN.test(behind) || WITHIN.test(head) || isPutInto(verb, between)) {
    return partOf(verb);
  }
  if (isCalledAfter(verb, behind)) return "aside";
  const isNew = verb.isNew || (verb.how === "added" && NEW.test(text.replace(QUOTED, blank)));
  return { how: verb.how, ...(isNew ? { isNew: true as const } : {}) };
}

/** Of tests that were added it is said in which file they are; what they are for is none. */
function testsIn(verb: Verb, head: string, file: string): Deed | "aside" | undefined {
  if (verb.isOthers || verb.how !== "added" || !TESTS_IN.test(head)) return undefined;
  if (!TEST_NAME.test(file)) return undefined;
  const behind = file.slice(file.indexOf("`", 1) + 1);
  if (ELSEWHEN.test(behind)) return "aside";
  return A_NEW_FILE.test(behind) ? { how: "added", isNew: true } : partOf(verb);
}

/** By what stands between the verb and its first file. */
function isAsideIn(head: string, { how, isOthers }: Verb, file: string): boolean {
  if (isOthers || (how === "added" && IMPORTED.test(head))) return true;
  return ASIDE.test(head) && !(OF_TESTS_IN.test(head) && TEST_NAME.test(file));
}

/** By what stands between the file before it and this one, and behind this one. */
function isAsideBehind({ how }: Verb, between: string | undefined, behind: string): boolean {
  if (between !== undefined && (!AND.test(between) || isOrigin(how, between))) return true;
  if (ELSEWHEN.test(behind)) return true;
  if (how === "modified") return false;
  const into = (how === "added" ? INTO_FILE : FROM_FILE).exec(behind)?.[1]?.trim();
  if (into !== undefined && isFile(into)) return true;
  if (OF_A_NAME.test(behind)) return true;
  // Not a file is then added or removed, but its name, in a list of such.
  return OF_A_LIST.test(behind) && !OF_A_PLACE.test(behind);
}

/** Of two files the second one is what the first was put into, or taken from. */
function isPutInto({ how }: Verb, between: string | undefined): boolean {
  if (between === undefined || how === "modified") return false;
  return (how === "added" ? /^\s(?:(?:in)?to|in)\s/i : /^\s(?:from|in)\s/i).test(between);
}

/** Then the file itself is not what was added or removed, or is gone again. */
const isCalledAfter = ({ how }: Verb, behind: string): boolean =>
  how !== "modified" && (CALLED_AFTER.test(behind) || (how === "added" && TAKEN_BACK.test(behind)));

/** What a new file was made from is none. */
const isOrigin = (how: Verb["how"], between: string): boolean =>
  how === "added" && /^\s(?:also\s)?from\s/i.test(between);

function partOf({ how }: Verb): Deed {
  return { how: "modified", ...(how === "modified" ? {} : { isPart: true as const }) };
}

/** Whether what is quoted is called like a file. */
export const isFile = (path: string): boolean => PLACED.test(path) || BARE.test(path);

function deedAfter(sentence: string, verbs: readonly Verb[], at: number): Deed | undefined {
  const verb = verbs.find(({ from }) => from >= at);
  if (verb === undefined || verb.isOthers) return undefined;
  const between = sentence.slice(at, verb.from).replace(QUOTED, blank);
  if (!OF_IT.test(between) || ELSEWHEN.test(sentence.slice(verb.to))) return undefined;
  const isWhole = PASSIVE.test(between) || AT_THE_END.test(sentence.slice(verb.to));
  if (verb.how === "deleted" && !isWhole) return partOf(verb);
  return { how: verb.how, ...(verb.isNew && isWhole ? { isNew: true as const } : {}) };
}

/** As long as before, so that places stay what they are; what is quoted is not said. */
const blank = (quote: string): string => " ".repeat(quote.length);

function toVerb({ 0: word, 1: added, 2: modified, index }: RegExpExecArray, words: string): Verb {
  const how = added !== undefined ? "added" : modified !== undefined ? "modified" : "deleted";
  const isNew = word.toLowerCase() === "created";
  const isOthers = OTHERS.test(words.slice(Math.max(0, index - SUBJECT_CHARS_MAX), index));
  return { from: index, to: index + word.length, how, isNew, isOthers };
}
