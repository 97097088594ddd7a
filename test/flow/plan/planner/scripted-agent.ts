import type { Place } from "../../../../src/flow/place.ts";
import type { Ask, Asked, Heard } from "../../../../src/flow/plan/planner/ask.ts";
import { makePlan } from "../../../../src/flow/plan/planner/make-plan.ts";
import {
  outcomeOf,
  type PlanningOutcome,
  type PlanningRequest,
  planRequest,
} from "../../../../src/flow/plan/planner/plan-request.ts";
import { PlannerSteps } from "../../../../src/flow/plan/planner/planner-steps.ts";
import type { PlanningScene } from "../../../../src/flow/plan/planner/planning-scene.ts";
import {
  AREAS,
  Doubts,
  type Draft,
  type KnownAnswer,
  type StepName,
} from "../../../../src/plan/planner/index.ts";

export const REQUEST =
  "Limit how many lines the report prints: at most 20 lines, then a line that says how many are left. Only the text report changes, the JSON stays as it is. A person sees it by running the report on a large project.";

/** What a planner says that does its work. */
export const FACTS = {
  premise: "CONFIRMED",
  files_read: ["src/report.ts", "README.md"],
  findings: [{ statement: "The report is printed by one function.", evidence: "src/report.ts" }],
};

export const SWEEP = {
  areas: AREAS.map((area) =>
    area === "SCOPE"
      ? { area, outcome: "stated", quote: "Only the text report changes" }
      : {
          area,
          outcome: "not_applicable",
          why: "A report is printed once, from values in memory.",
        },
  ) as unknown[],
};

export const ENGINEER = {
  interpretation: "Cut the printed list after 20 lines and count the rest",
  done: "the report of a large project has 21 lines",
  concern: "The JSON output must stay whole",
  verdict: "TRACTABLE",
  explanation: "",
  confidence: 90,
  risk: "LOW",
};

export const DRAFT: Draft = {
  verimapped_task: "A report of at most 20 lines",
  scope: { in: ["the text report"], out: ["the JSON report, which programs read"] },
  negative_contract:
    "It cuts what is printed. It NEVER cuts what is stored, because programs read that.",
  assembly_order: ["ST-01", "ST-02"],
  blocks: {},
  subtasks: [
    {
      id: "ST-01",
      name: "Cut the printed report",
      type: "CODE",
      instruction:
        "In src/report.ts, print at most 20 lines and then one that counts the rest. The test is test_report_prints_21_lines_for_25_findings().",
      depends_on: [],
      context_required: {},
      output_schema: { lines: "whole number, how many lines 25 findings print" },
      verification_functions: {
        python_assertions: ["assert result['lines'] == 21, 'twenty lines and the count'"],
        natural_language_checks: [
          'GIVEN 25 findings WHEN the report is printed THEN it has 21 lines and the last one is "and 5 more"',
        ],
      },
      edge_cases: [
        { label: "happy_path", scenario: "25 findings print 21 lines." },
        { label: "failure_path", scenario: "A finding without a title prints its id." },
        { label: "edge_case", scenario: "Exactly 20 findings print 20 lines." },
      ],
      ghost_nodes: [],
    },
    {
      id: "ST-02",
      name: "Say it in the guide",
      type: "DOCS",
      instruction: "Describe the cut in docs/report.md.",
      depends_on: ["ST-01"],
      context_required: { "ST-01": ["lines"] },
      output_schema: { path: "the document" },
      verification_functions: {
        python_assertions: [],
        natural_language_checks: [
          "Document docs/report.md contains sections Output, Limits in order",
          'GIVEN the guide WHEN a reader looks under Limits THEN it names the number 20 and the words "and 5 more"',
        ],
      },
      edge_cases: [
        { label: "happy_path", scenario: "A reader finds the limit." },
        { label: "failure_path", scenario: "The guide is read without the report." },
        { label: "edge_case", scenario: "The guide is read in a terminal." },
      ],
      ghost_nodes: [],
    },
  ],
};

export const QUESTIONS = {
  questions: [
    { kind: "DEPENDENCY", question: "What does a guide need to know about the report?" },
    { kind: "FALSE_PASS", question: "When are there 21 lines although the cut is wrong?" },
    { kind: "MISSING_SUBTASK", question: "What else reads the printed report?" },
    { kind: "HANDOFF", question: "What does the count of lines mean to a writer?" },
    { kind: "ASSUMPTION", question: "Is every finding one line?" },
  ],
};

export const COMPARISON = {
  comparisons: [1, 2, 3, 4, 5].map((question) => ({
    question,
    severity: "NONE" as string,
    why: "It is covered.",
  })),
};

const TRUE_ANSWERS: Readonly<Partial<Record<StepName, unknown>>> = {
  facts: FACTS,
  sweep: SWEEP,
  engineer: ENGINEER,
  graph: DRAFT,
  collision: { verdict: "None", verification_status: "VERIFIED", evidence: "src/report.ts" },
  questions: QUESTIONS,
  answer: { answer: "It has to be tested with findings of several lines." },
  comparison: COMPARISON,
};

/** One answer, or what the agent did instead of answering. */
export type Scripted = unknown | Partial<Heard>;

/** An agent that has its answers ready, and remembers what it was asked. */
export class ScriptedAgent {
  readonly asked: Asked[] = [];
  readonly #own: Readonly<Partial<Record<StepName, readonly Scripted[]>>>;
  readonly #counts = new Map<StepName, number>();

  /** @param own answers by step, in order; the last one is given again and again */
  constructor(own: Readonly<Partial<Record<StepName, readonly Scripted[]>>> = {}) {
    this.#own = own;
  }

  readonly ask: Ask = async (asked) => {
    this.asked.push(asked);
    const count = this.#counts.get(asked.step) ?? 0;
    this.#counts.set(asked.step, count + 1);
    const own = this.#own[asked.step] ?? [TRUE_ANSWERS[asked.step]];
    return heard(own[Math.min(count, own.length - 1)]);
  };

  /** How often it was asked for a step. */
  count(step: StepName): number {
    return this.asked.filter((one) => one.step === step).length;
  }

  /** What it was asked, the last time. */
  last(step: StepName): string {
    return this.asked.findLast((one) => one.step === step)?.prompt ?? "";
  }
}

function heard(scripted: Scripted): Heard {
  const usual = {
    toolCalls: 0,
    countedBy: "told" as const,
    failure: undefined,
    ms: 1,
    run: undefined,
  };
  if (typeof scripted === "string") return { ...usual, text: scripted };
  if (typeof scripted === "object" && scripted !== null && "toolCalls" in scripted) {
    return { ...usual, text: "", ...(scripted as Partial<Heard>) };
  }
  return { ...usual, text: JSON.stringify(scripted) };
}

const FILES = new Set(["README.md", "src/report.ts", "docs/report.md"]);
const isFile = (path: string) => FILES.has(path);
const ports = () => ({ signal: new AbortController().signal, onStep: () => {} });
const COMMIT = "0".repeat(40);

/** What the board says, in tests without one. */
export interface Told extends Partial<Pick<PlanningScene, "design" | "systems">> {
  readonly request?: string;
  readonly brief?: string;
  readonly answers?: readonly KnownAnswer[];
}

/** Plans with such an agent, and nothing is written anywhere; no design is needed unless one is told. */
export async function planWith(agent: ScriptedAgent, told: Told = {}): Promise<PlanningOutcome> {
  const { request = REQUEST, brief, answers = [], systems = [] } = told;
  const record = { recall: () => undefined, heard: async () => {} };
  const steps = new PlannerSteps({ ...ports(), ask: agent.ask, record });
  const ended = await makePlan({
    ...{ steps, systems, isFile },
    known: { request, brief, answers, commit: COMMIT },
    doubts: new Doubts(answers),
    design: told.design ?? { noneReason: "It is one function." },
    staging: { root: "/srv/project", build: "short-report" },
  });
  const about = { task: "short-report", agent: "scripted", trace: null, phases: steps.uses };
  return outcomeOf(ended, about);
}

/** The same with a board and a record. */
export async function planIn(
  place: Place,
  agent: Pick<ScriptedAgent, "ask">,
  asked: Partial<PlanningRequest> & { readonly commit?: string } = {},
): Promise<PlanningOutcome> {
  const request = { request: REQUEST, task: "short-report", noDesign: "It is one function." };
  const world = { place, agent: "scripted", ask: agent.ask, root: "/srv/project" };
  return planRequest(
    { ...request, ...asked },
    { ...ports(), ...world, isFile, commit: asked.commit ?? COMMIT },
  );
}
