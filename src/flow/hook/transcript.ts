import { type Call, callIn, endIn } from "./calls.ts";
import { isSettings as isObject } from "./settings-file.ts";

const CALLS_MAX = 2_000;

/** What a session's own record shows: the agent's last words, and what it had run, in order. */
export interface Shown {
  readonly lastWords: string | undefined;
  readonly calls: readonly Call[];
  /** Whether these are all that there were. */
  readonly isWhole: boolean;
}

/**
 * Reads the records of claude and of codex, which say the same in two forms. The program around the
 * model writes them, not the model.
 */
export function shownBy(lines: readonly unknown[]): Shown {
  let lastWords: string | undefined;
  const calls: Call[] = [];
  let isWhole = true;
  for (const line of lines) {
    const message = messageIn(line);
    for (const part of partsOf(message)) take(part, calls);
    lastWords = wordsIn(message) ?? lastWords;
    // The end of a long session counts, not its beginning.
    if (calls.length > 2 * CALLS_MAX) {
      calls.splice(0, calls.length - CALLS_MAX);
      isWhole = false;
    }
  }
  return { lastWords, calls, isWhole };
}

function take(part: Message, calls: Call[]): void {
  const call = callIn(part);
  if (call !== undefined) calls.push(call);
  const end = endIn(part);
  const ended = end && calls.findLast(({ id }) => id !== undefined && id === end.id);
  if (ended !== undefined) Object.assign(ended, end);
}

/** Whether these are records of a session at all: every one begins with what its user said. */
export function isOfSession(lines: readonly unknown[]): boolean {
  return lines.some(
    (line) => isObject(line) && (isObject(line["message"]) || isObject(line["payload"])),
  );
}

type Message = Readonly<Record<string, unknown>>;

function messageIn(line: unknown): Message {
  return isObject(line) ? ([line["message"], line["payload"]].find(isObject) ?? {}) : {};
}

/** A message as one part where it is a call or its end itself, and else the parts of its content. */
function partsOf(message: Message): Message[] {
  const { content } = message;
  return Array.isArray(content) ? content.filter(isObject) : [message];
}

function wordsIn({ role, content }: Message): string | undefined {
  if (role !== "assistant") return undefined;
  const parts = Array.isArray(content) ? content.filter(isObject) : [{ text: content }];
  const text = parts.flatMap(({ text: one }) => (typeof one === "string" ? [one] : [])).join("\n");
  return text.trim() === "" ? undefined : text;
}
