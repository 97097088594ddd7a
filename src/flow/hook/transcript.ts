import { isSettings as isObject } from "./settings-file.ts";

const COMMANDS_MAX = 2_000;

/** What a session's own record shows: the agent's last words, and the commands it had run. */
export interface Shown {
  readonly lastWords: string | undefined;
  readonly commands: readonly string[];
}

/**
 * Reads the records of claude and of codex, which say the same in two forms. The program around the
 * model writes them, not the model.
 */
export function shownBy(lines: readonly unknown[]): Shown {
  let lastWords: string | undefined;
  const commands: string[] = [];
  for (const line of lines) {
    for (const part of partsOf(line)) {
      if (part.text !== undefined && part.text.trim() !== "") lastWords = part.text;
      if (part.command !== undefined && commands.length < COMMANDS_MAX) commands.push(part.command);
    }
  }
  return { lastWords, commands };
}

/** Whether these are records of a session at all: every one begins with what its user said. */
export function isOfSession(lines: readonly unknown[]): boolean {
  return lines.some(
    (line) => isObject(line) && (isObject(line["message"]) || isObject(line["payload"])),
  );
}

interface Part {
  readonly text?: string | undefined;
  readonly command?: string | undefined;
}

function partsOf(line: unknown): Part[] {
  if (!isObject(line)) return [];
  const message = [line["message"], line["payload"]].find(isObject) ?? {};
  const call = commandOf(message["arguments"] ?? message["input"] ?? message["action"]);
  if (call !== undefined) return [{ command: call }];
  if (message["role"] !== "assistant") return [];
  const { content } = message;
  if (typeof content === "string") return [{ text: content }];
  if (!Array.isArray(content)) return [];
  const parts = content.filter(isObject);
  const text = parts
    .flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : []))
    .join("\n");
  return [...parts.map((part) => ({ command: commandOf(part["input"]) })), { text }];
}

/** A command as one line, from the input of a call: text, a list of words, or JSON with either. */
function commandOf(input: unknown): string | undefined {
  const given = typeof input === "string" ? parsed(input) : input;
  if (!isObject(given)) return undefined;
  const command = given["command"] ?? given["cmd"];
  if (typeof command === "string") return command;
  return Array.isArray(command) ? command.map(String).join(" ") : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not every call has JSON for its input.
    return undefined;
  }
}
