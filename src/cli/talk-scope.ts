import { resolve } from "node:path";
import * as z from "zod";
import { readPlainFile, SwornError } from "../base/index.ts";
import { Bus } from "../flow/talk/bus.ts";
import type { Where } from "../flow/talk/talk-trace.ts";
import { Name } from "../schema/index.ts";
import type { Refusal } from "../view/index.ts";
import type { Answer, Io } from "./io.ts";
import { readInput } from "./read-input.ts";
import { openRunPlace } from "./run-place.ts";

const TEXT_BYTES_MAX = 8_388_608;

/** The options that say which bus is meant; without them it is the project's. */
export const scope = { task: Name.optional(), project: z.boolean().default(false) };

interface Scope {
  readonly task?: string | undefined;
  readonly project: boolean;
}

/** @throws SwornError `INPUT_INVALID` when both a task and the project are named. */
export async function whereOf({ task, project }: Scope, io: Io): Promise<Where> {
  if (task !== undefined && project) {
    throw new SwornError("INPUT_INVALID", "expected --task or --project, found both");
  }
  return { place: await openRunPlace(io), task };
}

/** Opens a bus for as long as it takes to use it; one that nobody spoke on is begun. */
export async function onBus<T>(where: Where, use: (on: Bus) => Promise<T> | T): Promise<T> {
  return withBus(await Bus.begin(where), use);
}

/** The same for a bus that must have begun. @throws SwornError `NOT_FOUND`. */
export async function onKnownBus<T>(where: Where, use: (on: Bus) => Promise<T> | T): Promise<T> {
  return withBus(Bus.open(where), use);
}

async function withBus<T>(on: Bus, use: (on: Bus) => Promise<T> | T): Promise<T> {
  try {
    return await use(on);
  } finally {
    on.close();
  }
}

/** The text of a command: its word, a file, or standard input. Exactly one of them. */
export async function textOf(
  { text, file }: { readonly text?: string | undefined; readonly file?: string | undefined },
  io: Io,
): Promise<string> {
  if ((text === undefined) === (file === undefined)) {
    const found = text === undefined ? "neither" : "both";
    throw new SwornError("INPUT_INVALID", `expected a text or --file, found ${found}`);
  }
  if (file === undefined) return text ?? "";
  const bytes =
    file === "-"
      ? await readInput(io, TEXT_BYTES_MAX, "a text")
      : readPlainFile(resolve(io.cwd, file), TEXT_BYTES_MAX);
  const words = bytes.toString().replace(/\r?\n$/, "");
  if (words !== "") return words;
  throw new SwornError("INPUT_INVALID", `${file === "-" ? "standard input" : file} holds no text`);
}

/** A refusal as an answer. */
export function refusedAnswer({ rule, reason }: Refusal): Answer {
  return { exit: 3, json: { refused: { rule, reason } }, words: `Refused: ${reason} [${rule}]` };
}
