import type { Verimap } from "../../schema/plan.ts";
import { gapsIn } from "./critique.ts";
import type { Violation } from "./gate-report.ts";

/** What a planner may write. */
const OUTPUT_TOKENS_MAX = 4_000;
/** A token is counted as four bytes of the plan without spaces: no model's own count is needed. */
const TOKEN_BYTES = 4;
const SENTENCE_CHARS_MAX = 200;

/** How many tokens a plan takes, by our count. */
export function tokensOf(plan: unknown): number {
  return toTokens(bytesOf(plan));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value), "utf8");
}

function toTokens(bytes: number): number {
  return Math.ceil(bytes / TOKEN_BYTES);
}

/** A plan that was shortened, and what was taken from it. */
export interface Cut {
  readonly plan: Verimap;
  readonly cuts: readonly string[];
  readonly tokens: number;
  readonly fits: boolean;
}

/** A text that may be shortened. */
type Shorten = (text: string) => string;

const STEPS: readonly {
  readonly what: string;
  readonly cut: (plan: Verimap, shorten: Shorten) => Verimap;
}[] = [
  { what: "interpretations_rejected: a name and a reason, one sentence each", cut: cutRejected },
  { what: "edge_cases: one sentence each", cut: cutEdgeCases },
  { what: 'cove_critique_summary: "N gaps found and patched"', cut: cutCritique },
];

/**
 * Shortens a plan in the source document's order, only as far as it has to: rejected readings, then edge
 * cases, then the critique. Checks, scope, negative contract, score and instructions stay as they are.
 */
export function cutToBudget(plan: Verimap): Cut {
  return cutFrom(plan, bytesOf(plan));
}

/** The whole is counted once; a cut takes off what it took from each text. */
function cutFrom(plan: Verimap, bytes: number): Cut {
  let now = plan;
  let left = bytes;
  const cuts: string[] = [];
  for (const { what, cut } of STEPS) {
    if (toTokens(left) <= OUTPUT_TOKENS_MAX) break;
    const before = left;
    now = cut(now, (text) => {
      const short = firstSentence(text);
      if (short.length < text.length) left -= bytesOf(text) - bytesOf(short);
      return short;
    });
    if (what.startsWith("cove")) {
      left -= bytesOf(plan.cove_critique_summary) - bytesOf(now.cove_critique_summary);
    }
    if (left < before) cuts.push(what);
  }
  const tokens = toTokens(left);
  return { plan: now, cuts, tokens, fits: tokens <= OUTPUT_TOKENS_MAX };
}

/**
 * A plan over budget that would fit without its prose is sent back; one that cannot fit is not, because
 * nothing that may be cut would help: that is said, and it goes on.
 *
 * @param text the plan as JSON, without spaces.
 */
export function checkBudget(
  plan: Verimap,
  text: string,
): { violations: Violation[]; notes: string[] } {
  const bytes = Buffer.byteLength(text);
  const tokens = toTokens(bytes);
  if (tokens <= OUTPUT_TOKENS_MAX) return { violations: [], notes: [] };
  const cut = cutFrom(plan, bytes);
  const over = `it takes ${tokens} of ${OUTPUT_TOKENS_MAX} tokens (${TOKEN_BYTES} bytes each)`;
  if (!cut.fits) {
    const rest = `${over}, and ${cut.tokens} with all prose cut: a plan of ${plan.subtasks.length} subtasks cannot fit, and is taken as it is`;
    return { violations: [], notes: [rest] };
  }
  const message = `${over}; shorten ${cut.cuts.join("; then ")}, which leaves ${cut.tokens}`;
  return { violations: [{ rule: "output-budget", path: "", message }], notes: [] };
}

function cutRejected(plan: Verimap, shorten: Shorten): Verimap {
  return {
    ...plan,
    interpretations_rejected: plan.interpretations_rejected.map((one) => ({
      interpretation: shorten(one.interpretation),
      rejected_because: shorten(one.rejected_because),
    })),
  };
}

function cutEdgeCases(plan: Verimap, shorten: Shorten): Verimap {
  return {
    ...plan,
    subtasks: plan.subtasks.map((subtask) => ({
      ...subtask,
      edge_cases: subtask.edge_cases.map(({ label, scenario }) => ({
        label,
        scenario: shorten(scenario),
      })),
    })),
  };
}

function cutCritique(plan: Verimap): Verimap {
  const gaps = gapsIn(plan.cove_critique_summary);
  const short = `${gaps} gaps found and patched`;
  // Without its number the summary says something that nobody else knows.
  const isShorter = gaps !== undefined && short.length < plan.cove_critique_summary.length;
  return isShorter ? { ...plan, cove_critique_summary: short } : plan;
}

function firstSentence(text: string): string {
  const end = /[.!?](?=\s)/u.exec(text)?.index;
  const sentence = end === undefined ? text : text.slice(0, end + 1);
  return sentence.length <= SENTENCE_CHARS_MAX
    ? sentence
    : `${[...sentence].slice(0, SENTENCE_CHARS_MAX - 1).join("")}…`;
}
