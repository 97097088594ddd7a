import type { PlanSubtask } from "../../schema/plan.ts";
import type { WorkProof } from "../../schema/work-proof.ts";
import type { FixedSentence, HealthRequest } from "./fixed-sentences.ts";
import type { Violation } from "./gate-report.ts";
import type { ReadCheck, ReadSubtask } from "./read-subtask.ts";
import { findStartCommand, START_EXAMPLE } from "./start-command.ts";
import { findTestNames } from "./test-names.ts";

/** A proof's texts are bounded closer than a plan's. */
export const CRITERION_CHARS_MAX = 10_000;

/** A subtask in our own form, and what of it could not be brought there. */
export interface Lowered {
  readonly subtask: PlanSubtask;
  readonly violations: readonly Violation[];
}

/**
 * Brings a subtask into our own form with all its proofs: what `proofs` says afterwards is what the
 * runtime runs. Proofs that the file has stay as they are; its assertions and its test join them.
 * Checks in words are turned into proofs only where the file has none of its own.
 */
export function lowerSubtask(read: ReadSubtask): Lowered {
  const { subtask, path } = read;
  const { tests } = read;
  const asserted = subtask.verification_functions.python_assertions
    .filter((assertion) => assertion.length <= CRITERION_CHARS_MAX)
    .map((assertion) => ({ kind: "python", assertion }) as const);
  const { proofs, violations } =
    read.proofs === undefined ? lowerWords(read) : { proofs: read.proofs, violations: [] };
  const all = unlike([
    ...tests.map((test) => ({ kind: "test", ...test }) as const),
    ...asserted,
    ...proofs,
  ]);
  const [test] = tests;
  const lowered = { ...subtask, ...(test ? { test } : {}), proofs: all };
  if (all.length > 0) return { subtask: lowered, violations };
  const message = "nothing can be proven about it: give it checks, or proofs";
  return { subtask: lowered, violations: [...violations, { rule: "unprovable", path, message }] };
}

/** What the checks in words and the fixed sentences of the instruction come to. */
function lowerWords(read: ReadSubtask): {
  readonly proofs: readonly WorkProof[];
  readonly violations: readonly Violation[];
} {
  const proofs: WorkProof[] = [];
  const violations: Violation[] = [];
  for (const check of [...read.worded, ...read.stated]) {
    const lowered = lowerCheck(check, read);
    if (typeof lowered === "string") {
      violations.push({ rule: "unprovable", path: check.path, message: lowered });
    } else proofs.push(...lowered);
  }
  return { proofs, violations };
}

/** The proofs of a check in words, or why there are none. */
function lowerCheck(check: ReadCheck, { subtask }: ReadSubtask): readonly WorkProof[] | string {
  const { text, fixed, behaviour } = check;
  if (text.length > CRITERION_CHARS_MAX) {
    return `it has ${text.length} characters, expected at most ${CRITERION_CHARS_MAX}: split it`;
  }
  if (fixed !== undefined) return lowerFixed(fixed, subtask.instruction);
  // Its own rule says what is wrong with its shape.
  if (typeof behaviour === "string") return [];
  const outcome = behaviour?.outcome ?? text;
  if (subtask.type === "CODE" && findTestNames(outcome).length > 0) return [];
  return behaviour === undefined ? lowerPlain(text) : [{ kind: "judge", criterion: text }];
}

/** A sentence that demands something can be judged; any other has no way to fail. */
function lowerPlain(text: string): WorkProof[] | string {
  return /\b(?:must|never|only|exactly|every|each)\b/i.test(text)
    ? [{ kind: "judge", criterion: text }]
    : "no proof can check it: write GIVEN … WHEN … THEN …, or say what must hold";
}

function lowerFixed(fixed: FixedSentence, instruction: string): readonly WorkProof[] | string {
  if ("problem" in fixed) return `it cannot be turned into a proof: ${fixed.problem}`;
  return fixed.kind === "health" ? lowerHealth(fixed.request, instruction) : fixed.proofs;
}

function lowerHealth(request: HealthRequest, instruction: string): WorkProof[] | string {
  const started = findStartCommand(instruction);
  if (typeof started === "string") return started;
  const port = request.port ?? started.port;
  if (port === undefined || port < 1 || port > 65_535) {
    return `nothing says on which port the service listens: ${START_EXAMPLE}`;
  }
  const { path, status, body } = request;
  const wanted = { path, status, ...(body === undefined ? {} : { body }) };
  return [{ kind: "http", start: [...started.argv], port, ...wanted, seconds: 30 }];
}

function unlike(proofs: readonly WorkProof[]): WorkProof[] {
  const seen = new Set<string>();
  return proofs.filter((proof) => {
    const key = keyOf(proof);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function keyOf(proof: WorkProof): string {
  if (proof.kind === "python") return `python ${proof.assertion}`;
  if (proof.kind === "judge" && proof.rubric === undefined) return `judge ${proof.criterion}`;
  return proof.kind === "test" ? `test ${proof.name} ${proof.file ?? ""}` : JSON.stringify(proof);
}
