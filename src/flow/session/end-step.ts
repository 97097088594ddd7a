import { cut } from "../work/work-entries.ts";
import type { OpenSession } from "./open-session.ts";

const OPERATOR = { agent: "operator", role: "operator" } as const;
const RUNTIME = { agent: "sworn", role: "runtime" } as const;

/** It cannot come to a good end; the record says why. */
export async function endFailed(on: OpenSession, reason: string): Promise<void> {
  on.say("session", `failed: ${reason}`);
  await on.record.record([
    { actor: RUNTIME, type: "session_failed", body: { reason: cut(reason) } },
  ]);
}

/** The operator ends it; all that was done stays. */
export async function endAborted(on: Pick<OpenSession, "record">): Promise<void> {
  const reason = "the operator called it off";
  await on.record.record([{ actor: OPERATOR, type: "session_aborted", body: { reason } }]);
}

/** What kept it from going on: a proposal that was rejected, an intent that was blocked, a work that failed. */
export async function failStep(on: OpenSession): Promise<undefined> {
  const { session } = on.record;
  const rejected = [...session.proposals].filter(([, { status }]) => status === "rejected");
  if (rejected.length > 0) {
    const names = rejected.map(([id]) => id.toUpperCase()).join(", ");
    await endFailed(on, `the critic rejected ${names}, and what is rejected is not done`);
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
