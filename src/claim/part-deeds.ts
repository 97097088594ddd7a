import { isFile } from "./file-deeds.ts";
import { withNames } from "./named-files.ts";
import { isOpen, isReported, ownWords, withoutAim } from "./not-said.ts";
import { readSentences, SENTENCE_START } from "./sentences.ts";

/** Somebody's word that something in the source was made, changed or taken away, by the name that it has there. */
export interface PartDeed {
  readonly text: string;
  readonly name: string;
  readonly how: "added" | "modified" | "deleted";
  /** What the project needs of others, and not something of its own. */
  readonly isDependency: boolean;
  /** The file that it is said to be in. */
  readonly path?: string;
}

const CLAIMS_MAX = 100;
const VERBS: Readonly<Record<PartDeed["how"], string>> = {
  added: "added|introduced|implemented|wrote|created|installed",
  modified:
    "fixed|updated|changed|modified|refactored|rewrote|reworked|patched|corrected|optimi[sz]ed|simplified|extended|bumped|upgraded|downgraded",
  deleted: "removed|deleted|dropped|uninstalled",
};
const CODE = String.raw`\x60([^\x60\n]{1,200})\x60`;
/** Whoever speaks did it, or nobody else is named. */
const BY = String.raw`(?:${SENTENCE_START}(?:(?:also|then|now|finally),?\s)?|\b(?:I|we)(?:['’]ve|\shave)?\s(?:also\s|then\s|just\s|now\s)?|,\s(?:and\s)?(?:also\s)?|\band\s(?:also\s|then\s)?)`;
const VERB = `(?:(?<added>${VERBS.added})|(?<modified>${VERBS.modified})|(?<deleted>${VERBS.deleted}))`;
const KIND = String.raw`(?:(?:the|a|an|new|old|unused|missing|dev|runtime|private|public|exported|async|helper|utility|function|method|class|hook|component|package|dependency|library)\s){0,4}`;
const VERSION = String.raw`(?:\s\(?[\^~v]?\d[\w.^~-]{0,30}\)?|\s(?:from\s\S{1,30}\s)?to\s(?:version\s)?\x60?[\^~v]?\d[\w.^~-]{0,30}\x60?)?`;
const MANIFEST_WORDS = String.raw`(?:the\s|our\s|its\s)?(?:(?:project|dev|runtime|peer|optional|production)[\s-]?)?(?:dependencies|devDependencies|peerDependencies|requirements)`;
const form = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "giu");

/** "added `zod` to `package.json`", "fixed `parseAll()` in `src/parse.js`". */
const IN_FILE = form(
  BY,
  VERB,
  String.raw`\s${KIND}${CODE}${VERSION}\s(?:to|in|into|inside|from|of)\s(?:the\s)?(?:file\s)?${CODE}`,
);
/** "added `uuid` as a dependency", "removed `zod` from the dependencies". */
const DEPENDENCY = [
  form(BY, VERB, String.raw`\s${KIND}${CODE}${VERSION}\s(?:to|in|from)\s${MANIFEST_WORDS}\b`),
  form(
    BY,
    VERB,
    String.raw`\s${KIND}${CODE}${VERSION}\sas\s(?:an?\s)?(?:(?:new|dev|runtime|peer|direct|optional|development|production)\s){0,2}(?:dependency|devDependency|requirement)\b`,
  ),
  form(
    BY,
    String.raw`(?<modified>bumped|upgraded|downgraded)\s${KIND}${CODE}\s(?:from\s\S{1,30}\s)?to\s(?:version\s)?\x60?[\^~v]?\d`,
  ),
];
/** "updated `parseLine()`", "fixed the bug in `parseAll()`". */
const FUNCTION = String.raw`\x60([\p{L}_$][\p{L}\p{N}_$.:]{0,100}\([^()\x60\n]{0,60}\))\x60`;
const ITSELF = form(BY, VERB, String.raw`\s${KIND}${FUNCTION}(?!['’])`);
const BUG_IN = form(
  BY,
  String.raw`(?<modified>fixed)\s(?:the|a|an|this|that)\s(?:\p{L}{1,20}\s){0,2}(?:bug|issue|crash|problem|error|leak|race|handling|regression)\s(?:in|of|inside|within)\s(?:the\s)?${FUNCTION}`,
);
const MANIFEST =
  /(?:^|\/)(?:package\.json|deno\.jsonc?|pyproject\.toml|requirements[\w.-]*\.(?:txt|in)|setup\.(?:py|cfg)|pipfile|cargo\.toml|go\.mod|gemfile|[\w.-]+\.gemspec|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|libs\.versions\.toml|[\w.-]+\.csproj|directory\.packages\.props|mix\.exs|pubspec\.yaml|package\.swift|environment\.ya?ml)$/i;
/** Like the name of a package, and no key, script or flag of a manifest. */
const PACKAGE = /^(?:@[\w.-]{1,100}\/)?[a-zA-Z][\w.-]{0,100}$/;
/** Each form needs one of these. */
const MAY_SAY = new RegExp(`\\b(?:${Object.values(VERBS).join("|")})\\b`, "i");

/** Whether a file says what a project needs of others. */
export const isManifest = (path: string): boolean => MANIFEST.test(path);

/** Reads a text for what was done to functions, and to what a project needs, each by its name. */
export function partDeeds(text: string): PartDeed[] {
  return readSentences(text)
    .filter((one) => one.text.includes("`") && MAY_SAY.test(one.text) && !isOpen(one))
    .flatMap(({ text: one }) => {
      const own = withNames(withoutAim(ownWords(one)));
      if (!isReported(own.replace(/`[^`\n]{1,300}`/g, "`x`"))) return [];
      return deedsIn(own).map((deed) => ({ ...deed, text: one }));
    })
    .slice(0, CLAIMS_MAX);
}

type Deed = Omit<PartDeed, "text">;

function deedsIn(sentence: string): Deed[] {
  const inFiles = [...sentence.matchAll(IN_FILE)].flatMap(inFileBy);
  const needed = DEPENDENCY.flatMap((one) => [...sentence.matchAll(one)]).flatMap((found) => {
    const name = nameOf(found);
    return PACKAGE.test(name) && !isFile(name)
      ? [{ name, how: howOf(found), isDependency: true }]
      : [];
  });
  const functions = [
    ...[...sentence.matchAll(ITSELF)].map((found) => toFunction(found)),
    ...[...sentence.matchAll(BUG_IN)].map((found) => toFunction(found)),
  ];
  const all = [...inFiles, ...needed, ...functions];
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at);
}

function inFileBy(found: RegExpExecArray): Deed[] {
  const [, , , , name = "", path = ""] = found;
  if (!isFile(path.trim()) || isFile(name.trim())) return [];
  const plain = name.trim();
  const file = path.trim().replace(/^\.\//, "");
  const isDependency = isManifest(file) && PACKAGE.test(plain);
  return [{ name: plain, how: howOf(found), isDependency, path: file }];
}

const toFunction = (found: RegExpExecArray): Deed => ({
  name: nameOf(found),
  how: howOf(found),
  isDependency: false,
});

/** The last group that is none of a verb. */
const nameOf = (found: RegExpExecArray): string => (found.at(-1) ?? "").trim();

function howOf({ groups }: RegExpExecArray): PartDeed["how"] {
  if (groups?.["added"] !== undefined) return "added";
  return groups?.["deleted"] === undefined ? "modified" : "deleted";
}
