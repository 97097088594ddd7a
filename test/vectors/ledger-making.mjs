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
