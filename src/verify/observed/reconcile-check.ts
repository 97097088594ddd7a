import type { Observation } from "../../schema/observation.ts";
import { lastCheck } from "./check-runs.ts";
import { endOf, isUnseenEnd } from "./how-it-ended.ts";
import type { Reconciled } from "./reconciled.ts";

const SHOWN_MAX = 5;

/** A build or a linter that was seen to fail last refutes it; one that ended well may be a part of it. */
export function reconcileCheck(check: string, seen: Observation): Reconciled {
  if (check === "scope" || check === "dependencies") {
    const paths = seen.changed.map(({ path }) => path);
    const more = paths.length > SHOWN_MAX ? ` and ${paths.length - SHOWN_MAX} more` : "";
    const what = paths.length === 0 ? "nothing" : `${paths.slice(0, SHOWN_MAX).join(", ")}${more}`;
    return { verdict: "UNVERIFIED", reason: `what was changed is ${what}` };
  }
  const last = lastCheck(check, seen);
  if (last === undefined || isUnseenEnd(last)) {
    return { verdict: "UNVERIFIED", reason: `nothing that was seen shows it (${check})` };
  }
  const reason = `\`${last.argv.join(" ").slice(0, 200)}\` ${endOf(last)}`;
  return last.exit === 0
    ? { verdict: "UNVERIFIED", reason: `${reason}; whether that is all of it is not known` }
    : { verdict: "HALLUCINATED", reason };
}
