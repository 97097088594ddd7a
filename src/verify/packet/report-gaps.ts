import type { Plan } from "../../schema/plan.ts";
import type { WorkReport } from "../../schema/work.ts";
import type { PacketRecord } from "./packet-record.ts";

const GATES = ["proofs", "self", "reviewer", "mechanical"] as const;
/** The claim about the whole, beside those of its subtasks. */
const WHOLE = "work";

/**
 * Where a report leaves something out; undefined where it does not. The file that it comes from is no part
 * of the record: whoever takes a gap out of it would otherwise have the runtime sign that there is none.
 */
export function gapProblem(
  { status, subtasks, gates, unproven }: WorkReport,
  plan: Pick<Plan, "subtasks">,
  record: PacketRecord,
): string | undefined {
  const planned = plan.subtasks.map(({ id, name }) => `${id} ${name}`);
  if (
    !isSame(
      planned,
      subtasks.map(({ id, name }) => `${id} ${name}`),
    )
  ) {
    return "report.json has other subtasks than plan.json";
  }
  const claimed = record.entries.flatMap((entry) =>
    entry.type === "claim_issued" && entry.body.claim_id !== WHOLE ? [entry.body.claim_id] : [],
  );
  const proven = subtasks.filter((one) => one.status === "proven");
  if (!isSame(claimed.toSorted(), proven.map(({ id }) => id.toLowerCase()).toSorted())) {
    return "what report.json calls proven is not what the record claims";
  }
  const made = GATES.filter((gate) => record.step(gate) !== undefined);
  if (
    !isSame(
      made,
      gates.map(({ gate }) => gate),
    )
  ) {
    return "report.json has other gates than the record";
  }
  const silent = subtasks.find((one) => (one.status === "proven") !== (one.unproven.length === 0));
  if (silent !== undefined)
    return `${silent.id} is ${silent.status}, and what is unproven of it is not said`;
  const open = [
    ...subtasks.flatMap((one) => one.unproven.map((what) => `${one.id}: ${what}`)),
    ...gates
      .filter(({ verdict }) => verdict !== "pass")
      .map(({ gate, reasons }) => `${gate}: ${reasons.join("; ")}`),
  ];
  if (!isSame(unproven, open))
    return "what report.json calls unproven is not what it says of its parts";
  return (status === "completed") === (open.length === 0)
    ? undefined
    : `the work is called ${status}, with ${open.length} unproven`;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at]);
}
