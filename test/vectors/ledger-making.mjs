/** How a ledger vector is made from the steps of a story. */
import { sha256Hex } from "../../dist/base/index.js";
import {
  beginAudit,
  claim,
  complete,
  conclude,
  endAudit,
  intend,
  open,
  pack,
  propose,
  review,
  Story,
  say,
  start,
  TRACE,
} from "./ledger-story.mjs";

export const UNRECORDED = sha256Hex("never recorded");

/** Entries 0 to 6: one claim, with evidence. */
export const WORK = [open(), propose(), review(), intend(1), start(1), complete(1), claim(1)];
/** Entries 0 to 9: the shortest session that ends well. */
export const SHORT = [...WORK, conclude(), beginAudit(), endAudit()];

/** Tells a story; a step may be a function of the story so far. */
export async function told(steps, trace = TRACE) {
  const story = new Story(trace);
  for (const step of steps) {
    await story.tell(...(typeof step === "function" ? await step(story) : step));
  }
  return story;
}

export const bundle = (steps) => async () => pack((await told(steps)).parts());

/** A story whose bundle is changed by somebody who has no key. */
export const changed = (steps, change) => async () => {
  const story = await told(steps);
  const parts = story.parts();
  return pack({ ...parts, ...(await change(parts, story)) });
};

/** A story whose packed file is changed. */
export const bent = (change) => async () => {
  const parts = (await told(SHORT)).parts();
  return change(pack(parts), parts);
};

export const replaced = (text, from, to) => {
  if (!text.includes(from)) throw new Error(`nothing to replace: ${from}`);
  return text.replace(from, to);
};
export const respelled = (from, to) => ({ respell: (text) => replaced(text, from, to) });
/** A message with an odd spelling behind a sound beginning. */
export const oddLine = (twist, text = "Hello") =>
  bundle([open(), say("mara", "operator", text, twist), propose()]);

/** A step that the rules must refuse, and the code a verifier reports it under. */
export const no = (code, [agent, role, type, body, twist = {}]) => [
  agent,
  role,
  type,
  body,
  { ...twist, refused: true, code },
];
export const by = (agent, role, [, , ...step]) => [agent, role, ...step];
export const ROLE = "ROLE_POLICY_VIOLATION";
export const ORDER = "ORDER_VIOLATION";
export const STATE = "STATE_VIOLATION";
export const KEY = "KEY_NOT_ACTIVE";
export const UNPROVEN = "CLAIM_UNPROVEN";
export const FINAL = "FINALIZATION_VIOLATION";

/** The failures a story must lead to: one for each refused step, in order. */
export const refusalsOf = (steps) =>
  steps.flatMap(([, , , , twist], seq) => (twist?.refused ? [{ code: twist.code, seq }] : []));

/** The same bytes in base64 that sets an unused bit at its end. */
export function withSpareBits(text) {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const at = text.indexOf("=") - 1;
  return text.slice(0, at) + alphabet[alphabet.indexOf(text[at]) + 1] + text.slice(at + 1);
}

// Steps that are told by various agents.

export const judgeIntent = (agent, id, intent_status) => [
  agent,
  "critic",
  "intent_reviewed",
  { intent_id: id, intent_status, rationale: "So it is" },
];
export const dispute = (agent, challenge_id, claim_id) => [
  agent,
  "critic",
  "claim_challenged",
  { challenge_id, claim_id, reason: "Really?" },
];
export const checkFinding = (agent, claim_id, verdict) => [
  agent,
  "critic",
  "finding_checked",
  {
    claim_id,
    finding_id: "SEC-001",
    verdict,
    identity: UNRECORDED,
    place: "a.js:1",
    found: "a.js:2",
    reason: "So the source says",
  },
];
export const resolveBy = (agent, challenge_id, resolution) => [
  agent,
  "critic",
  "challenge_resolved",
  { challenge_id, resolution, rationale: "So it is" },
];
export const ask = [
  "ada",
  "planner",
  "question_asked",
  { question_id: "q1", text: "Why?", default: "So" },
];
export const answer = (question_id) => [
  "mara",
  "operator",
  "question_answered",
  { question_id, answer: "So" },
];
export const decide = [
  "ada",
  "planner",
  "decision_recorded",
  { decision_id: "d1", context: "Where", options: ["here"], choice: "here" },
];
export const except = (requester) => [
  "mara",
  "operator",
  "exception_recorded",
  {
    exception_id: "n1",
    rule: "None",
    reason: "None",
    requester,
    owner: "mara",
    expires_at: "2028-02-29T23:59:59.999Z",
    rollback: "None",
  },
];
export const record = (body, twist) => [
  "eli",
  "executor",
  "artifact_recorded",
  { description: "A file", ...body },
  twist,
];
export const rework = (round) => [
  "otto",
  "auditor",
  "rework_opened",
  { round, reasons: ["It failed"] },
];
export const audit = (agent, verification_id) => [
  agent,
  "auditor",
  "verification_run_started",
  { verification_id },
];
export const ended = (agent, verification_id, status, twist = {}) => [
  agent,
  "auditor",
  "verification_run_completed",
  { verification_id, status },
  twist,
];
export const BARE = { artifacts: [] };
export const PAIR = {
  artifacts: [
    { name: "one", text: "1\n" },
    { name: "two", text: "2\n" },
  ],
};
export const BOTH = { evidence: ["one", "two"], execution_ids: ["e3"] };
