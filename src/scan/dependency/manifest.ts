import { parseJson } from "../../base/index.ts";
import { SourceLines } from "../kind/index.ts";
import type { SourceFile } from "../reviewer.ts";

/** A lockfile of a large project has some ten megabytes. */
const JSON_BYTES_MAX = 50_000_000;

type Members = Readonly<Record<string, unknown>>;

/** A JSON file with the lines of the members at its second level. */
export interface JsonFile {
  readonly file: SourceFile;
  readonly lines: SourceLines;
  readonly value: Members;
  /** The line of a member of a top-level object: `dependencies`, `zod`. */
  lineOf(section: string, key: string): number;
}

/** @throws SwornError for what is not JSON, is too large or too deep. */
export function readJson(file: SourceFile): JsonFile {
  const value = membersOf(parseJson(file.text, JSON_BYTES_MAX));
  const lines = new SourceLines(file);
  let offsets: Map<string, number> | undefined;
  return {
    file,
    lines,
    value,
    lineOf: (section, key) => {
      offsets ??= keyOffsets(file.text);
      return lines.lineAt(offsets.get(`${section}\n${key}`) ?? 0);
    },
  };
}

/** An object's members; none for anything else. */
export function membersOf(value: unknown): Members {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Members) : {};
}

/** Where the keys of the second level stand, in one pass over text that is known to be JSON. */
function keyOffsets(text: string): Map<string, number> {
  const offsets = new Map<string, number>();
  let [depth, section, last, lastAt] = [0, "", "", 0];
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    if (token.startsWith('"')) [last, lastAt] = [token, index];
    else if (token !== ":") depth += "{[".includes(token) ? 1 : -1;
    else if (depth === 1) section = JSON.parse(last) as string;
    else if (depth === 2) offsets.set(`${section}\n${JSON.parse(last) as string}`, lastAt);
  }
  return offsets;
}
