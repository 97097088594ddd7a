import { commentText } from "./comment-name.ts";
import { extensionOf } from "./name-like.ts";

/**
 * What every line that leaves something out holds; all other lines are passed over at once, and dots
 * that spread a value are no such thing unless they begin a comment.
 */
const HINT =
  /(?:\/\/|#|\*|--|;|%)[ \t]{0,4}\.\.\.|["']\.\.\.["']|\.\.\.(?![\w$[({"'.])|…|existing|previous|original|remain|\brest\b|keep|unchanged|omitted|elided|truncated|snip|same as|the same|as before|as above|\betc\b|and so |for (?:the )?other|brevity|no change|else (?:stays|is)|continue/gi;

/** Runs of dots are one character by then: a pattern with several runs in it would be slow. */
const DOTS = "…";
const THINGS = String.raw`(?:code|contents?|file|imports?|methods?|functions?|class(?:es)?|implementations?|logic|fields?|routes?|tests?|config\w*|props|styles?|lines?|handlers?|components?|properties|entries|dependencies|scripts?|modules?|cases|types?|rules?|definitions?|setup)`;
const LEFT_OUT: readonly RegExp[] = [
  new RegExp(`^[\\[(<{]*\\s*${DOTS}[\\s.…]*[\\])>}]*$`),
  /^\W*(?:etc|and so (?:on|forth)|(?:the )?rest|as above|ditto)\W*$/i,
  new RegExp(`^[\\[(<{]*\\s*${DOTS}.*${DOTS}\\s*[\\])>}]*$`),
  new RegExp(
    `^[\\[(<{]*\\s*${DOTS}.*\\b(?:rest|existing|remaining|other|others|previous|same|unchanged|more|before|omitted|truncated|snip|keep|etc|${THINGS})\\b`,
    "i",
  ),
  new RegExp(
    `\\b(?:rest|existing|remaining|other|previous|same|unchanged|omitted|more)\\b.*${DOTS}[\\])>}]*$`,
    "i",
  ),
  new RegExp(
    `^\\W*(?:\\w+ ){0,4}(?:rest|remainder) of (?!an? )(?:the |your |this |my |our )?(?:[\\w.-]+ )?${THINGS}\\b`,
    "i",
  ),
  new RegExp(
    `^\\W*(?:the |your |all |other |keep |keep the |keep all )*(?:existing|previous|original|remaining|other|unchanged) (?:[\\w.-]+ )?${THINGS}(?: (?:here|goes here|go here|above|below|unchanged|stays?|remains?|is unchanged|are unchanged|omitted)(?: (?:here|unchanged|the same|as is|as before))?)?\\W*$`,
    "i",
  ),
  /\b(?:rest|existing|remaining|other|previous)\b.*\b(?:omitted|unchanged|elided|truncated)\b/i,
  /\b(?:other|remaining|existing)\b.*\b(?:stays?|remains?|are|is) (?:the same|unchanged|as is|as before)\b/i,
  /^\W*(?:add|implement|repeat|include|put|insert)\b.*\b(?:rest|remaining|other|existing)\b.*\b(?:here|similarly|likewise|below|above|too|fields|methods|ones)\W*$/i,
  /^\W*(?:(?:code|content|everything else|all else|the rest|rest) )?(?:is |are |remains? |stays? )?(?:unchanged|omitted|truncated|elided|snip|snipped)(?:\W*$| (?:for|here|code|above|below|from|in|the)\b)/i,
  /\b(?:for brevity|same as (?:before|above|earlier|previously|(?:the )?original)(?=\W*$)|no changes? (?:here|below|above|needed)|(?:everything|all) else (?:stays|remains|is) (?:the same|unchanged|as (?:is|before|it (?:is|was)))|keep (?:the |all |your )?(?:rest|existing|remaining)|(?:rest|remaining \w+) (?:stays?|remains?|is|are) (?:the same|unchanged|as (?:is|before|it (?:is|was))))\b/i,
  /^\W*(?:file |code )?continue[sd](?: (?:here|below|in (?:the )?next .*|from .*))?\W*$/i,
];
/** A line that consists of dots is code in Python and marks ends in YAML; in prose it is prose. */
const DOTS_MEAN_MORE = new Set([
  "py",
  "pyi",
  "pyx",
  "yaml",
  "yml",
  "md",
  "mdx",
  "txt",
  "rst",
  "adoc",
  "tex",
  "csv",
]);
const PROSE = new Set(["md", "mdx", "txt", "rst", "adoc", "tex", "csv", "tsv"]);
/** A comment that leaves something out is short. */
const LINE_CHARS_MAX = 200;
const PHRASE_CHARS_MAX = 70;

/**
 * The first line of a file that stands for lines which are not there (`// ... rest of the file`),
 * counted from 1, or undefined. Each line is looked at once, whatever it holds.
 */
export function findElision(
  path: string,
  content: string,
): { line: number; text: string } | undefined {
  HINT.lastIndex = 0;
  for (let found = HINT.exec(content); found !== null; found = HINT.exec(content)) {
    const from = content.lastIndexOf("\n", found.index) + 1;
    const feed = content.indexOf("\n", found.index);
    const to = feed < 0 ? content.length : feed;
    if (to - from <= LINE_CHARS_MAX && isElision(path, content.slice(from, to))) {
      return { line: lineAt(content, from), text: content.slice(from, to).trim() };
    }
    HINT.lastIndex = to;
  }
  return undefined;
}

function isElision(path: string, line: string): boolean {
  const extension = extensionOf(path);
  const text = line.trim().replace(/\.{3,}|…+/g, DOTS);
  if (PROSE.has(extension)) return /^<!--.*-->$/.test(text) && isLeftOut(text.slice(4, -3).trim());
  const comment = commentText(text) ?? trailingComment(text);
  if (comment !== undefined && isLeftOut(comment)) return true;
  if (DOTS_MEAN_MORE.has(extension)) return /^[[(<]\s*….*\S.*[\])>]$/.test(text) && isLeftOut(text);
  if (/^\* .*….*[a-z]/i.test(text)) return isLeftOut(text.slice(2));
  // `...args` spreads; dots with nothing or a space behind them, or in braces of their own, do not.
  return (
    /^[<[(-]*\s*snip(?:ped)?\s*[>\])-]*$|^["']…["']\s*:/i.test(text) ||
    /^[[(<{]*\s*…(?:[\s,;\]>}]*$|\s+[A-Za-z([].*$)/.test(text) ||
    /^[^"'`/#]*\{\s*…\s*\}[;,)\s]*$/.test(text) ||
    /^[^"'`]*\/\*\s*…[^*]*\*\//.test(text)
  );
}

function isLeftOut(text: string): boolean {
  // A sentence of some length explains something; with dots in it, it may still stand for more.
  if (text.length > PHRASE_CHARS_MAX && !text.includes(DOTS)) return false;
  return LEFT_OUT.some((pattern) => pattern.test(text));
}

/** The comment at the end of a line with code. */
function trailingComment(text: string): string | undefined {
  if (text.startsWith("*") || !/[ ](?:\/[/*]|#|--)/.test(text)) return undefined;
  const at = Math.max(...[" //", " #", " --", " /*"].map((mark) => text.lastIndexOf(mark)));
  if (at <= 0) return undefined;
  return text
    .slice(at)
    .replace(/^[ /#*-]+|\s*\*\/\s*\S{0,3}$/g, "")
    .trim();
}

function lineAt(content: string, offset: number): number {
  let line = 1;
  for (let at = content.indexOf("\n"); at >= 0 && at < offset; at = content.indexOf("\n", at + 1))
    line += 1;
  return line;
}
