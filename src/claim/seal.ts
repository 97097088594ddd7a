import { Seal } from "../schema/contract.ts";
import type { Block } from "./block.ts";
import type { ParsedSeal } from "./parsed-report.ts";
import { type PseudoValue, readPseudoObject } from "./pseudo-object.ts";

/** How the paragraph of a Seal starts. */
export const SEAL = /^\s{0,3}(?:\*\*)?SEAL:(?:\*\*)?/;
const SEAL_LINES_MAX = 100;

/**
 * Finds the last Seal of a report. Only blocks of the outermost level are looked at: a Seal in a
 * fence, a quote or a list is somebody's example, or reviewed text that wants to be believed.
 */
export function findSeal(
  blocks: readonly Block[],
  lines: readonly string[],
): ParsedSeal | undefined {
  const at = blocks.findLastIndex((block) => block.kind === "paragraph" && SEAL.test(block.text));
  const start = blocks[at];
  if (start === undefined) return undefined;
  const line = start.line;
  const close = blocks.findIndex((block, index) => index > at && isRule(block));
  const end = blocks[close];
  if (!isRule(blocks[at - 1]) || end === undefined) {
    return { line, problem: "expected a line --- before and after the Seal" };
  }
  const between = blocks.slice(at + 1, close);
  const isProse = between.every(
    (block) => block.kind === "paragraph" || (block.kind === "code" && !block.isFenced),
  );
  if (!isProse || end.line - line > SEAL_LINES_MAX) {
    return { line, problem: "expected nothing but the Seal between its --- lines" };
  }
  const body = lines
    .slice(line - 1, end.line - 1)
    .join("\n")
    .replace(SEAL, "");
  const result = readSeal(body);
  if (typeof result === "string") return { line, problem: result };
  const isLast = lines.slice(end.line).every((after) => after.trim() === "");
  return { seal: result, line, isLast };
}

const isRule = (block: Block | undefined): boolean => block?.kind === "break" && block.isDashes;

function readSeal(text: string): Seal | string {
  const members = readPseudoObject(text);
  if (typeof members === "string") return members;
  const seal: Record<string, unknown> = {};
  for (const [name, read] of READERS) {
    const value = members.get(name);
    if (value === undefined) continue;
    const result = read(value);
    if (result === undefined)
      return `${name} is "${value.text.slice(0, 50)}", which is no value for it`;
    seal[name] = result;
  }
  const parsed = Seal.safeParse(seal);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${issue?.path.join(".") ?? "the Seal"}: ${issue?.message ?? "not readable"}`;
}

/** Members we know; others are left alone, because other kinds of agents add their own. */
const READERS: readonly (readonly [keyof Seal, (value: PseudoValue) => unknown])[] = [
  ["findings", toCount],
  ["evidence_verified", toBoolean],
  ["confidence", toPoints],
  ["self_reviewed", toBoolean],
  ["self_review_actions", ({ text }) => text],
  ["clarifications_flagged", toCount],
  ["nonce", ({ text }) => text],
];

function toCount({ text }: PseudoValue): number | undefined {
  return /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}

function toBoolean({ text }: PseudoValue): boolean | undefined {
  if (/^(?:true|yes)$/i.test(text)) return true;
  return /^(?:false|no)$/i.test(text) ? false : undefined;
}

/** Written as 0 to 1, or in percent; a bare 85 could mean anything. */
function toPoints({ text }: PseudoValue): number | undefined {
  const match = /^(\d{1,3}(?:\.\d{1,10})?|\.\d{1,10})\s?(%)?$/.exec(text);
  if (match === null) return undefined;
  const points = match[2] === "%" ? Number(match[1]) : Number(match[1]) * 100;
  return points <= 100 ? Math.round(points) : undefined;
}
