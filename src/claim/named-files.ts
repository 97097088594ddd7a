import { isFile } from "./file-deeds.ts";
import { SENTENCE_START, type Sentence } from "./sentences.ts";

const CODE = /(`[^`\n]{1,300}`)/;
const NAME = String.raw`[\p{L}\p{N}_.@-]{1,200}`;
/** Endings that words of prose do not have. */
const ENDING =
  "(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|cc|cpp|hpp|cs|php|sh|bash|sql|json|ya?ml|toml|xml|html?|css|scss|mdx?|txt|vue|svelte|lock|proto|graphql|tf|gradle)";
const PLAIN = new RegExp(
  String.raw`(?<![\p{L}\p{N}_/@.:\\#?=&<-])(?:\./)?((?:${NAME}/){0,20}${NAME}\.${ENDING})(?![\p{L}\p{N}_/@\\(<=-]|:\d|\.[\p{L}\p{N}])`,
  "giu",
);
/** Called like files, and none: libraries, and hosts in front of a path. */
const LIBRARY =
  /^(?:\p{Lu}[\p{L}\d]*|node|next|nuxt|vue|react|express|three|d3|chart|ember|nest|solid|socket|discord|moment|day|p5|pdf|alpine|backbone|require)\.js$/u;
const HOST = /^(?:@|[^/]+\.(?:com|org|net|io|dev|app|ai|co)\/)/i;
const LINK = /\[(?:\*\*|__)?`?([^\][`*\n]{1,300})`?(?:\*\*|__)?\]\([^()\s]{1,1000}\)/g;
const STRONG = /(?:\*\*|__|\*)(`[^`\n]{1,300}`)(?:\*\*|__|\*)/g;

/** A sentence with the names of files in it marked as code, as most agents mark them, also without links around. */
export function withNames(sentence: string): string {
  if (!/[.][\p{L}\d]/u.test(sentence)) return sentence;
  const linked = sentence.replace(LINK, (all, text: string) =>
    isFile(text) ? ` \`${text}\`` : all,
  );
  const named = linked
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(PLAIN, marked)))
    .join("");
  return named.replace(STRONG, "$1");
}

function marked(all: string, path: string): string {
  return LIBRARY.test(path) || HOST.test(path) || !isFile(path) ? all : `\`${path}\``;
}

const QUOTED = "`[^`\\n]{1,300}`";
const LISTED = new RegExp(
  String.raw`(${SENTENCE_START})(?:(?:new|added|created)(?:\s(?:files?|modules?|scripts?|tests?))?(?:\*\*|__)?\s?[:–—-]\s?(?:\*\*|__)?\s?)(?=${QUOTED})`,
  "iu",
);
const MARKS = new RegExp(
  String.raw`(${QUOTED})\s?(?:\*|_)?\((new|added|created|deleted|removed|modified|updated|changed)(?:\s(?:files?|module|script))?\)`,
  "giu",
);
const DEED: ReadonlyMap<string, string> = new Map([["new", "created"]]);
const BEGINS = new RegExp(
  String.raw`^(${SENTENCE_START.slice(1)})(?=${QUOTED}(?:\s?[:–—|,(]|\s-\s|\s*$))`,
  "iu",
);
const IS_NEW = new RegExp(
  String.raw`^${SENTENCE_START.slice(1)}${QUOTED}\s?(?:[:–—|]|-\s)\s?(?:an?\s)?new\s`,
  "iu",
);
const HEADS: readonly (readonly [string, RegExp])[] = [
  [
    "created",
    /^[\W_]*(?:new|added|created)\s(?:files?|modules?|scripts?)[\W_]*$|^[\W_]*files?\s(?:(?:I|we|that\swere|were)\s)?(?:added|created)[\W_]*$/i,
  ],
  [
    "deleted",
    /^[\W_]*(?:deleted|removed)\sfiles?[\W_]*$|^[\W_]*files?\s(?:(?:I|we|that\swere|were)\s)?(?:deleted|removed)[\W_]*$/i,
  ],
  [
    "updated",
    /^[\W_]*(?:modified|updated|changed|edited)\sfiles?[\W_]*$|^[\W_]*files?\s(?:(?:I|we|that\swere|were)\s)?(?:modified|updated|changed|edited|touched)[\W_]*$/i,
  ],
];

/** What a list says of its files by its heading or a mark, in the words in which prose says it. */
export function asListed({ lead }: Sentence, sentence: string): string {
  const marks = sentence
    .replace(MARKS, (_, path: string, word: string) => {
      const deed = word.toLowerCase();
      return `${path} was ${DEED.get(deed) ?? deed}`;
    })
    .replace(LISTED, "$1created ");
  if (marks !== sentence) return marks;
  const verb = IS_NEW.test(sentence)
    ? "created"
    : HEADS.find(([, head]) => head.test(lead ?? ""))?.[0];
  return verb === undefined ? sentence : sentence.replace(BEGINS, `$1${verb} `);
}
