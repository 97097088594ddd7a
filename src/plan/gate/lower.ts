import { type PlanSubtask, PROOFS_MAX } from "../../schema/plan.ts";
import type { WorkProof } from "../../schema/work-proof.ts";
import { coveredIn, isAsked, judgedIn } from "./covered.ts";
import type { FixedSentence, HealthRequest } from "./fixed-sentences.ts";
import type { Violation } from "./gate-report.ts";
import type { ReadCheck, ReadSubtask } from "./read-subtask.ts";
import { findStartCommand, START_EXAMPLE } from "./start-command.ts";
import { passingTests } from "./test-names.ts";

/** A proof's texts are bounded closer than a plan's. */
export const CRITERION_CHARS_MAX = 10_000;

/** A subtask in our own form, and what of it could not be brought there. */
export interface Lowered {
  readonly subtask: PlanSubtask;
  readonly violations: readonly Violation[];
}

/**
 * Brings a subtask into our own form with all its proofs: what `proofs` says afterwards is what the
 * runtime runs. Proofs that the file has stay as they are; its assertions, its test and every check in
 * words that none of them covers join them.
 */
export function lowerSubtask(read: ReadSubtask): Lowered {
  const { subtask, path } = read;
  const { tests } = read;
  const asserted = subtask.verification_functions.python_assertions
    .filter((assertion) => assertion.length <= CRITERION_CHARS_MAX)
    .map((assertion) => ({ kind: "python", assertion }) as const);
  const { proofs, violations } = lowerWords(read);
  const all = unlike([
    ...tests.map((test) => ({ kind: "test", ...test }) as const),
    ...asserted,
    ...(read.proofs ?? []),
    ...proofs,
  ]);
  const [test] = tests;
  const lowered = test ? { ...subtask, test, proofs: all } : { ...subtask, proofs: all };
  const problem = countProblem(all.length);
  if (problem === undefined) return { subtask: lowered, violations };
  return {
    subtask: lowered,
    violations: [...violations, { rule: "unprovable", path, message: problem }],
  };
}

function countProblem(count: number): string | undefined {
  if (count === 0) return "nothing can be proven about it: give it checks, or proofs";
  if (count <= PROOFS_MAX) return undefined;
  return `it comes to ${count} proofs, expected at most ${PROOFS_MAX}: split it`;
}

/** What the checks in words and the fixed sentences of the instruction come to. */
function lowerWords(read: ReadSubtask): {
  readonly proofs: readonly WorkProof[];
  readonly violations: readonly Violation[];
} {
  const covered = coveredIn(read);
  const judged = judgedIn(read);
  const proofs: WorkProof[] = [];
  const violations: Violation[] = [];
  for (const check of [...read.worded, ...read.stated]) {
    // A fixed sentence is checked as such: what a machine can tell is not left to an opinion.
    const isOpinion = check.fixed === undefined && judged.has(check.text);
    if (isOpinion || covered.has(check.text)) continue;
    const lowered = lowerCheck(check, read);
    if (typeof lowered === "string") {
      violations.push({ rule: "unprovable", path: check.path, message: lowered });
    } else proofs.push(...lowered);
  }
  return { proofs, violations };
}

/** The proofs of a check in words, or why there are none. */
function lowerCheck(check: ReadCheck, read: ReadSubtask): readonly WorkProof[] | string {
  const { text, fixed, behaviour } = check;
  if (text.length > CRITERION_CHARS_MAX) {
    return `it has ${text.length} characters, expected at most ${CRITERION_CHARS_MAX}: split it`;
  }
  if (fixed !== undefined) return lowerFixed(fixed, read);
  // Its own rule says what is wrong with its shape.
  if (typeof behaviour === "string") return [];
  const tests = read.subtask.type === "CODE" ? passingTests(behaviour?.outcome ?? text) : [];
  if (tests.length > 0) {
    return tests
      .filter(({ name }) => !read.tests.some((one) => one.name === name))
      .map((test) => ({ kind: "test", ...test }));
  }
  return behaviour === undefined ? lowerPlain(text, read) : [{ kind: "judge", criterion: text }];
}

/** A sentence that demands something can be judged; any other has no way to fail. */
function lowerPlain(text: string, { proofs }: ReadSubtask): WorkProof[] | string {
  if (/\b(?:must|never|only|exactly|every|each)\b/i.test(text)) {
    return [{ kind: "judge", criterion: text }];
  }
  const ways = "write GIVEN … WHEN … THEN …, or say what must hold";
  const linked = proofs === undefined ? "" : ", or name it in `covers` of the proof that shows it";
  return `no proof can check it: ${ways}${linked}`;
}

function lowerFixed(fixed: FixedSentence, read: ReadSubtask): readonly WorkProof[] | string {
  if ("problem" in fixed) return `it cannot be turned into a proof: ${fixed.problem}`;
  if (fixed.kind !== "health") return fixed.proofs;
  return isAsked(fixed.request, read.proofs)
    ? []
    : lowerHealth(fixed.request, read.subtask.instruction);
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

/** Each proof once, with all that it covers in any of its places. */
function unlike(proofs: readonly WorkProof[]): WorkProof[] {
  const seen = new Map<string, WorkProof>();
  for (const proof of proofs) {
    const key = keyOf(proof);
    const first = seen.get(key);
    seen.set(key, first === undefined ? proof : withCovers(first, proof));
  }
  return [...seen.values()];
}

function withCovers(first: WorkProof, second: WorkProof): WorkProof {
  if (first.kind === "judge" || second.kind === "judge") return first;
  const covers = [...new Set([...(first.covers ?? []), ...(second.covers ?? [])])];
  return covers.length === 0 ? first : { ...first, covers };
}

function keyOf(proof: WorkProof): string {
  if (proof.kind === "python") return `python ${proof.assertion}`;
  if (proof.kind === "judge") return `judge ${proof.criterion}\n${proof.rubric ?? ""}`;
  if (proof.kind === "test") return `test ${proof.name} ${proof.file ?? ""}`;
  const { covers: _, ...said } = proof;
  return JSON.stringify(said);
}
