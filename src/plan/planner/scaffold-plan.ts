import type { Plan, PlanSubtask, Verimap } from "../../schema/plan.ts";
import type { WorkProof } from "../../schema/work-proof.ts";
import { readFixedSentence } from "../gate/fixed-sentences.ts";
import type { CollisionAnswer, DraftSubtask } from "./answer-shapes.ts";
import { assemblePlan, type PlanParts } from "./assemble-plan.ts";
import type { Doubts, KnownAnswer } from "./doubts.ts";
import type { ScaffoldAnswers, ScaffoldSubtask } from "./scaffold-answers.ts";

/** A surface-scan question of the scaffold, with what is assumed without an answer. */
export interface SurfaceQuestion {
  readonly area: string;
  readonly question: string;
  readonly default: string;
  readonly answer: (answers: ScaffoldAnswers) => string;
}

/** The questions that a request is thin at, in their order; scope and subtasks are asked apart. */
export const SURFACE_QUESTIONS: readonly SurfaceQuestion[] = [
  {
    area: "CONSTRAINTS",
    question: "Which figures bound it: speed, size, security, compatibility?",
    default: "None beyond what the project keeps already.",
    answer: ({ constraints }) => constraints,
  },
  {
    area: "INTEGRATION",
    question: "Which existing systems does it touch, and in which format does it hand things over?",
    default: "None.",
    answer: ({ integration }) => integration,
  },
  {
    area: "INVALID",
    question: "What happens with invalid input?",
    default: "It is refused with a message.",
    answer: ({ edge_cases }) => edge_cases.invalid,
  },
  {
    area: "EMPTY",
    question: "What happens with empty input?",
    default: "It is refused with a message.",
    answer: ({ edge_cases }) => edge_cases.empty,
  },
  {
    area: "MAXIMUM",
    question: "What is the largest input, and what happens beyond it?",
    default: "There is no bound of its own.",
    answer: ({ edge_cases }) => edge_cases.maximum,
  },
  {
    area: "CONCURRENT",
    question: "What happens when two use it at once?",
    default: "They do not get in each other's way.",
    answer: ({ edge_cases }) => edge_cases.concurrent,
  },
  {
    area: "TIMEOUT",
    question: "What happens when something that it waits for does not answer?",
    default: "It does not wait for anything.",
    answer: ({ edge_cases }) => edge_cases.timeout,
  },
  {
    area: "SUCCESS",
    question: "How does a person see in production that it works?",
    default: "By the tests of the project.",
    answer: ({ success }) => success,
  },
];

/** What an author answered, as anybody's answers are kept. */
export function surfaceAnswers(answers: ScaffoldAnswers): readonly KnownAnswer[] {
  return SURFACE_QUESTIONS.map(({ question, answer }) => {
    return { question, answer: answer(answers).trim(), isDefault: false };
  });
}

/** Asks what the surface scan left open in the plan. */
export function raiseSurface(doubts: Doubts): void {
  for (const { area, question, default: assumed } of SURFACE_QUESTIONS) {
    doubts.raise({
      ambiguity: `${area}: ${question}`,
      type: "SPECIFY",
      risk: undefined,
      question,
      context: "It was left open when the plan was written.",
      default: assumed,
    });
  }
}

/** A plan in our own form, from what its author answered; the gate has not looked at it yet. */
export function scaffoldPlan(
  answers: ScaffoldAnswers,
  parts: Pick<PlanParts, "request" | "doubts" | "staging"> & {
    readonly touches: (subtask: DraftSubtask) => boolean;
  },
): Plan {
  const drafts = answers.subtasks.map((subtask, at) => draftOf(subtask, at, answers));
  const collisions = new Map(
    drafts.flatMap((draft, at) => {
      const found = collisionOf(answers.subtasks[at], parts.touches(draft));
      return found === undefined ? [] : [[draft.id, found] as const];
    }),
  );
  const ids = drafts.map(({ id }) => id);
  const bare = assemblePlan({
    ...parts,
    draft: {
      verimapped_task: parts.request.split("\n")[0]?.slice(0, 200) || "A task",
      scope: answers.scope,
      negative_contract: answers.never,
      subtasks: drafts,
      assembly_order: ids,
      blocks: {},
    },
    selected: {
      reading: {
        ...{ interpretation: "As its author answered the questions", done: answers.success },
        ...{ concern: "Nobody else has read it", verdict: "TRACTABLE", explanation: "" },
        ...{ confidence: 100, risk: "LOW" },
      },
      because: "a scaffold: one reading, its author's own",
    },
    rejected: [],
    collisions,
    critique: "0 gaps found: it comes from a scaffold, and nobody but its author has looked at it",
  });
  return withProofs(bare, answers);
}

/** The subtasks whose collision nobody has looked into. */
export function unverifiedIn({ subtasks }: Pick<Verimap, "subtasks">): readonly string[] {
  return subtasks
    .filter(
      ({ kingdom_collision_check: { verification_status } }) =>
        verification_status === "UNVERIFIED",
    )
    .map(({ id }) => id);
}

function withProofs(plan: Verimap, answers: ScaffoldAnswers): Plan {
  return {
    ...plan,
    subtasks: plan.subtasks.map((subtask, at): PlanSubtask => {
      const said = answers.subtasks[at];
      return {
        ...subtask,
        ...(said?.type === "CODE" ? { test: said.test } : {}),
        proofs: said === undefined ? [] : proofsOf(said, subtask.verification_functions),
        ...(said?.files === undefined ? {} : { files: said.files }),
      };
    }),
  };
}

function draftOf(said: ScaffoldSubtask, at: number, { edge_cases }: ScaffoldAnswers): DraftSubtask {
  const output = said.result ?? { summary: "what was changed, in a sentence" };
  return {
    id: `ST-${String(at + 1).padStart(2, "0")}`,
    name: said.name,
    type: said.type,
    instruction:
      said.type === "CODE"
        ? `${said.instruction} Its test is "${said.test.name}".`
        : said.instruction,
    depends_on: said.depends_on,
    context_required: said.needs,
    output_schema: output,
    verification_functions: {
      python_assertions: assertionsOf(said, output),
      natural_language_checks: said.checks,
    },
    edge_cases: [
      { label: "happy_path", scenario: said.checks[0] ?? said.name },
      {
        label: "failure_path",
        scenario: edge_cases.invalid || "Invalid input: still to be decided.",
      },
      { label: "edge_case", scenario: edge_cases.empty || "Empty input: still to be decided." },
    ],
    ghost_nodes: [],
  };
}

/** Where its author gave none: that the result says what it has to say. */
function assertionsOf(said: ScaffoldSubtask, output: Readonly<Record<string, string>>): string[] {
  if (said.assertions.length > 0) return said.assertions;
  if (said.type === "INFRA")
    return [`assert result["status"] == ${said.status}, "the service answers"`];
  if (said.type !== "CODE") return [];
  const [key = "summary"] = Object.keys(output);
  return [`assert result[${JSON.stringify(key)}] != "", "the result says ${plainWords(key)}"`];
}

function plainWords(key: string): string {
  return key.replaceAll(/[^\p{L}\p{N} _-]/gu, " ");
}

function proofsOf(
  said: ScaffoldSubtask,
  { python_assertions }: PlanSubtask["verification_functions"],
): WorkProof[] {
  const words: WorkProof[] = [
    ...python_assertions.map((assertion) => ({ kind: "python" as const, assertion })),
    ...said.checks
      .filter((check) => isLeftToJudge(check, said))
      .map((criterion) => ({ kind: "judge" as const, criterion })),
  ];
  switch (said.type) {
    case "CODE":
      return [{ kind: "test", ...said.test }, ...words];
    case "CONFIG":
      return [{ kind: "json", path: said.file, pointer: said.field, equals: said.value }, ...words];
    case "INFRA": {
      const { start, port, path, status } = said;
      return [{ kind: "http", start, port, path, status, seconds: 30 }, ...words];
    }
    case "DOCS":
      return [{ kind: "sections", path: said.file, headings: said.sections }, ...words];
  }
}

/** The gate turns a fixed sentence into a proof; what the author's test covers needs no opinion. */
function isLeftToJudge(check: string, said: ScaffoldSubtask): boolean {
  const covered = said.type === "CODE" ? said.test.covers : undefined;
  return covered?.includes(check) !== true && readFixedSentence(check) === undefined;
}

function collisionOf(
  said: ScaffoldSubtask | undefined,
  touches: boolean,
): CollisionAnswer | undefined {
  if (said?.existing !== undefined) {
    return { ...said.existing, verification_status: "VERIFIED" };
  }
  if (!touches) return undefined;
  return { verdict: "None found", verification_status: "UNVERIFIED", evidence: "" };
}
