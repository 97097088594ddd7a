import type { Entry } from "../schema/index.ts";
import { table } from "./table.ts";

/** A value up to this long is a name, a status or a number; it says most in the least space. */
const SHORT_CHARS = 32;

/** Entries, one a line; cut to the width of a terminal, whole everywhere else. */
export function entryRows(entries: readonly Entry[], columns?: number): string {
  const rows = entries.map((entry) => [
    String(entry.seq),
    entry.at,
    `${entry.actor.agent} (${entry.actor.role})`,
    entry.type,
    gist(entry),
  ]);
  const lines = table(["SEQ", "AT", "BY", "WHAT", ""], rows).split("\n");
  return `${lines.map((line) => cut(line, columns)).join("\n")}\n`;
}

/** The body in one line: names, states and numbers first, then texts, then lists of names, then hashes and keys. */
function gist({ body }: Entry): string {
  return Object.entries(body)
    .flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [{ name, text, rank: rankOf(text, Array.isArray(value)) }];
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ name, text }) => `${name}=${text.replaceAll("\n", "\u23ce")}`)
    .join(" ");
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string" || typeof value === "number") return String(value);
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isTexts && value.length > 0 ? value.join(", ") : undefined;
}

function rankOf(text: string, isList: boolean): number {
  if (/^([0-9a-f]{32}|[A-Za-z0-9+/]{43}=)/.test(text)) return 3;
  if (text.length > SHORT_CHARS) return 1;
  return isList ? 2 : 0;
}

function cut(line: string, columns: number | undefined): string {
  return columns === undefined || line.length <= columns
    ? line
    : `${line.slice(0, Math.max(0, columns - 1))}…`;
}
