import { SwornError } from "../../base/index.ts";
import {
  type ToolingOutcome,
  VERBS,
  type Verb,
  type VerbAnswer,
  type VerbArgs,
} from "../../schema/tooling.ts";
import type { Refusal } from "../../view/index.ts";
import { issueWords } from "../words/issue-words.ts";
import { nearest } from "../words/nearest.ts";
import { type Speaker, speakerRefusal } from "./speaker.ts";

/** What a verb does. A refusal is a value; the world's failures are thrown. */
export type VerbFunction<V extends Verb> = (
  args: VerbArgs<V>,
  speaker: Speaker,
) => Promise<VerbAnswer<V> | Refusal | Unavailable>;

/** One function for each verb: what is behind a socket or an MCP server. */
export type VerbFunctions = { readonly [V in Verb]: VerbFunction<V> };

/** Said where a verb has its shape but nothing behind it here: never a made-up answer. */
export interface Unavailable {
  readonly kind: "unavailable";
  readonly reason: string;
}

/** The rule that an answer names when something is not there to be asked. */
const UNAVAILABLE = "NOT_AVAILABLE";

/** Failures whose words are about the request; others could tell of the host. */
const TOLD: readonly string[] = [
  "INPUT_INVALID",
  "LIMIT_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "LEDGER_BUSY",
];

/** Fields by which somebody may try to say who they are. */
const IDENTITY: readonly string[] = [
  ...["agent", "role", "run", "as", "from", "actor", "author", "speaker", "depth", "task"],
];

/**
 * Answers one request of a speaker. It never throws: what goes wrong is an answer, too, and what
 * could not be foreseen tells the other side nothing.
 */
export async function answerVerb(
  functions: VerbFunctions,
  speaker: Speaker,
  verb: string,
  args: unknown,
  onFault: (error: unknown) => void = () => {},
): Promise<ToolingOutcome> {
  if (!isVerb(verb)) return failed("INPUT_INVALID", unknownVerb(verb));
  const shape = VERBS[verb].args;
  const parsed = shape.safeParse(args);
  if (!parsed.success) {
    const words = issueWords(parsed.error.issues, { shape, input: args });
    return failed("INPUT_INVALID", `${verb}: ${words}${identityHint(args, shape.shape)}`);
  }
  const refusal = speakerRefusal(speaker, verb, parsed.data);
  if (refusal) return { refused: { rule: refusal.rule, reason: refusal.reason } };
  try {
    // The shape that stands beside the function in the same table has judged the arguments.
    const call = functions[verb] as VerbFunction<Verb>;
    return outcomeOf(await call(parsed.data as VerbArgs<Verb>, speaker));
  } catch (error) {
    if (error instanceof SwornError && TOLD.includes(error.code)) {
      return failed(error.code, error.message);
    }
    onFault(error);
    const code = error instanceof SwornError ? error.code : "UNEXPECTED";
    return failed(code, `${verb} could not be done; whoever runs this sees why`);
  }
}

function outcomeOf(result: VerbAnswer<Verb> | Refusal | Unavailable): ToolingOutcome {
  if (!("kind" in result)) return { ok: result };
  if (result.kind === "unavailable") {
    return { refused: { rule: UNAVAILABLE, reason: result.reason } };
  }
  return { refused: { rule: result.rule, reason: result.reason } };
}

const isVerb = (verb: string): verb is Verb => Object.hasOwn(VERBS, verb);

const failed = (code: string, message: string): ToolingOutcome => ({ error: { code, message } });

function unknownVerb(verb: string): string {
  const meant = nearest(verb, Object.keys(VERBS));
  const hint =
    meant === undefined ? `expected ${Object.keys(VERBS).join(", ")}` : `did you mean ${meant}?`;
  return `there is no ${JSON.stringify(verb)}: ${hint}`;
}

function identityHint(args: unknown, known: Readonly<Record<string, unknown>>): string {
  const given = Object.keys((args as object | null | undefined) ?? {});
  const isTried = given.some((name) => IDENTITY.includes(name) && !Object.hasOwn(known, name));
  return isTried ? "; who speaks is known from the connection and cannot be said" : "";
}
