import { isSettings as isObject } from "./settings-file.ts";

/** Something that an agent had run, or changed, as its session's record shows it. */
export interface Call {
  readonly id: unknown;
  /** What was run, as a person types it; undefined where files were changed. */
  readonly command: string | undefined;
  /** What was changed, as far as the call names it. */
  readonly about?: string;
  /** Whether it ended well; undefined where nothing says so. */
  isWell?: boolean;
  printed?: string;
}

type Part = Readonly<Record<string, unknown>>;

const PRINTED_CHARS_MAX = 200_000;
const ABOUT_CHARS_MAX = 20_000;
const PATCHED = /^\*{3} (?:(?:Add|Update|Delete) File|Move to): .*$/gm;
/** The tools with which files are changed, as claude and codex call them. */
const CHANGES = /^(?:Edit|MultiEdit|Write|NotebookEdit|apply_patch)$/;
/** How claude begins what came of a command that failed. */
const FAILED = /^(?:Error: )?Exit code (\d{1,3})\b/;
/** How codex begins, up to where what was printed follows, which may hold the same words. */
const HEAD = /^(?:Exit code|Chunk ID|Wall time|Process exited)[\s\S]*?^Output:/m;
const EXIT = /^(?:Exit code: |Process exited with code )(\d{1,3})\b/m;

/** A call that stands in a record; undefined where none does, or one that only reads. */
export function callIn(part: Part): Call | undefined {
  const id = part["call_id"] ?? part["id"];
  const given = part["arguments"] ?? part["input"] ?? part["action"];
  const command = commandOf(given);
  // One that goes on in the background has come to no end when it says that it was started.
  if (command !== undefined) return { id: isBackground(given) ? undefined : id, command };
  if (!CHANGES.test(String(part["name"]))) return undefined;
  return { id, command: undefined, about: aboutOf(given) };
}

/** The file that a tool was told to change, or the lines of a patch that name some. */
function aboutOf(given: unknown): string {
  const input = typeof given === "string" ? (parsed(given) ?? given) : given;
  const named = isObject(input)
    ? (input["file_path"] ?? input["notebook_path"] ?? input["input"] ?? input["patch"])
    : input;
  const text = typeof named === "string" ? named : "";
  const files = text.match(PATCHED) ?? [text];
  return files.join("\n").slice(0, ABOUT_CHARS_MAX);
}

/** What came of a call, where a record says so. */
export function endIn(part: Part): Pick<Call, "id" | "isWell" | "printed"> | undefined {
  const { tool_use_id: id, call_id, output } = part;
  if (id !== undefined) return { id, ...endOf(textOf(part["content"]), part["is_error"] === true) };
  return output === undefined ? undefined : { id: call_id, ...endByHead(output) };
}

type End = Pick<Call, "isWell" | "printed">;

/** Claude says of a call that it failed. One that nobody let it make is an error too, and no end of a command. */
function endOf(text: string, isError: boolean): End {
  if (!isError) return ended(text, 0);
  return ended(text, FAILED.test(text) ? 1 : undefined);
}

/** Codex gives a number, in JSON or above what was printed. */
function endByHead(output: unknown): End {
  const given = typeof output === "string" ? (parsed(output) ?? output) : output;
  if (isObject(given) && typeof given["output"] === "string") {
    const { metadata } = given;
    return ended(given["output"], isObject(metadata) ? metadata["exit_code"] : undefined);
  }
  const text = textOf(typeof given === "object" ? given : output);
  const exit = EXIT.exec(HEAD.exec(text)?.[0] ?? "")?.[1];
  return ended(text, exit === undefined ? undefined : Number(exit));
}

function ended(text: string, exit: unknown): End {
  const printed = text.slice(-PRINTED_CHARS_MAX);
  return typeof exit === "number" ? { printed, isWell: exit === 0 } : { printed };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");
}

const isBackground = (given: unknown): boolean =>
  isObject(given) && given["run_in_background"] === true;

/** A command as one line, from the input of a call: text, a list of words, or JSON with either. */
function commandOf(input: unknown): string | undefined {
  const given = typeof input === "string" ? parsed(input) : input;
  if (!isObject(given)) return undefined;
  const command = given["command"] ?? given["cmd"];
  if (typeof command === "string") return command;
  if (!Array.isArray(command)) return undefined;
  const words = command.map(String);
  // A shell was given it as one word.
  return /^-l?c$/.test(words.at(-2) ?? "") ? words.at(-1) : words.join(" ");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not every call has JSON for its input.
    return undefined;
  }
}
