import type { AgentEvent, ErrorKind } from "../schema/agent.ts";
import { cut } from "./json-value.ts";

const MESSAGE_CHARS_MAX = 2_000;

/**
 * Where agents put the status of an HTTP answer into their sentences. A bare number elsewhere is
 * none: "500 files" is not an outage.
 */
const STATUS =
  /^([45]\d\d)\b|\bstatus(?: code)?:? ([45]\d\d)\b|\(([45]\d\d)\b|\b(?:HTTP|API) error:? ([45]\d\d)\b/i;

/** Looked at in this order: a used-up account is also told with status 429. */
const WORDS: readonly (readonly [ErrorKind, RegExp])[] = [
  ["quota", /insufficient[_ ]quota|credit balance|billing|usage limit|spending limit/i],
  ["busy", /rate.?limit|too many requests|per minute|overloaded/i],
  ["quota", /quota/i],
  ["credential", /unauthori[sz]ed|authenticat|api.key|forbidden|not logged in|\/login/i],
  [
    "unavailable",
    /E(?:CONN\w+|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)|time(?:d )?.?out|network|connect(?:ion)?\b|disconnected|fetch failed|sending request|high demand|unavailable|server error/i,
  ],
];

/** What kind of trouble an agent tells of, by the status of the answer or by its words. */
export function errorKindOf(message: string, status?: number): ErrorKind {
  const text = message.slice(0, MESSAGE_CHARS_MAX);
  const [used] = WORDS;
  if (used?.[1].test(text) === true) return "quota";
  const byStatus = kindOfStatus(status ?? statusIn(text));
  return byStatus ?? WORDS.find(([, words]) => words.test(text))?.[0] ?? "other";
}

/** An error event with a bounded message. */
export function modelError(message: string, status?: number): AgentEvent {
  return {
    kind: "error",
    why: errorKindOf(message, status),
    message: cut(message, MESSAGE_CHARS_MAX),
  };
}

function statusIn(text: string): number | undefined {
  const match = STATUS.exec(text);
  return match === null ? undefined : Number(match.slice(1).find((group) => group !== undefined));
}

/** What a status says of a service; undefined when it is no trouble with the service. */
export function kindOfStatus(status: number | undefined): ErrorKind | undefined {
  if (status === 429) return "busy";
  if (status === 401 || status === 403) return "credential";
  if (status === 402) return "quota";
  if (status === 408 || (status !== undefined && status >= 500)) return "unavailable";
  return undefined;
}
