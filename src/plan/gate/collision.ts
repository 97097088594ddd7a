import type { Plan, Verimap } from "../../schema/plan.ts";
import type { Violation } from "./gate-report.ts";
import { ownWords, plainWords } from "./plain-words.ts";

type AnyPlan = Plan | Verimap;
type Subtask = AnyPlan["subtasks"][number];

/** Words of work that something else may do already: state, storage, messages, schedules. */
const TOUCHES =
  /(?<![\p{L}\p{N}_])(?:databases?|db|sqlite|postgres\w*|redis|tables?|migrations?|persist\w*|storage|stores?|stored|caches?|cached|sessions?|state|queues?|messages?|messaging|mail\w*|inbox|outbox|publish\w*|subscri\w*|webhooks?|notifications?|broadcast\w*|cron\w*|schedul\w*|timers?|daemons?|background jobs?|locks?|leases?)(?![\p{L}\p{N}_])/u;
/** What stands where evidence should, and is none. */
const NO_EVIDENCE =
  /^\W*(?:none|n\/?a|not applicable|no evidence|unknown|tbd|todo|assumed|obvious|nothing|-+)?\W*$/iu;

/** TOOL 07: whether something else does this already, and how that is known. */
export function checkCollisions(plan: AnyPlan): Violation[] {
  const asked = new Set(plan.blocking_questions.map(({ blocking }) => blocking));
  return plan.subtasks.flatMap((subtask, at) => {
    const path = `subtasks[${at}].kingdom_collision_check`;
    const { verdict, verification_status: status } = subtask.kingdom_collision_check;
    const isVerdict = /^no(?:ne)?\b|\balready\b/i.test(verdict.trim());
    const message = 'expected "None", or which system already handles it';
    const formless: Violation = { rule: "tool-07", path: `${path}.verdict`, message };
    const isAsked = asked.has(subtask.id);
    return [
      ...(isVerdict ? [] : [formless]),
      ...(status === "UNVERIFIED"
        ? checkUnverified(subtask, path, isAsked)
        : checkEvidence(subtask, path)),
    ];
  });
}

function checkUnverified({ id }: Subtask, path: string, isAsked: boolean): Violation[] {
  const message = `${id} is UNVERIFIED and no blocking question asks who owns this: add one that blocks ${id}`;
  return isAsked
    ? []
    : [{ rule: "invariant-unverified", path: `${path}.verification_status`, message }];
}

function checkEvidence(subtask: Subtask, path: string): Violation[] {
  const { verification_status: status, evidence } = subtask.kingdom_collision_check;
  if (!NO_EVIDENCE.test(evidence)) return [];
  const touched = touchedBy(subtask);
  if (touched === undefined && evidence.trim() !== "") return [];
  const why = touched === undefined ? "" : ` and its instruction speaks of "${touched}"`;
  const message = `it says ${status}${why}, but nothing was looked at: name the file that was read, or make it UNVERIFIED and ask`;
  return [{ rule: "tool-07", path: `${path}.evidence`, message }];
}

/** The word by which a subtask shows that it is about state, storage, messages or schedules, if it is. */
export function touchedBy({
  name,
  instruction,
}: Pick<AnyPlan["subtasks"][number], "name" | "instruction">): string | undefined {
  return TOUCHES.exec(plainWords(ownWords(`${name}\n${instruction}`)))?.[0];
}
