import type { Verb } from "../../schema/tooling.ts";
import type { Speaker } from "./speaker.ts";
import type { VerbFunction, VerbFunctions } from "./verbs.ts";

/**
 * What each verb brings in that others are going to read; undefined where nothing of it goes further
 * than to whoever asked. A new verb has to say which it is.
 */
const BROUGHT: { readonly [V in Verb]: string | undefined } = {
  "bus.post": "a message",
  "bus.read": undefined,
  ask: "a question",
  answer: "an answer",
  check: undefined,
  "facts.propose": "a fact",
  "facts.read": undefined,
  "state.read": undefined,
  "status.note": "a note",
  "context.get": undefined,
  "review.vote": "a vote",
  "review.status": undefined,
  "deliver.submit": "a packet",
  "run.delegate": "a prompt",
  "run.status": undefined,
};

/** Looks at a text of a speaker; `source` says what it is and whose. */
export type Look = (speaker: Speaker, source: string, text: string) => Promise<void>;

/**
 * The same verbs, and every text that an agent brings in with them is looked at once it was taken:
 * others will read it as part of what they are told. A person's own words need no look.
 */
export function watchedVerbs(functions: VerbFunctions, look: Look): VerbFunctions {
  const all = Object.entries(functions).map(([verb, call]) => {
    const brought = BROUGHT[verb as Verb];
    return [
      verb,
      brought === undefined ? call : watched(call as VerbFunction<Verb>, brought, look),
    ];
  });
  // Each verb has the function that it had, with a look behind it.
  return Object.fromEntries(all) as VerbFunctions;
}

function watched(call: VerbFunction<Verb>, brought: string, look: Look): VerbFunction<Verb> {
  return async (args, speaker) => {
    const answer = await call(args, speaker);
    const isTaken = !("kind" in answer);
    if (!isTaken || speaker.role === "operator") return answer;
    // Each by itself: a question about one says the line in that text.
    for (const text of textsOf(args)) await look(speaker, `${brought} of ${speaker.agent}`, text);
    return answer;
  };
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
