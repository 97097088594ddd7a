/**
 * Every rule of the gate by its name, in the words of a report. Laws, tools, phases and invariants
 * are those of source document 001; the rest is ours.
 */
export const RULES = {
  shape: "the shape of the file: every field there, none unknown, each of its type",
  "law-01": "LAW 01: an open ambiguity is asked about, an assumption carries its risk",
  "law-02-test": "LAW 02: a CODE subtask names the test that fails before the work",
  "law-02-invented-test":
    "LAW 02: only CODE has tests; a made-up one looks like a check and is none",
  "law-02-assertion": "LAW 02: CODE and INFRA have at least one Python assertion",
  "law-02-state": "LAW 02: CONFIG says which field of which file has which value",
  "law-02-behaviour": "LAW 02: CONFIG has at least one GIVEN/WHEN/THEN check",
  "law-02-health": "LAW 02: INFRA says which request is answered with which status",
  "law-02-sections": "LAW 02: DOCS says which sections a document has, in order",
  "law-02-completeness": "LAW 02: DOCS has a check of completeness besides its sections",
  "law-03": "LAW 03: a criterion does not hedge",
  "law-04": "LAW 04: a subtask is small, and names the keys it needs of what it depends on",
  "law-06": "LAW 06: the critique says how many gaps it found",
  "tool-04": "TOOL 04: GIVEN, WHEN, THEN, each with something in it, in this order",
  "tool-04-then": "TOOL 04: a THEN can be seen from outside and measured",
  "tool-05": "TOOL 05: an assertion is one import-free assert about result that can fail",
  "tool-05-check": "TOOL 05: every subtask has a check in words",
  "tool-07": "TOOL 07: a collision check has a verdict and its evidence",
  "empty-proof": "a proof that no outcome of the work could turn red",
  unprovable: "no proof can check this criterion",
  "unknown-check": "a proof that covers a check which its subtask does not have",
  "unknown-id": "a name that no subtask has",
  "duplicate-id": "a name that two have",
  cycle: "subtasks that wait for each other",
  orphan: "a subtask whose output nothing takes up",
  "duplicate-output": "two subtasks that write to one place",
  "two-owners": "two subtasks that own one file",
  staging:
    "the staging folder: absolute, .forge-staging/<build>/polecat_<id>/, output and sentinel inside",
  "assembly-order": "the assembly order: every subtask once, after what it depends on",
  "invariant-questions": "INVARIANT: not ready while a question is open",
  "invariant-score": "INVARIANT: not ready below 0.90",
  "invariant-ready": "PHASE 5: ready when nothing is open and the score is 0.90 or more",
  "invariant-debrief": "INVARIANT: a plan that is not ready says why in its debrief",
  "invariant-sum": "INVARIANT: the score is 1 plus the sum of the amounts",
  "invariant-deductions": "the plan's deductions are those that the gate counts",
  "invariant-unverified": "INVARIANT: an UNVERIFIED collision check asks a question",
  "invariant-monitor": "INVARIANT: more than one subtask needs deacon_required",
  "invariant-staging": "INVARIANT: every subtask has its staging paths",
  "injection-guard": "the guard: override language is logged as SEMANTIC and asked about",
  "output-budget": "the output budget of 4000 tokens",
  "phase-minus-1": "PHASE -1: the plan follows its design brief",
  "invariant-promise": "INVARIANT: a design does not declare itself COMPLETE past the gate",
} as const;

export type RuleName = keyof typeof RULES;
