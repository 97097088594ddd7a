import type { ParseArgsConfig } from "node:util";
import type { Answer, Io } from "./io.ts";

/** A word after the command's name. */
export interface Positional {
  readonly name: string;
  readonly about: string;
  readonly optional?: boolean;
}

/** One command: how it is called, and where its code is. */
export interface Command {
  readonly path: readonly string[];
  readonly summary: string;
  readonly example: string;
  readonly positionals?: readonly Positional[];
  readonly options?: NonNullable<ParseArgsConfig["options"]>;
  /** What each option means. */
  readonly notes?: Readonly<Record<string, string>>;
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** A parsed command line. */
export interface Call {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly io: Io;
}

export type Run = (call: Call) => Promise<Answer>;

/** The text value of an option that was given once. */
export function textOf(call: Call, option: string): string | undefined {
  const value = call.values[option];
  return typeof value === "string" ? value : undefined;
}
