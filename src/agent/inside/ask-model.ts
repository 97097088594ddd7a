import type { ErrorKind } from "../../schema/agent.ts";
import { cut, type JsonObject, objectOf, textOf } from "../json-value.ts";
import { errorKindOf } from "../model-error.ts";
import { type Answer, HopelessPost, postJson, TooLong } from "./post-json.ts";
import type { Question, Reply, Wire } from "./wire.ts";

/** Why there is no answer, as far as it decides what to do next. */
export class ModelTrouble extends Error {
  readonly why: ErrorKind;
  /** How long the service wants to be left alone, in its own words. */
  readonly retryAfter: string | undefined;
  /** Whether asking again could help. */
  readonly isPassing: boolean;

  constructor(
    why: ErrorKind,
    message: string,
    more?: { retryAfter?: string; isPassing?: boolean },
  ) {
    super(message);
    this.why = why;
    this.retryAfter = more?.retryAfter;
    this.isPassing = more?.isPassing ?? false;
  }
}

const ANSWER_BYTES_MAX = 32 << 20;
const MESSAGE_CHARS_MAX = 1_000;
const DETAIL_CHARS_MAX = 500;
const WISH_CHARS_MAX = 40;

/** Asks once. Whatever is not a whole answer is thrown as {@link ModelTrouble}. */
export async function askOnce(
  wire: Wire,
  endpoint: string,
  question: Question,
  stallMs: number,
): Promise<Reply> {
  const limits = { stallMs, bytesMax: ANSWER_BYTES_MAX };
  const body = wire.body(question);
  const answer = await postJson(wire.address(endpoint), wire.headers, body, limits).catch(
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const why = error instanceof TooLong ? "other" : "unavailable";
      throw new ModelTrouble(why, message, {
        isPassing: !(error instanceof HopelessPost),
      });
    },
  );
  const told = parsed(answer.text);
  if (answer.status !== 200) throw refusalOf(answer, told);
  const reply = told === undefined ? undefined : wire.reply(told);
  if (reply === undefined) {
    const shown = cut(answer.text.toWellFormed(), DETAIL_CHARS_MAX);
    throw new ModelTrouble("other", `expected an answer of the model, found: ${shown}`);
  }
  if (reply.end === "cut") {
    throw new ModelTrouble("other", "the model's answer was cut off before its end");
  }
  if (reply.end === "refused") {
    throw new ModelTrouble("other", `the model refused: ${cut(reply.text, DETAIL_CHARS_MAX)}`);
  }
  return reply;
}

function refusalOf(
  { status, retryAfter, text }: Answer,
  told: JsonObject | undefined,
): ModelTrouble {
  const error = objectOf(told?.["error"]);
  const said = textOf(error?.["message"]) ?? textOf(told?.["error"]) ?? text.toWellFormed();
  // Its kind says more than its status: a used-up account is told with 429 as well.
  const kinds = [error?.["type"], error?.["code"]].filter((one) => typeof one === "string");
  const wish = retryAfter === undefined ? "" : ` (Retry-After: ${cut(retryAfter, WISH_CHARS_MAX)})`;
  const words = [said, ...kinds].join(" ");
  const message = `${cut(`status ${status}: ${words}`, MESSAGE_CHARS_MAX)}${wish}`;
  const why = errorKindOf(message, status);
  return new ModelTrouble(why, message, {
    ...(retryAfter === undefined ? {} : { retryAfter }),
    isPassing: why === "busy" || why === "unavailable",
  });
}

function parsed(text: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    // What is not JSON is told with its status by the caller.
    return undefined;
  }
}
