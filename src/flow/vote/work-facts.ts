import { counted } from "../../base/index.ts";
import type { WorkReport } from "../../schema/work.ts";
import { shownProofs } from "../../view/index.ts";
import type { DoneFacts } from "../../vote/index.ts";

/** Agents do not write the same bytes twice; what can be made again is every proof. */
const AGAIN =
  "agents write other bytes each time; every proof was made a second time, on the whole, and came to the same";

/** What the report of a work tells of the definition of done. What it does not tell is left out. */
export function workFacts(report: WorkReport): DoneFacts {
  const proofs = shownProofs(report);
  const named = proofs.filter(({ proof }) => proof.kind === "test");
  const passed = named.filter(({ verdict }) => verdict === "pass").length;
  const isMadeAgain = report.gates.some(
    ({ gate, verdict }) => gate === "proofs" && verdict === "pass",
  );
  const subtasks = counted(report.subtasks.length, "subtask");
  const tries = report.subtasks.reduce((sum, one) => sum + one.tries.length, 0);
  return {
    spec: {
      summary: `${report.task}: ${counted(proofs.length, "check")} of ${subtasks}`,
      unmet: report.subtasks.flatMap(({ id, status, unproven }) =>
        status === "proven" ? [] : [`${id}: ${unproven.join("; ") || status}`],
      ),
    },
    ...(named.length === 0
      ? { unknown: uncounted(report) }
      : { tests: { passed, failed: named.length - passed } }),
    ...(isMadeAgain ? { reproducibility: { isSame: false, why: AGAIN } } : {}),
    budgets: { overrun: [], measured: [`${counted(tries, "try")} for ${subtasks}`] },
  };
}

/** Where the plan names no test, all tests ran at the last gate, which tells no figure. */
function uncounted({ gates }: WorkReport): DoneFacts["unknown"] {
  const ran = gates.find(({ gate }) => gate === "mechanical");
  if (ran === undefined) return {};
  const how = "sworn.yaml can say how that is measured, as work.coverage";
  return ran.verdict === "pass"
    ? {
        tests: `all tests pass, by ${ran.by}, and nobody measured how much of the change they reach; ${how}`,
      }
    : { tests: ran.reasons.join("; ") || `all tests: ${ran.verdict}` };
}
