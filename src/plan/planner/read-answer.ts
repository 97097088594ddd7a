import type * as z from "zod";
import { messageOf, parseJson } from "../../base/index.ts";
import { toViolations } from "../gate/shape.ts";

const ANSWER_BYTES_MAX = 1 << 20;
const ISSUES_MAX = 50;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([a-zA-Z0-9]*)\s*$/;

/** What an answer says, or everything that keeps it from being one. */
export interface ReadAnswer<T> {
  readonly value: T | undefined;
  readonly violations: readonly string[];
}

/** The same, with what a check of its content finds; nothing that is wrong is taken. */
export function checked<T>(
  answer: ReadAnswer<T>,
  check: (value: T) => readonly string[],
): ReadAnswer<T> {
  if (answer.value === undefined) return answer;
  const violations = check(answer.value);
  return violations.length === 0 ? answer : { value: undefined, violations };
}

/** An answer of the right shape, whatever prose stands around its JSON. */
export function readAnswer<T>(text: string, shape: z.ZodType<T>): ReadAnswer<T> {
  const found = jsonIn(text);
  if ("why" in found) return { value: undefined, violations: [found.why] };
  const parsed = shape.safeParse(found.json);
  if (parsed.success) return { value: parsed.data, violations: [] };
  const faults = toViolations(parsed.error.issues, found.json).slice(0, ISSUES_MAX);
  const lines = faults.map(
    ({ path, message }) => `${path === "" ? "the answer" : path}: ${message}`,
  );
  return { value: undefined, violations: lines };
}

/**
 * The JSON in an answer: all of it, else its last code block, else what stands between the first
 * opening and the last closing brace. Three looks at most, each in one pass.
 */
function jsonIn(text: string): { json: unknown } | { why: string } {
  const whole = text.trim();
  if (whole === "") return { why: "the answer is empty: expected one JSON object" };
  const candidates = [
    whole,
    lastBlock(whole),
    whole.slice(whole.indexOf("{"), whole.lastIndexOf("}") + 1),
  ];
  let why = "";
  for (const candidate of candidates) {
    if (candidate === undefined || !candidate.startsWith("{")) continue;
    try {
      return { json: parseJson(candidate, ANSWER_BYTES_MAX) };
    } catch (error) {
      why = messageOf(error);
    }
  }
  const hint = why === "" ? "it holds no JSON object" : why;
  return { why: `the answer cannot be read: ${hint}; expected one JSON object and nothing else` };
}

function lastBlock(text: string): string | undefined {
  let open: { fence: string; from: number } | undefined;
  let last: string | undefined;
  let at = 0;
  for (const line of text.split("\n")) {
    const fence = FENCE.exec(line)?.[1];
    if (open !== undefined && fence?.startsWith(open.fence)) {
      last = text.slice(open.from, at).trim();
      open = undefined;
    } else if (open === undefined && fence !== undefined) {
      open = { fence, from: at + line.length + 1 };
    }
    at += line.length + 1;
  }
  return last;
}
