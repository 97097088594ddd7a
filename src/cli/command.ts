import type { ParseArgsConfig } from "node:util";
import type * as z from "zod";
import type { Answer, CommandIo } from "./io.ts";

/** A word after the command's name. */
export interface Positional {
  readonly name: string;
  readonly about: string;
  readonly optional?: boolean;
  /** Takes all words that are left; only the last one can. */
  readonly many?: boolean;
}

/** One command: how it is called, and where its code is. */
export interface Command {
  readonly path: readonly string[];
  /** Other words for the same command, not shown. */
  readonly aliases?: readonly (readonly string[])[];
  readonly summary: string;
  readonly example: string;
  readonly positionals?: readonly Positional[];
  readonly options?: NonNullable<ParseArgsConfig["options"]>;
  /** Set where a command line of somebody else's follows, with options of its own. */
  readonly passesRest?: boolean;
  /** Options without which the command does not run. */
  readonly required?: readonly string[];
  /** What each option means. */
  readonly notes?: Readonly<Record<string, string>>;
  /** What else its help says, below the example. */
  readonly more?: readonly string[];
  /** What its exit codes mean, where that is more than what 0, 1 and 2 mean for every command. */
  readonly exits: Readonly<Partial<Record<ExitCode, string>>>;
  /** Set where it goes through few entries of a record, so that making its shapes fast would not pay. */
  readonly isBrief?: boolean;
  readonly load: () => Promise<CommandModule>;
}

/** Every exit code there is. */
type ExitCode = 0 | 1 | 2 | 3 | 4;

/** A command whose arguments are known only to itself; what goes in is what its shape parsed. */
export interface CommandModule {
  readonly Arguments: z.ZodType;
  // biome-ignore lint/suspicious/noExplicitAny: the shape beside it is what makes the argument safe.
  readonly run: (args: any, io: CommandIo) => Promise<Answer>;
}
