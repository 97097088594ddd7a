import type { Entry } from "../schema/index.ts";
import { table } from "./table.ts";

const GIST_CHARS = 72;

/** Entries, one a line. */
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
  const line = text.replaceAll("\n", "\u23ce");
  return line.length > GIST_CHARS ? `${line.slice(0, GIST_CHARS - 1)}…` : line;
}
