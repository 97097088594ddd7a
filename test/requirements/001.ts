import type { Requirement } from "../requirements.ts";

/**
 * Source document 001: planning in which every subtask says beforehand how it will be checked.
 *
 * @public
 */
export const WITNESS = {
  "001-1": {
    text: "An agent prompt gives the model a role to play and never lets it pass for a person.",
    state: "tested",
  },
  "001-2": {
    text: "What an agent is lives in data it reads from and writes to the BLACKBOARD, so another model can take its place.",
    state: "tested",
  },
  "001-3": { text: "Prompts hold workers to code they would sign as their own.", state: "tested" },
  "001-4": {
    text: "Assigned work starts at once and stops for confirmation only where one is demanded.",
    state: "tested",
  },
  "001-5": {
    text: "Each module, function and choice of design lists what it refuses and why, in a form a program can read.",
    state: "tested",
  },
  "001-6": {
    text: "A domain has one file, which is replaced rather than joined by another, and `_temp_*` scaffolding is gone at the end.",
    state: "tested",
  },
  "001-7": {
    text: "Work passes a gate of self-criticism, then a blind auditor who rejects by default, then green tests and a GHOST node for each known debt; agreeing to please is no pass.",
    state: "tested",
  },
  "001-8": {
    text: "Status marks cover eleven conditions: law, intent, forge, research, architecture, complete, active, dormant, drift, failure and blocked.",
    state: "tested",
  },
  "001-9": {
    text: "Mail is an `.md` file in the recipient's root, never in `buffer/`, that opens with a `---` block of TO, FROM, PRIORITY and SUBJECT; `URGENT_` in its name skips the 15-minute limit.",
    state: "tested",
  },
  "001-10": {
    text: "Visual work keeps to the brutalist standard and avoids the listed machine-made clichés.",
    state: "tested",
  },
  "001-11": {
    text: "Planning stands between an unclear request and any action, and holds a requirement incomplete until shown otherwise.",
    state: "tested",
  },
  "001-12": {
    text: "A plan is finished only when each subtask has a definite pass or fail, both Python and language checks, and the score reaches 0.90.",
    state: "tested",
  },
  "001-13": {
    text: "A vague wish is turned into a figure, such as under 150 ms at p95 over 10k documents.",
    state: "tested",
  },
  "001-14": {
    text: "No plan is ready until an adversary has looked for a CRITICAL fault and found none.",
    state: "tested",
  },
  "001-15": {
    text: "Questions about an ambiguity come to an end instead of looping.",
    state: "tested",
  },
  "001-16": {
    text: "Several readings of a request are weighed before one is planned.",
    state: "tested",
  },
  "001-17": {
    text: "A demand to skip planning is refused, and the reply lists the open questions.",
    state: "tested",
  },
  "001-18": { text: "A single vague criterion is enough to refuse the plan.", state: "tested" },
  "001-19": {
    text: "The score falls from 1.0 to no less than 0.0: by 0.20 per open SPECIFY, 0.15 per HIGH and 0.05 per MEDIUM assumption, 0.10 per hedged check and per INFRA, CONFIG or CODE subtask lacking an assertion, 0.08 per critique gap, 0.03 per UNVERIFIED collision.",
    state: "tested",
  },
  "001-20": {
    text: "Below 0.90 the planner asks another question and neither guesses nor rounds.",
    state: "tested",
  },
  "001-21": { text: "The planner writes no implementation code.", state: "tested" },
  "001-22": {
    text: "Every criterion can be answered with yes or no; a wish that things work is not one.",
    state: "tested",
  },
  "001-23": {
    text: "An ambiguity is first typed SEMANTIC, SPECIFY or GENERALIZE, then asked about if answers would change the plan, else assumed at MEDIUM or HIGH risk.",
    state: "tested",
  },
  "001-24": {
    text: "CODE names a failing test and an assertion, CONFIG a field's value in a file and a GIVEN/WHEN/THEN, INFRA a service's answer and an assertion, DOCS its sections in order and a completeness check.",
    state: "tested",
  },
  "001-25": {
    text: "A CODE subtask that names no test is a violation, and so is a CONFIG subtask that invents one.",
    state: "tested",
  },
  "001-26": {
    text: "No check says `feels right`, `seems functional`, `appears correct` or `should work`.",
    state: "tested",
  },
  "001-27": {
    text: "A subtask fits one worker for under 2 h, with exact `depends_on` and named upstream keys in `context_required`.",
    state: "tested",
  },
  "001-28": {
    text: "Three engineers give a reading, a DONE, a main worry and TRACTABLE, UNCERTAIN or IMPOSSIBLE; the last drops out explained, the surest and safest wins, the rest are logged with reasons.",
    state: "tested",
  },
  "001-29": {
    text: "Five adversarial questions or more are answered without sight of the plan, and the gaps they show are closed before it is issued.",
    state: "tested",
  },
  "001-30": {
    text: "A first scan covers scope, constraints, integration, success and edge cases (invalid, empty, maximum, concurrent, timeout), each ending as a question or a rated assumption.",
    state: "tested",
  },
  "001-31": { text: "A prompt sorts ambiguities into their three types.", state: "tested" },
  "001-32": { text: "A prompt plays the three engineers.", state: "tested" },
  "001-33": {
    text: "Behaviour is stated as GIVEN/WHEN/THEN, and THEN can be judged with the code unseen.",
    state: "tested",
  },
  "001-34": {
    text: "Each subtask has import-free Python assertions that run alone on `result`, and language checks that another agent judges.",
    state: "tested",
  },
  "001-35": {
    text: "Critique questions probe dependencies, wrong passes, missing subtasks, hand-over gaps and hidden assumptions.",
    state: "tested",
  },
  "001-36": {
    text: "What touches state, storage, messages or schedules is held against a registry of existing systems (8 in the source) in 2 calls a subtask, giving `verdict`, `verification_status` and `evidence`; UNVERIFIED asks a blocking question.",
    state: "tested",
  },
  "001-37": {
    text: "Phase −1 takes subtask count, staging paths, order and criteria from `BLACKBOARD.design.witness_brief`; with neither brief nor the promise `DESIGN_COMPLETE_WITNESS_REQUIRED` it records a HIGH assumption and asks.",
    state: "tested",
  },
  "001-38": {
    text: "Phase 0 reads 5–7 files in 10 tool uses at most to confirm that the system is what the request says.",
    state: "tested",
  },
  "001-39": { text: "Phase 1 sweeps the request for ambiguities.", state: "tested" },
  "001-40": { text: "Phase 2 hears the three engineers.", state: "tested" },
  "001-41": {
    text: "Phase 3 builds the VeriMAP graph, with its own allowance of 2 collision calls a subtask.",
    state: "tested",
  },
  "001-42": { text: "Phase 4 puts the adversarial questions.", state: "tested" },
  "001-43": {
    text: "Phase 5 computes the score with its `confidence_deductions` and sets `handoff_ready` only at 0.90 or more and with no question open, else gives questions and a debrief.",
    state: "tested",
  },
  "001-44": {
    text: "Phase 6 always writes the board: phase `WITNESS_COMPLETE` or `WITNESS_BLOCKED`, a true `content_locked`, a null `dispatch_time`, an empty `agents_outstanding`, `handoff_ready`, `deacon_required`, `polecat_count` and `unlock_condition`.",
    state: "tested",
  },
  "001-45": {
    text: "At INITIALIZATION the lock in `BLACKBOARD.witness` reaches `BLACKBOARD.orchestrator`, which writes no content until answers and a new planning pass lift it.",
    state: "tested",
  },
  "001-46": {
    text: "The plan's JSON is all that comes out, with each field typed and present and none unknown.",
    state: "tested",
  },
  "001-47": {
    text: "A VeriMAP has `original_request` verbatim, `verimapped_task`, readings chosen and rejected, `ambiguities_resolved`, `negative_contract`, `scope`, `subtasks`, `assembly_order`, `staging_paths`, `deacon_required`, `confidence_score` with its deductions, `cove_critique_summary`, `blocking_questions` (`BQ-nn`), `handoff_ready` and `witness_debrief`.",
    state: "tested",
  },
  "001-48": {
    text: "A subtask `ST-nn` has `type`, `name`, `instruction`, `context_required`, `depends_on`, `output_schema`, `verification_functions` of both kinds, `ghost_nodes`, `kingdom_collision_check` and `edge_cases` labelled `happy_path`, `failure_path` and `edge_case`.",
    state: "tested",
  },
  "001-49": {
    text: "A subtask stages under the absolute `.forge-staging/[build]/polecat_ST-nn/`, which holds its output file and the sentinel `POLECAT_DONE`.",
    state: "tested",
  },
  "001-50": { text: "An open question keeps `handoff_ready` false.", state: "tested" },
  "001-51": { text: "A score under 0.90 keeps `handoff_ready` false.", state: "tested" },
  "001-52": {
    text: "A plan with a banned phrase is corrected before it is issued.",
    state: "tested",
  },
  "001-53": {
    text: "A plan that leaves out context keys is corrected before it is issued.",
    state: "tested",
  },
  "001-54": { text: "A plan that is not ready has a filled `witness_debrief`.", state: "tested" },
  "001-55": {
    text: "A score unequal to 1 minus the summed deductions is computed anew.",
    state: "superseded by decision 1",
  },
  "001-56": { text: "An UNVERIFIED collision check raises a question.", state: "tested" },
  "001-57": {
    text: "A CODE subtask that has no assertion is corrected before the plan is issued.",
    state: "tested",
  },
  "001-58": { text: "More than one subtask sets `deacon_required`.", state: "tested" },
  "001-59": { text: "Each subtask has an entry in `staging_paths`.", state: "tested" },
  "001-60": { text: "A ready plan shows as ready on the board too.", state: "tested" },
  "001-61": {
    text: "A design promise of `COMPLETE` is rejected with a precise blocking question, until planning reruns or `witness_skipped_reason` is on record.",
    state: "tested",
  },
  "001-62": {
    text: "Output stays within 4000 tokens by cutting rejected readings, then edge-case prose, then the critique summary, but never instruction, score, scope, checks or negative contract.",
    state: "tested",
  },
  "001-63": {
    text: "Override language in a request is recorded as a SEMANTIC ambiguity, raises a blocking question and is not followed; the guard keeps a record and claims to be no firewall.",
    state: "tested",
  },
  "001-64": {
    text: "All phases run, and no builder starts while `handoff_ready` is false.",
    state: "superseded by decision 3",
  },
  "001-65": {
    text: "Acceptance criteria are delivered ahead of everything else.",
    state: "tested",
  },
  "001-66": {
    text: "A worker gets only the upstream keys named for it, so nothing foreign enters its context.",
    state: "tested",
  },
  "001-67": { text: "SPECIFY gaps are asked about ahead of other kinds.", state: "tested" },
  "001-68": {
    text: "Python checks judge types, values and structure, and language checks judge behaviour.",
    state: "tested",
  },
  "001-69": { text: "An assertion runs without the codebase at hand.", state: "tested" },
  "001-70": { text: "A critique gap costs points even after it is closed.", state: "tested" },
  "001-71": {
    text: "Fact checking is capped, because one false premise once cost 46 tool uses and 13 minutes.",
    state: "tested",
  },
  "001-72": {
    text: "Anyone can recompute the score from the listed deductions.",
    state: "tested",
  },
  "001-73": {
    text: "Each phase spends its own tool budget, so a shortage shows.",
    state: "tested",
  },
  "001-74": { text: "An invented test name weighs worse than an absent one.", state: "tested" },
  "001-75": {
    text: "Planner prompts pin their traits and name the failures they guard against.",
    state: "tested",
  },
  "001-76": {
    text: "A prompt has a common header of about 500 words and some 2k for the specialist, set apart by XML-style markers.",
    state: "tested",
  },
  "001-77": {
    text: "Staging paths, the hand-over gate, the deacon flag and reading the brief close the earlier failures 2 to 5.",
    state: "tested",
  },
} satisfies Readonly<Record<string, Requirement>>;
