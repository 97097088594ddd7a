import { assert } from "../../base/index.ts";
import type { GateReport } from "../../plan/index.ts";
import type { EventRequest } from "../../schema/index.ts";
import type { Plan, PlanSubtask } from "../../schema/plan.ts";
import { json } from "../exec/exec-record.ts";
import { judgePlan } from "../plan/judge-plan.ts";
import { planText } from "../plan/planner/hand-over.ts";
import { cut } from "../record/entry-text.ts";
import { gateWord } from "../work/gate-plan.ts";
import { freeze } from "../work/work-state.ts";
import { endFailed } from "./end-step.ts";
import { VERIFY } from "./next-step.ts";
import type { OpenSession, Proposed, Waits } from "./open-session.ts";
import { LEAD, nobodyPlans } from "./seats.ts";

interface Planned {
  readonly report: GateReport;
  /** The record of the planning; null where the plan was there already. */
  readonly planning: { readonly trace: string | null; readonly agent: string } | null;
}

/**
 * A task becomes proposals: one for each subtask of its plan. After the critic rejected a plan,
 * another one is asked for, which takes the place of all that it proposed.
 */
export async function planStep(on: OpenSession): Promise<Waits | undefined> {
  const isGiven = on.begin.is_planned && on.proposed === undefined;
  const planned = isGiven ? given(on) : await planWithAgent(on);
  if ("waits" in planned) return planned;
  if ("failed" in planned) {
    await endFailed(on, planned.failed);
    return undefined;
  }
  const { report, planning } = planned;
  const word = gateWord(report, on.begin.profile);
  if (word.kind === "invalid") {
    const [first] = report.violations;
    await endFailed(on, `the gate does not let the plan through: ${first?.message ?? "no plan"}`);
    return undefined;
  }
  if (word.kind === "blocked") return waitsFor(report, on.begin.task);
  const { plan } = word.gated;
  await on.record.record(proposing(on, plan, { report: word.gated.report, planning }));
  const which = on.proposed?.plan === 1 ? "" : `plan ${on.proposed?.plan}: `;
  const count = plan.subtasks.length === 1 ? "1 proposal" : `${plan.subtasks.length} proposals`;
  on.say("plan", `${which}${count}, ${report.points} points at the gate`);
  return undefined;
}

function given({ record }: OpenSession): Planned {
  return { report: judgePlan(Buffer.from(record.text("given"))), planning: null };
}

async function planWithAgent(on: OpenSession): Promise<Planned | Waits | { failed: string }> {
  const { request, task, seats, profile, start: at } = on.begin;
  if (seats.planner === null) throw nobodyPlans();
  const { planTask } = await import("../plan/planner/plan-task.ts");
  const runner = await on.scene.openPlanner();
  try {
    const outcome = await planTask(
      {
        ...{ request, task, at, agent: seats.planner, signal: on.scene.signal },
        // Whoever works alone is not held up by a question about a design that nobody makes.
        noDesign: profile === "solo" ? "the profile solo asks for no design" : undefined,
        rejected: on.rejections,
        onEvent: () => {},
        onStep: (words) => on.say("plan", words),
      },
      runner,
    );
    const { verdict, plan, trace, agent, violations, questions } = outcome;
    if (verdict === "unusable") {
      const why = violations.map(({ message }) => message).join("; ");
      return { failed: `${agent} came to no plan: ${why}` };
    }
    if (plan === null) return waitsFor({ questions }, task);
    return { report: judgePlan(Buffer.from(planText(plan))), planning: { trace, agent } };
  } finally {
    await runner.close();
  }
}

function waitsFor({ questions }: Pick<GateReport, "questions">, task: string): Waits {
  const asked = questions.map(({ id, question }) => `${id}: ${question}`);
  return { waits: [...asked, `answer with sworn answer --task ${task}, then sworn resume`] };
}

function proposing(
  on: OpenSession,
  plan: Plan,
  { report, planning }: { readonly report: unknown; readonly planning: unknown },
): EventRequest[] {
  const { proposed } = on;
  const number = (proposed?.plan ?? 0) + 1;
  const ids = plan.subtasks.map(({ id }) => id);
  const names = Object.fromEntries(ids.map((id) => [id, proposalName(id, number)]));
  const revised = revisedBy(ids, proposed?.names ?? {});
  const artifacts = [
    json("proposed", { plan: number, names } satisfies Proposed),
    { name: "plan", text: freeze(plan, 1).text, media_type: "application/json" },
    json("gate", report),
    ...(planning === null ? [] : [json("planning", planning)]),
  ];
  const requests = plan.subtasks.map(
    (subtask, at): EventRequest => ({
      actor: LEAD,
      type: "proposal_created",
      body: {
        proposal_id: names[subtask.id] ?? "",
        units: [unitOf(subtask)],
        ...(revised.has(subtask.id) ? { revises: revised.get(subtask.id) } : {}),
      },
      artifacts: at === 0 ? artifacts : [],
    }),
  );
  assert(requests.length > 0, "a plan has a subtask");
  return requests;
}

/** A proposal of the first plan is called as its subtask is; those of later ones have a name of their own. */
function proposalName(subtask: string, plan: number): string {
  const own = subtask.toLowerCase();
  return plan === 1 ? own : `${own}.p${plan}`;
}

/** The number of the plan that a proposal belongs to. */
export function planOf(proposal: string): number {
  return Number(/\.p(\d+)$/.exec(proposal)?.[1] ?? "1");
}

/** Which old proposal each new one takes the place of: that of the same subtask, else one that is left over. */
function revisedBy(
  ids: readonly string[],
  old: Proposed["names"],
): ReadonlyMap<string, string | undefined> {
  const left = Object.entries(old).filter(([id]) => !ids.includes(id));
  const pairs = ids.flatMap((id): [string, string | undefined][] => {
    const name = old[id] ?? left.shift()?.[1];
    return name === undefined ? [] : [[id, name]];
  });
  return new Map(pairs);
}

function unitOf({ id, name, depends_on }: PlanSubtask) {
  return {
    objective: cut(`${id}: ${name}`),
    assumptions: depends_on.map((upstream) => `${upstream} is proven`).slice(0, 100),
    required_tools: [id, VERIFY],
    expected_evidence: [`proofs of ${id}`, "the offline verifier's report about the work"],
  };
}
