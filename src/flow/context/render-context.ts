import { fenced, visible } from "../../base/index.ts";
import type { Context, ContextPart } from "./context.ts";
import { type ContextBlock, plainTitle } from "./context-block.ts";
import type { Conflict } from "./find-conflicts.ts";

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

const PRECEDENCE = [
  "What is recorded here counts before what was learnt in training, and that before the web. Say where",
  "they differ. Quote the blocks as they are.",
].join("\n");

/**
 * A context as Markdown. Whatever others wrote stands in blocks that it cannot leave, with its address
 * and the hash of its whole text above it; between them stand our own words only. A part in which
 * there is nothing says so: silence would be taken for "none".
 */
export function renderContext(context: Context): string {
  const { project, task, conflicts, parts, withheld } = context;
  const of = task === null ? project : `${project}, task ${task}`;
  return [
    `# Internal context of ${of}`,
    PRECEDENCE,
    ...(conflicts.length === 0 ? [] : [conflictWords(conflicts)]),
    ...parts.map(partWords),
    ...(withheld === 0 ? [] : [withheldWords(withheld)]),
  ]
    .map((text) => `${text}\n`)
    .join("\n");
}

function conflictWords(conflicts: readonly Conflict[]): string {
  const items = conflicts.map(({ kind, about, between, holds, why }) =>
    [
      `- ${kind} ${JSON.stringify(plainTitle(about))}: ${why}`,
      ...between.map((address) => `  - ${address}${address === holds ? " (counts)" : ""}`),
    ].join("\n"),
  );
  return ["## Conflicts in the record", "", ...items].join("\n");
}

function partWords({ name, blocks, notes }: ContextPart): string {
  const nothing = blocks.length === 0 && notes.length === 0 ? ["Nothing is recorded."] : [];
  const said = notes.map((note) => visible(note));
  return [`## ${plainTitle(name)}`, ...said, ...blocks.map(blockWords), ...nothing].join("\n\n");
}

function blockWords(block: ContextBlock): string {
  const { title, address, by, at, classification, sha256, text, isCut, withheld } = block;
  const who = by === undefined ? "" : ` by ${by}${at === undefined ? "" : `, ${at}`}`;
  const head = [
    ...[`### ${title}`, "", `- address: ${address}`],
    `- sha256: ${sha256}, ${classification}${who}`,
  ];
  if (text === null) return [...head, `- withheld: ${withheld}`].join("\n");
  const cut = isCut ? ["- shown in part; ask for more with scope full, or for its address"] : [];
  const lines = text.split(LINE_BREAK).map((line) => visible(line.replaceAll("\t", "  ")));
  return [...head, ...cut, "", fenced("recorded text", lines)].join("\n");
}

function withheldWords(count: number): string {
  const what = count === 1 ? "1 block is" : `${count} blocks are`;
  return `${what} restricted and not shown. Do not guess what stands there.`;
}
