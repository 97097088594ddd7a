import { decodeUtf8, messageOf, parseJson, SwornError } from "../../base/index.ts";
import { checkPlan, type GateFacts, type GateReport } from "../../plan/index.ts";

/** The largest plan file that is read. */
export const PLAN_BYTES_MAX = 8_388_608;

/** Judges the bytes of a plan file; bytes that are no JSON are a plan of no shape, and not an error of ours. */
export function judgePlan(bytes: Uint8Array, facts: GateFacts = {}): GateReport {
  const parsed = parsePlan(bytes);
  if ("value" in parsed) return checkPlan(parsed.value, facts);
  const violations = [{ rule: "shape", path: "", message: parsed.problem } as const];
  return {
    ...{ form: "verimap", ready: false, points: 0, deductions: [] },
    ...{ violations, questions: [], notes: [] },
  };
}

function parsePlan(bytes: Uint8Array): { value: unknown } | { problem: string } {
  try {
    return { value: parseJson(decodeUtf8(bytes), PLAN_BYTES_MAX) };
  } catch (error) {
    if (!(error instanceof SwornError)) throw error;
    return { problem: `it cannot be read as JSON: ${messageOf(error).replace(/^not JSON: /, "")}` };
  }
}
