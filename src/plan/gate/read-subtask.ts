import type { PlanSubtask, VerimapSubtask } from "../../schema/plan.ts";
import type { NamedTest, WorkProof } from "../../schema/work-proof.ts";
import { type FixedSentence, readFixedSentence } from "./fixed-sentences.ts";
import { type Behaviour, readBehaviour } from "./given-when-then.ts";
import { findHedges } from "./hedges.ts";
import type { PlacedSubtask } from "./shape.ts";
import { findTestNames } from "./test-names.ts";

/** A criterion, and where it stands. */
export interface Criterion {
  readonly text: string;
  readonly path: string;
}

/** A criterion in words, as far as it can be read. */
export interface ReadCheck extends Criterion {
  /** Set where it is one of LAW 02's fixed sentences, by itself or as the outcome of a behaviour. */
  readonly fixed: FixedSentence | undefined;
  /** Its three parts, what is wrong with them, or undefined where it has none. */
  readonly behaviour: Behaviour | string | undefined;
  readonly hedges: readonly string[];
}

/** A subtask with everything that several rules look at, read once. */
export interface ReadSubtask {
  readonly subtask: PlanSubtask | VerimapSubtask;
  /** Where it stands: `subtasks[0]`. */
  readonly path: string;
  /** The proofs that the file brings along; undefined for the planners' form, which has none. */
  readonly proofs: readonly WorkProof[] | undefined;
  readonly worded: readonly ReadCheck[];
  /** What judges are asked, where it is not among the checks in words already. */
  readonly judged: readonly ReadCheck[];
  /** The Python assertions, those among the proofs included. */
  readonly assertions: readonly Criterion[];
  /** Fixed sentences that the instruction holds. */
  readonly stated: readonly ReadCheck[];
  /** For CODE: the tests that it names as such, else those that its texts name. */
  readonly tests: readonly NamedTest[];
}

/** Reads the texts of a subtask. */
export function readSubtask({ subtask, at }: PlacedSubtask): ReadSubtask {
  const path = `subtasks[${at}]`;
  const { python_assertions, natural_language_checks } = subtask.verification_functions;
  const proofs = "proofs" in subtask ? subtask.proofs : undefined;
  const checks = `${path}.verification_functions`;
  const listed = python_assertions.map((text, index) => ({
    text,
    path: `${checks}.python_assertions[${index}]`,
  }));
  const instructed = `${path}.instruction`;
  return {
    subtask,
    path,
    proofs,
    worded: natural_language_checks.map((text, index) =>
      readCheck(text, `${checks}.natural_language_checks[${index}]`),
    ),
    judged: proofs ? judgedIn(proofs, path, new Set(natural_language_checks)) : [],
    assertions: proofs
      ? [...listed, ...assertedIn(proofs, path, new Set(python_assertions))]
      : listed,
    // Other sentences of an instruction are not checks, whatever they begin with.
    stated: sentencesOf(subtask.instruction)
      .map((text) => readCheck(text, instructed))
      .filter(({ fixed }) => fixed !== undefined && !("problem" in fixed)),
    tests: subtask.type === "CODE" ? testsOf(subtask, proofs ?? []) : [],
  };
}

function readCheck(text: string, path: string): ReadCheck {
  const behaviour = readBehaviour(text);
  const fixed = readFixedSentence(typeof behaviour === "object" ? behaviour.outcome : text);
  return { text, path, fixed, behaviour, hedges: findHedges(text) };
}

function testsOf(subtask: ReadSubtask["subtask"], proofs: readonly WorkProof[]): NamedTest[] {
  const typed = proofs.flatMap((proof) => {
    if (proof.kind !== "test") return [];
    const { kind: _, ...test } = proof;
    return [test];
  });
  const named = "test" in subtask && subtask.test ? [subtask.test] : [];
  const own = [...named, ...typed.filter(({ name }) => !named.some((one) => one.name === name))];
  if (own.length > 0) return own;
  const { instruction, verification_functions: checks } = subtask;
  return findTestNames([instruction, ...checks.natural_language_checks].join("\n"));
}

function judgedIn(
  proofs: readonly WorkProof[],
  path: string,
  known: ReadonlySet<string>,
): ReadCheck[] {
  return proofs.flatMap((proof, index) =>
    proof.kind === "judge" && !known.has(proof.criterion)
      ? [readCheck(proof.criterion, `${path}.proofs[${index}].criterion`)]
      : [],
  );
}

function assertedIn(
  proofs: readonly WorkProof[],
  path: string,
  known: ReadonlySet<string>,
): Criterion[] {
  return proofs.flatMap((proof, index) =>
    proof.kind === "python" && !known.has(proof.assertion)
      ? [{ text: proof.assertion, path: `${path}.proofs[${index}].assertion` }]
      : [],
  );
}

/** Sentences of an instruction that could be one of the fixed ones. */
function sentencesOf(instruction: string): string[] {
  if (!/(?:file|service|document) /i.test(instruction)) return [];
  return instruction
    .split(/\n|(?<=[.!])\s+(?=[A-Z])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /^(?:the )?(?:file|service|document) /i.test(sentence));
}
