/** A value of a Seal: what stands behind the colon, without quotes. */
export interface PseudoValue {
  readonly text: string;
  readonly isQuoted: boolean;
}

const KEY = /\s*(?:"([^"\n]{1,64})"|'([^'\n]{1,64})'|([A-Za-z_][\w-]{0,63}))\s*:[ \t]*/y;
const QUOTED = /"((?:[^"\\\n]|\\.){0,2000})"|'((?:[^'\\\n]|\\.){0,2000})'/y;
const BARE = /[^,{}\n"']{1,200}/y;
const NESTED = /\{([^{}]{0,2000})\}/y;
const COMMA = /[ \t]*(?:,\s*|\n\s*|(?=\s*\}))/y;
const MEMBERS_MAX = 50;

/**
 * Reads `{ key: value }` the way agents write it: keys without quotes, strings in either quote,
 * several lines, a comma missing at a line's end. Gives words for what is wrong with it otherwise.
 */
export function readPseudoObject(text: string): Map<string, PseudoValue> | string {
  const open = /^\s*\{\s*/.exec(text);
  if (open === null) return "expected { after SEAL:";
  const members = new Map<string, PseudoValue>();
  let at = open[0].length;
  while (!/^\s*\}/.test(text.slice(at, at + 100))) {
    const next = memberAt(text, at, members);
    if (typeof next === "string") return next;
    at = next;
  }
  const rest = text.slice(text.indexOf("}", at) + 1).trim();
  return rest === ""
    ? members
    : `expected nothing behind the closing }, found "${rest.slice(0, 30)}"`;
}

/** Reads one member into the map and gives where the next one starts, or what is wrong. */
function memberAt(text: string, at: number, members: Map<string, PseudoValue>): number | string {
  const key = matchAt(KEY, text, at);
  if (key === null) return `expected a name and a colon before "${text.slice(at, at + 30)}"`;
  const name = (key[1] ?? key[2] ?? key[3] ?? "").toLowerCase().replaceAll("-", "_");
  const value = valueAt(text, at + key[0].length);
  if (value === undefined) return `expected a value behind ${name}`;
  // Two readers could each take another one.
  if (members.has(name)) return `${name} is given twice`;
  members.set(name, value);
  if (members.size > MEMBERS_MAX) return `expected at most ${MEMBERS_MAX} members`;
  const comma = matchAt(COMMA, text, value.end);
  if (comma === null) return `expected a comma or the end of the line behind ${name}`;
  return value.end + comma[0].length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function valueAt(text: string, at: number): (PseudoValue & { readonly end: number }) | undefined {
  const quoted = matchAt(QUOTED, text, at);
  if (quoted !== null) {
    const inner = (quoted[1] ?? quoted[2] ?? "").replace(/\\(.)/g, "$1");
    return { text: inner, isQuoted: true, end: at + quoted[0].length };
  }
  const other = matchAt(NESTED, text, at) ?? matchAt(BARE, text, at);
  if (other === null || other[0].trim() === "") return undefined;
  const words = (other[1] ?? other[0]).replace(/\s+/g, " ").trim();
  return { text: words, isQuoted: false, end: at + other[0].trimEnd().length };
}
