import { ProjectPath } from "../../schema/work-proof.ts";

/** What stands before and behind the first match. */
export function cutAt(text: string, separator: RegExp): [string, string] | undefined {
  const match = separator.exec(text);
  if (!match) return undefined;
  return [text.slice(0, match.index), text.slice(match.index + match[0].length)];
}

/** A name without the quotes or backticks around it. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  const inner = /^(?:"(?<a>[^"]*)"|'(?<b>[^']*)'|`(?<c>[^`]*)`|“(?<d>[^”]*)”)$/.exec(
    trimmed,
  )?.groups;
  return inner?.["a"] ?? inner?.["b"] ?? inner?.["c"] ?? inner?.["d"] ?? trimmed;
}

/** Whether it can be taken for a file of the project; a bare word cannot. */
export function isPath(text: string): boolean {
  return /[./]/.test(text) && !/\s/.test(text) && ProjectPath.safeParse(text).success;
}

/** What to say when it cannot. */
export function notAPath(text: string): string {
  return `"${text.slice(0, 100)}" is no path from the project's root, such as docs/guide.md`;
}
