import { cut } from "../record/entry-text.ts";
import { actorOf, RUNTIME } from "../talk/bus.ts";
import { endWork } from "../work/end-work.ts";
import { OPERATOR } from "../work/work-entries.ts";
import { inRound } from "./next-step.ts";
import { type OpenSession, WorkLink } from "./open-session.ts";

/** It cannot come to a good end; the record says why. */
export async function endFailed(on: OpenSession, reason: string): Promise<void> {
  on.say("session", `failed: ${reason}`);
  await on.record.record([
    { actor: actorOf(RUNTIME), type: "session_failed", body: { reason: cut(reason) } },
  ]);
}

/** The operator ends it, and the work that it was at; all that was done stays. */
export async function endAborted({ record, place }: Pick<OpenSession, "record" | "place">) {
  const reason = "the operator called it off";
  const round = inRound("work", record.session.reworkRounds);
  await record.record([{ actor: OPERATOR, type: "session_aborted", body: { reason } }]);
  if (!record.has(round)) return;
  await endWork(place, WorkLink.parse(record.json(round)).work, `its session has ended: ${reason}`);
}

/** What the critic has against the plan that counts, and what can be done about it. */
function whyRejected({ record, proposed, rejections, begin }: OpenSession): string | undefined {
  const { proposals } = record.session;
  const standing = Object.values(proposed?.names ?? {}).map((name) => proposals.get(name)?.status);
  if (!standing.includes("rejected")) return undefined;
  const said = (rejections.at(-1)?.parts ?? []).flatMap(({ subtask, rejected_because: why }) =>
    why === null ? [] : [`${subtask} (${why})`],
  );
  const plans = rejections.length === 1 ? "" : ` in ${rejections.length} plans, last`;
  const next =
    begin.seats.planner === null
      ? "nobody is named to plan anew: change the plan and run it again with sworn run --plan, or name a planner in sworn.yaml, roles: { planner: <name> }"
      : "say in the task what it has to keep to, or write the plan yourself: sworn run --plan <plan.json>";
  return `the critic rejected${plans} ${said.join(", ")}, and what is rejected is not done; ${next}`;
}

/** What kept it from going on: a proposal that was rejected, an intent that was blocked, a work that failed. */
export async function failStep(on: OpenSession): Promise<undefined> {
  const { session } = on.record;
  const rejected = whyRejected(on);
  if (rejected !== undefined) {
    await endFailed(on, rejected);
    return undefined;
  }
  const blocked = [...session.intents].filter(([, { review }]) => review === "blocked");
  if (blocked.length > 0) {
    const names = blocked.map(([id]) => id).join(", ");
    await endFailed(
      on,
      `the critic blocked ${names}: their risk is at or above ${on.rules.blockFrom}`,
    );
    return undefined;
  }
  const report = on.workReport;
  await endFailed(on, `the work ${report?.status}: ${report?.reason ?? "no reason was given"}`);
  return undefined;
}
