import { isFile } from "./file-deeds.ts";

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
