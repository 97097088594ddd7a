import type { Requirement } from "../requirements.ts";

/**
 * Source document 002: roles, states and the signed ledger of a trace.
 *
 * @public
 */
export const PROTOCOL = {
  "002-1": {
    text: "A trace has a Planner, an Executor and a Critic at least, and an Auditor who verifies.",
    state: "tested",
  },
  "002-2": {
    text: "The Planner turns the task into proposals and signs each `proposal_created`.",
    state: "tested",
  },
  "002-3": {
    text: "The Executor signs tool intents, stores what execution produced and backs its claims with evidence.",
    state: "tested",
  },
  "002-4": {
    text: "The Critic judges proposals and actions alike, may challenge a claim and may stop an unsafe intent.",
    state: "tested",
  },
  "002-5": {
    text: "The Auditor opens and records verification runs and signs their summaries.",
    state: "tested",
  },
  "002-6": {
    text: "A trace is initialized, then planning, reviewing, executing, claiming or auditing, and at last completed, failed or aborted.",
    state: "tested",
  },
  "002-7": {
    text: "`session_initialized` moves a trace from initialized to planning.",
    state: "tested",
  },
  "002-8": { text: "One `proposal_created` or more moves planning to reviewing.", state: "tested" },
  "002-9": {
    text: "An approving `proposal_reviewed` moves reviewing to executing.",
    state: "tested",
  },
  "002-10": {
    text: "Executing gives way to claiming once tools succeed or their failure is handled within bounds.",
    state: "tested",
  },
  "002-11": {
    text: "A first `claim_issued` opens the way from claiming to auditing.",
    state: "tested",
  },
  "002-12": {
    text: "Auditing ends in completed when verification passes, with or without warnings.",
    state: "tested",
  },
  "002-13": {
    text: "An integrity violation beyond repair fails the trace from any state.",
    state: "tested",
  },
  "002-14": {
    text: "An operator's explicit abort ends the trace as aborted from any state.",
    state: "tested",
  },
  "002-15": {
    text: "Entries are only ever added, and a trace has one total order.",
    state: "tested",
  },
  "002-16": { text: "Each entry carries the hash of the one right before it.", state: "tested" },
  "002-17": {
    text: "No tool execution is recorded ahead of its `tool_intent_signed`.",
    state: "tested",
  },
  "002-18": {
    text: "A claim follows the end, good or bad, of the execution it speaks of.",
    state: "tested",
  },
  "002-19": {
    text: "After `final_statement_signed` only the audit's own entries come before verification ends.",
    state: "tested",
  },
  "002-20": {
    text: "`claim_issued`, `claim_challenged`, `proposal_created`, `tool_intent_signed`, `verification_run_completed` and `final_statement_signed` always carry a signature.",
    state: "tested",
  },
  "002-21": {
    text: "A proposal has at least one unit stating its objective, assumptions, tools needed and evidence expected.",
    state: "tested",
  },
  "002-22": {
    text: "The Critic answers each proposal with approval, rejection or conditional approval.",
    state: "tested",
  },
  "002-23": { text: "A rejected proposal never runs.", state: "tested" },
  "002-24": {
    text: "An intent states its risk class, a justification and the hash of its normalized input.",
    state: "tested",
  },
  "002-25": {
    text: "The Critic may block an intent that goes past policy thresholds.",
    state: "tested",
  },
  "002-26": { text: "An approved intent leads to `tool_execution_started`.", state: "tested" },
  "002-27": {
    text: "What goes into a tool and what comes out are both kept as artifacts.",
    state: "tested",
  },
  "002-28": {
    text: "An execution ends completed with data on its result, or failed with what led to it.",
    state: "tested",
  },
  "002-29": {
    text: "A claim has text, a confidence and the evidence references it needs.",
    state: "tested",
  },
  "002-30": {
    text: "A weak or contradicted claim can draw a `claim_challenged`.",
    state: "tested",
  },
  "002-31": {
    text: "The Planner or the Executor revises by adding entries, and earlier ones stay as they are.",
    state: "tested",
  },
  "002-32": { text: "`final_statement_signed` bundles the final claims.", state: "tested" },
  "002-33": {
    text: "After `verification_run_started` every mandatory check runs, and `verification_run_completed` gives the status and points to the report.",
    state: "tested",
  },
  "002-34": { text: "A trace without its verification entry cannot complete.", state: "tested" },
  "002-35": { text: "Several proposals may be open side by side.", state: "tested" },
  "002-36": {
    text: "A trace takes one write at a time, so appends never interleave.",
    state: "tested",
  },
  "002-37": {
    text: "Artifacts may be written in parallel, yet each is stored by the time an entry citing it commits.",
    state: "tested",
  },
  "002-38": {
    text: "An append that lost a race and would break the sequence is refused and tried again.",
    state: "tested",
  },
  "002-39": { text: "An invalid signature fails the trace and stops it.", state: "tested" },
  "002-40": {
    text: "An artifact missing when a claim is made does not stop the trace, and the audit then fails as expected.",
    state: "tested",
  },
  "002-41": {
    text: "A tool that fails at run time leaves a failure entry, and policy may allow a fallback proposal.",
    state: "tested",
  },
  "002-42": {
    text: "A proposal or intent the Critic blocked stays blocked until it is revised.",
    state: "tested",
  },
  "002-43": {
    text: "A retry brings a fresh intent and fresh execution entries beside the old ones.",
    state: "tested",
  },
  "002-44": {
    text: "After a crash the head is read again, the last whole entry validated, and work resumes at a valid transition only.",
    state: "tested",
  },
  "002-45": { text: "Each role may emit its own entry types and no others.", state: "tested" },
  "002-46": { text: "A risky tool runs only with the Critic's approval.", state: "tested" },
  "002-47": {
    text: "A claim cites artifacts and meets the minimum evidence count.",
    state: "tested",
  },
  "002-48": {
    text: "The final statement is refused while required checks have not passed.",
    state: "tested",
  },
  "002-49": {
    text: "Each claim leads back to exactly one key and one signed entry.",
    state: "tested",
  },
  "002-50": {
    text: "Each tool execution has stored an input or an output artifact.",
    state: "tested",
  },
  "002-51": { text: "A report names the immutable trace ids it is about.", state: "tested" },
  "002-52": { text: "An appended entry is never altered or removed.", state: "tested" },
} satisfies Readonly<Record<string, Requirement>>;
