import { systemClock } from "../../base/index.ts";
import { recordException } from "../exception/record-exception.ts";
import type { Ground } from "./ground.ts";
import { type Attempt, fails, holds } from "./guarantee.ts";
import { noSandbox } from "./no-sandbox.ts";
import { sealedRun } from "./sealed-attempts.ts";

const DAY_MS = 86_400_000;
const RULE = "X.2.step_max";
const TASK = "slow";
/** Longer than the rule allows. */
const STEP_SECONDS = 1_000;

/** An exception from a rule is used after its time. */
export const expiredException: Attempt = {
  name: "an expired exception",
  tried: `a run under an exception from ${RULE} that ended yesterday; in its time, the run was allowed`,
  make: async (product, ground) => {
    await ground.commit({ "hello.txt": "hello\n" });
    // Only ever backwards: what cleans up by the clock must not find today's runs to be old.
    const before = () => systemClock() - 2 * DAY_MS;
    const place = ground.place(before);
    const { id } = await recordException(place, {
      rule: RULE,
      reason: "The suite is slow",
      owner: "eli",
      requester: "ada",
      approver: "mara",
      expires_at: new Date(systemClock() - DAY_MS).toISOString(),
      rollback: "Make it fast",
      scope: { tasks: [TASK], names: [] },
      secret_review: null,
    });
    const inTime = await product.dryRun(planned(ground, before));
    if (inTime.refused) return noSandbox(inTime.refused);
    const { refused } = await product.dryRun(planned(ground, systemClock));
    if (refused === undefined) return fails(`exception ${id} still counts`);
    if (refused.rule !== RULE) return fails(`${refused.rule}: ${refused.reason}`);
    // The rule's own words come first; what became of the exception stands last.
    return holds(`${refused.rule}: ${refused.reason.split("; ").at(-1)}`);
  },
};

function planned(ground: Ground, clock: () => number) {
  return sealedRun(ground, ["true"], {
    task: TASK,
    limits: { step_seconds: STEP_SECONDS },
    placeFor: () => ground.place(clock),
  });
}
