import { join } from "node:path";
import { ensureFolder, SwornError, sha256Hex } from "../../../base/index.ts";
import type { GateQuestion, GateReport } from "../../../plan/gate/index.ts";
import { Doubts, type KnownTask, type StepName } from "../../../plan/planner/index.ts";
import type { Verimap } from "../../../schema/plan.ts";
import type { Place } from "../../place.ts";
import { takeDefaults } from "../../talk/ask.ts";
import { Bus } from "../../talk/bus.ts";
import { WorkLock } from "../../work/work-lock.ts";
import type { Ask } from "./ask.ts";
import { handOver, toGateQuestion } from "./hand-over.ts";
import { type BoardKnows, declareNoDesign, readSystems, readTaskBoard } from "./known-task.ts";
import { type Made, makePlan } from "./make-plan.ts";
import { PlannerSteps, type StepUse } from "./planner-steps.ts";
import { PlanningRecord } from "./planning-record.ts";
import type { Ended, PlanningScene } from "./planning-scene.ts";
import { planningFolder } from "./recall-planning.ts";

const REQUEST_CHARS_MAX = 50_000;
const NAME_CHARS = 40;

/** What is to be planned. */
export interface PlanningRequest {
  readonly request: string;
  /** The task's name; made from the request where there is none. */
  readonly task?: string | undefined;
  /** A person's word that no design is needed, and why. */
  readonly noDesign?: string | undefined;
  /** Earlier plans for it that a critic rejected, and why; whoever draws the next one is shown them. */
  readonly rejected?: readonly unknown[] | undefined;
}

/** What planning needs of the world. */
export interface PlanningPorts {
  readonly place: Place;
  /** The agent's name, for the record. */
  readonly agent: string;
  readonly ask: Ask;
  /** The absolute folder below which staging folders lie. */
  readonly root: string;
  /** The commit that is planned from, and whether something is a file of it. */
  readonly commit: string;
  readonly isFile: (path: string) => boolean;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
}

/** Why an answer was not taken: the step, and in words what was wrong. */
export interface PlannerViolation {
  readonly rule: "planner";
  readonly path: StepName;
  readonly message: string;
}

/** What came of it. */
export interface PlanningOutcome {
  readonly verdict: "ready" | "blocked" | "unusable";
  readonly task: string;
  readonly agent: string;
  /** The trace that holds every answer; null where nothing was asked. */
  readonly trace: string | null;
  readonly plan: Verimap | null;
  /** What the gate says about the plan; null where there is none. */
  readonly report: GateReport | null;
  /** What kept every answer of a step from being taken; empty where a plan came of it. */
  readonly violations: readonly PlannerViolation[];
  readonly questions: readonly GateQuestion[];
  readonly phases: readonly StepUse[];
}

/**
 * Plans a request with an agent, phase by phase, and records all of it. What was answered in an
 * earlier call for the same task and the same question is not asked again.
 *
 * @throws SwornError when the request cannot be planned at all, or the world fails.
 */
export async function planRequest(
  asked: PlanningRequest,
  ports: PlanningPorts,
): Promise<PlanningOutcome> {
  const request = readableRequest(asked.request);
  const task = asked.task ?? taskNameOf(request);
  const { place, agent } = ports;
  const lock = takeLock(place, task);
  try {
    const bus = await Bus.begin({ place, task });
    try {
      const record = PlanningRecord.open({ place, task, request, agent });
      try {
        return await planOn({ bus, record }, { ...asked, request, task }, ports);
      } finally {
        record.close();
      }
    } finally {
      bus.close();
    }
  } finally {
    lock.release();
  }
}

async function planOn(
  { bus, record }: { readonly bus: Bus; readonly record: PlanningRecord },
  { request, task, noDesign, rejected = [] }: PlanningRequest & { readonly task: string },
  ports: PlanningPorts,
): Promise<PlanningOutcome> {
  await takeDefaults(bus);
  await declareNoDesign(bus, noDesign);
  const steps = new PlannerSteps({ ...ports, record });
  const staging = { root: ports.root, build: task };
  const board = await readTaskBoard(bus);
  const scene = sceneOf({ request, rejected }, board, { ...ports, steps, staging });
  const ended = await makePlan(scene);
  // The board may know more than the planning did: what it says with the gate is what counts.
  const finding = await handOver(bus, ended);
  const told = ended.kind === "made" && finding ? { ...ended, finding } : ended;
  if (told.kind === "made") await record.proposed(told.plan, told.finding, reviewWords(told));
  const about = { task, agent: ports.agent, trace: null, phases: steps.uses };
  const outcome = outcomeOf(told, about);
  await record.ended(outcome.verdict);
  return { ...outcome, trace: record.trace ?? null };
}

/** Two that plan one task at once would answer each other's questions. */
function takeLock(place: Place, task: string): WorkLock {
  const folder = join(planningFolder(place, task), "planner");
  ensureFolder(folder);
  return WorkLock.take(folder);
}

/** A name that the same request always gets, so that a second call finds the first. */
export function taskNameOf(request: string): string {
  const words = request
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, NAME_CHARS)
    .replace(/^-|-$/g, "");
  const digest = sha256Hex(request).slice(0, 8);
  return words === "" ? `plan-${digest}` : `${words}-${digest}`;
}

/** @throws SwornError when nobody could plan it: it is empty, no text, or too long. */
export function readableRequest(request: string): string {
  if (request.trim() === "" || !request.isWellFormed()) {
    throw new SwornError("INPUT_INVALID", "expected what is to be planned, found no words");
  }
  if (request.length <= REQUEST_CHARS_MAX) return request;
  const most = `expected at most ${REQUEST_CHARS_MAX}`;
  throw new SwornError("LIMIT_EXCEEDED", `the request has ${request.length} letters, ${most}`);
}

function sceneOf(
  asked: Pick<KnownTask, "request" | "rejected">,
  { brief, design, answers }: BoardKnows,
  ports: Pick<PlanningScene, "steps" | "isFile" | "staging"> &
    Pick<PlanningPorts, "place" | "commit">,
): PlanningScene {
  const { steps, isFile, staging, place, commit } = ports;
  return {
    ...{ steps, isFile, staging, design },
    known: { ...asked, brief, answers, commit },
    doubts: new Doubts(answers),
    systems: readSystems(place),
  };
}

function reviewWords({ finding }: Made): string {
  const { points, deductions, questions } = finding;
  const sum = deductions.map((one) => `${one.points} for ${one.reason}`).join(", ");
  const open = questions.map(({ id }) => id).join(", ");
  return `${points} points${sum === "" ? "" : `: 100 less ${sum}`}; ${open === "" ? "no question is open" : `open: ${open}`}`;
}

/** What came of a planning, as whoever asked for it is told. */
export function outcomeOf(
  ended: Made | Ended,
  about: Pick<PlanningOutcome, "task" | "agent" | "trace" | "phases">,
): PlanningOutcome {
  const nothing = { plan: null, report: null, violations: [], questions: [] };
  if (ended.kind === "unusable") {
    const violations = ended.violations.map((message) => ({
      ...{ rule: "planner" as const, path: ended.step, message },
    }));
    return { ...about, ...nothing, verdict: "unusable", violations };
  }
  if (ended.kind === "blocked") {
    return {
      ...about,
      ...nothing,
      verdict: "blocked",
      questions: ended.questions.map(toGateQuestion),
    };
  }
  const { plan, finding: report } = ended;
  const verdict = report.ready ? "ready" : "blocked";
  return { ...about, ...nothing, verdict, plan, report, questions: report.questions };
}
