import { existsSync } from "node:fs";
import type * as z from "zod";
import { decodeUtf8, readPlainFile, SwornError } from "../../../base/index.ts";
import {
  checkPlan,
  type GateReport,
  READY_POINTS_MIN,
  touchedBy,
} from "../../../plan/gate/index.ts";
import {
  Doubts,
  raiseSurface,
  ScaffoldAnswers,
  scaffoldPlan,
  surfaceAnswers,
  unverifiedIn,
  withCount,
} from "../../../plan/planner/index.ts";
import type { Plan } from "../../../schema/plan.ts";
import { issueWords } from "../../words/issue-words.ts";
import { completeYaml, parseYaml } from "../../workflow-config.ts";
import { taskNameOf } from "./plan-request.ts";

const ANSWERS_BYTES_MAX = 1 << 20;

/** A plan that its author wrote by answering questions. */
export interface Scaffolded {
  readonly task: string;
  readonly plan: Plan;
  readonly report: GateReport;
}

/** Where it is for, and what it is called. */
export interface ScaffoldOptions {
  readonly request: string | undefined;
  readonly task: string | undefined;
  /** The absolute folder below which staging folders lie. */
  readonly root: string;
}

/** Answers as a file has them. */
export interface GivenAnswers {
  /** Judged by nobody yet. */
  readonly value: unknown;
  /** The file with more answers in it; undefined where it is prose, which is what is wanted and stays. */
  readonly with: ((more: Readonly<Record<string, unknown>>) => string) | undefined;
}

/** The answers in a file; undefined where there is no such file. */
export function readAnswers(path: string): GivenAnswers | undefined {
  if (!existsSync(path)) return undefined;
  const text = decodeUtf8(readPlainFile(path, ANSWERS_BYTES_MAX));
  const value = parseYaml(text, path);
  if (typeof value === "string") return { value: { request: value }, with: undefined };
  return { value: value ?? {}, with: (more) => completeYaml(text, more) };
}

/**
 * Whether what a file answers can stand, before anybody is asked for the rest.
 *
 * @throws SwornError `INPUT_INVALID`, naming what is wrong.
 */
export function assertAnswers(given: unknown): void {
  judged(ScaffoldAnswers.partial(), given);
}

/**
 * Makes a plan of answers. What they leave open becomes a question in it, so it is blocked and not
 * guessed; whether it is ready the gate says.
 *
 * @throws SwornError `INPUT_INVALID`, naming what is missing or wrong.
 */
export function scaffold(given: unknown, options: ScaffoldOptions): Scaffolded {
  const answers = judged(ScaffoldAnswers, given);
  const request = options.request ?? answers.request;
  if (request === undefined || request.trim() === "") {
    throw new SwornError("INPUT_INVALID", "expected what is wanted, as a word or as request");
  }
  const task = options.task ?? taskNameOf(request);
  const doubts = new Doubts(surfaceAnswers(answers));
  raiseSurface(doubts);
  const staging = { root: options.root, build: task };
  const touches = (subtask: Parameters<typeof touchedBy>[0]) => touchedBy(subtask) !== undefined;
  const make = () => scaffoldPlan(answers, { request, doubts, staging, touches });
  askOwners(doubts, make());
  return { task, ...counted(make()) };
}

function judged<T>(shape: z.ZodType<T>, given: unknown): T {
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = issueWords(parsed.error.issues, { shape, input: given });
  throw new SwornError("INPUT_INVALID", `the answers: ${wrong}`);
}

function askOwners(doubts: Doubts, plan: Plan): void {
  for (const id of unverifiedIn(plan)) {
    const name = plan.subtasks.find((one) => one.id === id)?.name ?? id;
    doubts.raise({
      ambiguity: `Nobody has looked whether an existing system does "${name}" already.`,
      type: "SEMANTIC",
      risk: undefined,
      question: `Does an existing system already do "${name}", and who owns it?`,
      context: "Building it twice would leave two owners.",
      default: "No existing system does it.",
      blocking: id,
    });
  }
}

/** The plan with what the gate counts in it, and what the gate then says. */
function counted(bare: Plan): { plan: Plan; report: GateReport } {
  const { points, deductions } = checkPlan(bare, {});
  const isReady = points >= READY_POINTS_MIN && bare.blocking_questions.length === 0;
  const found = "nobody looked: the plan comes from a scaffold";
  const plan = withCount(bare, { points, deductions, isReady }, found);
  return { plan, report: checkPlan(plan, {}) };
}
