import { SwornError } from "../base/index.ts";
import type { Entry } from "../schema/index.ts";
import { table } from "./table.ts";

const GIST_CHARS = 72;

/** Entries, one a line. Text in them is somebody else's: control characters are never printed raw. */
export function entryRows(entries: readonly Entry[]): string {
  const rows = entries.map((entry) => [
    String(entry.seq),
    entry.at,
    `${entry.actor.agent} (${entry.actor.role})`,
    entry.type,
    gist(entry),
  ]);
  return `${table(["SEQ", "AT", "BY", "WHAT", ""], rows)}\n`;
}

function gist({ body }: Entry): string {
  const text = Object.entries(body)
    .filter(([, value]) => typeof value === "string" || typeof value === "number")
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
  const printable = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
  return printable.length > GIST_CHARS ? `${printable.slice(0, GIST_CHARS - 1)}…` : printable;
}

/** @throws SwornError `INPUT_INVALID` unless the text is a whole number. */
export function wholeNumber(what: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new SwornError("INPUT_INVALID", `${what}: expected a whole number, found "${text}"`);
}
