import { messageOf } from "../../base/index.ts";
import type { Plan } from "../../schema/plan.ts";
import type { RunningWork } from "./work-scene.ts";
import { freeze, isSameSubtask, type Try } from "./work-state.ts";

/** Makes another plan where a subtask came to nothing. What it answers is not believed. */
export interface Replanner {
  readonly replan: (
    asked: {
      readonly plan: Plan;
      /** The commit that the work began with, whatever was committed beside it since. */
      readonly start: string;
      readonly failed: Try;
      readonly finished: readonly string[];
      /** Why the plan that it answered before is not taken. */
      readonly rejected?: string | undefined;
    },
    signal: AbortSignal,
  ) => Promise<unknown>;
  /** The gate: the plan that may be worked on, or why it may not. */
  readonly check: (value: unknown) => ReplanCheck | Promise<ReplanCheck>;
}

/** What the gate says about another plan. */
export type ReplanCheck =
  | { readonly plan: Plan; readonly report: unknown }
  | { readonly why: string };

/** How often a work may be planned anew. */
export const REPLANS_MAX = 1;
/** How often a planner is asked for one plan: what is wrong with an answer goes back with the next question. */
const ANSWERS_MAX = 3;

/**
 * Goes on with another plan after a subtask has failed for good. The plan passes the gate like the
 * first one, and what is proven stays as it is: a plan that asks for it in another way is not taken.
 *
 * @returns whether there is another plan now
 */
export async function replan(failed: Try, work: RunningWork): Promise<boolean> {
  const { state, replanner, record, onEvent, signal } = work;
  const number = state.frozen.number + 1;
  if (replanner === undefined || number > 1 + REPLANS_MAX || signal.aborted) return false;
  if (record.session?.policy.fallback !== true) return false;
  const say = async (words: string) => {
    onEvent({ about: "plan", words });
    await record.note(`plan: ${words}`);
  };
  const finished = state.subtasks.filter(({ proven }) => proven !== undefined).map(({ id }) => id);
  await say(`${failed.order.subtask} came to nothing; another plan is asked for`);
  const checked = await askUntilTaken(replanner, { failed, finished }, work, say);
  if (checked === undefined) return false;
  const frozen = freeze(checked.plan, number);
  const about = { plan: checked.plan, contract: frozen.text, number, gate: checked.report };
  await record.replan({ ...about, failed: failed.execution });
  state.adopt(frozen);
  await say(`work goes on with another plan (${frozen.digest.slice(0, 12)})`);
  return true;
}

/** Another plan that may be worked on; undefined when none of the answers is one. */
async function askUntilTaken(
  replanner: Replanner,
  about: { readonly failed: Try; readonly finished: readonly string[] },
  work: RunningWork,
  say: (words: string) => Promise<void>,
): Promise<Extract<ReplanCheck, { plan: Plan }> | undefined> {
  const { plan, start } = work.state;
  let rejected: string | undefined;
  for (let answers = 1; answers <= ANSWERS_MAX && !work.signal.aborted; answers += 1) {
    const checked = await askAndCheck(replanner, { plan, start, ...about, rejected }, work.signal);
    const why = "why" in checked ? checked.why : whyNotTaken(checked.plan, work, about.finished);
    if (!("why" in checked) && why === undefined) return checked;
    rejected = why ?? "it gave no reason";
    await say(`the other plan is not taken (answer ${answers} of ${ANSWERS_MAX}): ${rejected}`);
  }
  return undefined;
}

/** A planner that cannot be heard has no other plan; the failure that it was asked about stands. */
async function askAndCheck(
  { replan: ask, check }: Replanner,
  ...asked: Parameters<Replanner["replan"]>
): Promise<ReplanCheck> {
  try {
    return await check(await ask(...asked));
  } catch (error) {
    return { why: messageOf(error) };
  }
}

function whyNotTaken(
  plan: Plan,
  { state }: RunningWork,
  finished: readonly string[],
): string | undefined {
  const next = new Map(plan.subtasks.map((one) => [one.id, one]));
  const changed = finished.find((id) => {
    const before = state.plan.subtasks.find((one) => one.id === id);
    return before === undefined || !isSameSubtask(before, next.get(id));
  });
  return changed === undefined
    ? undefined
    : `it changes ${changed}, which is proven already; finished subtasks stay as they are`;
}
