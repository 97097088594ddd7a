import { counted } from "../base/index.ts";
import type { Extraction, LineRange } from "../run/extract/index.ts";
import { table } from "./table.ts";

/** How many rows of one kind a person is shown; all of them are in the JSON. */
const LISTED_MAX = 100;
const CELL_CHARS_MAX = 200;

/** What was taken from which lines, what was refused and why, and what was passed over. */
export function extractionWords(
  { files, refused, aside, analysis }: Extraction,
  out: string | undefined,
): string {
  const taken = files.map(({ path, bytes, lines, form }) => [
    out === undefined ? "take" : "wrote",
    shown(path),
    range(lines),
    form,
    counted(bytes, "byte"),
  ]);
  const refusals = refused.map(({ path, lines, reason }) => [
    "refused",
    path === undefined ? "-" : shown(path),
    range(lines),
    shown(reason),
  ]);
  return [
    ...section(["", "FILE", "LINES", "NAME FROM", "SIZE"], taken),
    ...section(["", "FILE", "LINES", "WHY"], refusals),
    ...aside
      .slice(0, LISTED_MAX)
      .map(({ lines, reason }) => `left aside: lines ${range(lines)} (${reason})`),
    ...(aside.length > LISTED_MAX ? [`left aside: ${aside.length - LISTED_MAX} more`] : []),
    `${counted(files.length, "file")} ${out === undefined ? "found" : `written to ${out}`}, ${refused.length} refused`,
    ...(analysis === undefined
      ? []
      : [
          `task_analysis: lines ${range(analysis.lines)} are words about the task, and change nothing`,
        ]),
    ...(out === undefined && files.length > 0 ? ["Next: write them with --out <folder>"] : []),
  ].join("\n");
}

function section(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - LISTED_MAX;
  return [
    table(head, rows.slice(0, LISTED_MAX)),
    ...(more > 0 ? [`and ${more} more; --json has them all`] : []),
    "",
  ];
}

function range([from, to]: LineRange): string {
  return `${from}-${to}`;
}

/** A response is anybody's text: what could move a terminal's cursor or turn its direction is shown as a dot. */
function shown(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "·");
  return plain.length <= CELL_CHARS_MAX ? plain : `${plain.slice(0, CELL_CHARS_MAX - 1)}…`;
}
