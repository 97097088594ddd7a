import { isNameLike } from "./name-like.ts";

/** A `--- name ---` line: the beginning of a file, or the end of the one before. */
export type HeaderLine =
  | { readonly kind: "begin"; readonly name: string }
  | { readonly kind: "end" };

const CHARS_MAX = 1_200;
const DASHES_MIN = 3;
const END = /^(?:end|eof|end of file|end file|end of \S.*|\/\S.*)$/i;

/**
 * Reads a header: `--- src/a.ts ---`, `--- src/a.ts: ---`, `--- filename: src/a.ts ---`, and
 * `--- end ---`. A rule with other words in it is none.
 */
export function headerLine(line: string): HeaderLine | undefined {
  if (line.length > CHARS_MAX || !line.startsWith("---")) return undefined;
  const inner = betweenDashes(line.trimEnd());
  if (inner === undefined) return undefined;
  if (END.test(inner)) return { kind: "end" };
  const said = /^(?:file|filename|filepath|path)[ \t]*:[ \t]*(\S.*)$/i.exec(inner)?.[1];
  const name = unquoted((said ?? inner).replace(/[ \t]*:$/, ""));
  return said !== undefined || isNameLike(name) ? { kind: "begin", name } : undefined;
}

function unquoted(name: string): string {
  return /^`[^`]+`$/.test(name) ? name.slice(1, -1) : name;
}

/** What stands between dashes at both ends; by hand, since a line of dashes costs a pattern too much. */
function betweenDashes(line: string): string | undefined {
  let [from, to] = [0, line.length];
  while (line.charAt(from) === "-") from += 1;
  while (to > from && line.charAt(to - 1) === "-") to -= 1;
  const isHeader =
    from >= DASHES_MIN && line.length - to >= DASHES_MIN && /^[ \t]/.test(line.charAt(from));
  const inner = line.slice(from, to).trim();
  return isHeader && inner !== "" ? inner : undefined;
}
