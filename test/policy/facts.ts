import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { AdmissionFacts, MountFacts, PolicyException } from "../../src/schema/admission.ts";

const CASES = resolve(import.meta.dirname, "../../policies/cases.json");

type Start = Extract<AdmissionFacts, { moment: "start" }>;
type Complete = Extract<AdmissionFacts, { moment: "complete" }>;

/** Facts of an ordinary task that may start, with changes. */
export function startFacts(changes: Partial<Start> = {}): Start {
  const { start } = JSON.parse(readFileSync(CASES, "utf8")) as { start: Start };
  return { ...start, ...changes };
}

/** Facts of an ordinary run that may complete, with changes. */
export function completeFacts(changes: Partial<Complete> = {}): Complete {
  const { complete } = JSON.parse(readFileSync(CASES, "utf8")) as { complete: Complete };
  return { ...complete, ...changes };
}

export function mount(changes: Partial<MountFacts> = {}): MountFacts {
  return {
    source: "/srv/runs/t1/input",
    target: "/workspace/input",
    writable: false,
    kind: "input",
    secret: null,
    remote: false,
    owner: 1000,
    ...changes,
  };
}

/** An exception that counts: approved by somebody else, for this task, not expired at NOW. */
export function exception(rule: string, changes: Partial<PolicyException> = {}): PolicyException {
  return {
    id: "e1",
    rule,
    reason: "the fix lands next week",
    owner: "mara",
    requester: "ada",
    approver: "cleo",
    expires_at: "2030-02-01T00:00:00Z",
    rollback: "remove the exception",
    scope: { tasks: ["t1"], names: [] },
    secret_review: null,
    ...changes,
  };
}

export const NOW = Date.parse("2030-01-01T00:00:00Z");
