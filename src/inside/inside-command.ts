import type { ParseArgsConfig } from "node:util";
import type { Outcome } from "./run-connection.ts";

/** What a command inside a run may touch. */
export interface InsideIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
  /** Where the runtime listens. */
  readonly socket: string;
}

/** The words of a command line. */
export interface InsideWords {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly rest: readonly string[];
}

/** What a command says in the end. */
export interface Told {
  readonly exit: number;
  readonly json: unknown;
  readonly words: string;
}

/** Asks the runtime. */
export type Asking = (verb: string, args: object) => Promise<Outcome>;

/** One command that is there inside a run. */
export interface InsideCommand {
  readonly path: readonly string[];
  readonly usage: string;
  readonly about: string;
  readonly example: string;
  readonly options: NonNullable<ParseArgsConfig["options"]>;
  readonly run: (words: InsideWords, ask: Asking, io: InsideIo) => Promise<Told | Outcome>;
}

/** Wrong words: what was expected. */
export class Misused extends Error {
  override readonly name = "Misused";
}

/** An option's text; undefined where it was not given. */
export function textOf({ values }: InsideWords, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** Which bus or list is meant. */
export function scopeOf({ values }: InsideWords): "task" | "project" {
  return values["project"] === true ? "project" : "task";
}

/** All texts of an option that may be given more than once. */
export function textsOf({ values }: InsideWords, name: string): string[] {
  const value = values[name];
  return Array.isArray(value) ? value.map(String) : [];
}

/** Leaves out what was not given: the runtime refuses what it does not know, undefined included. */
export function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Tells an answer with words made from it; what is no answer stays what it is. */
export function told<T>(outcome: Outcome, words: (answer: T) => string): Told | Outcome {
  if (!("ok" in outcome)) return outcome;
  // The runtime's own shapes made it, and inside a run the runtime is believed.
  return { exit: 0, json: outcome.ok, words: words(outcome.ok as T) };
}
