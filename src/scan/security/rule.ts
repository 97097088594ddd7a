import type { Priority } from "../../schema/finding.ts";
import type { Category } from "./category.ts";
import type { Flow, SourceKind, Value } from "./engine/value.ts";
import type { Expression } from "./program.ts";

/** A call as rules see it. */
export interface Call {
  /** The full name as far as it is known: `child_process.exec`, `?.query`. */
  readonly api: string;
  /** The last part of the name. */
  readonly method: string;
  /** The name as it is written here, whatever it was imported from. */
  readonly name: string;
  readonly receiver: Value | undefined;
  readonly args: readonly Value[];
  readonly written: readonly Expression[];
  /** The function is defined in this file, so that its own body tells what it does. */
  readonly isLocal: boolean;
  /** A new object is made: `new Function(…)`. */
  readonly fresh: boolean;
  /** Whether the file as a whole makes or keeps secrets or ids. */
  readonly inSecretFile: boolean;
  /** Names around the call: the function it stands in, the variable it is assigned to. */
  readonly around: string;
}

/** A call that does harm with what it is given. */
export interface Sink {
  /** Full names; a name without a module is a global. */
  readonly calls?: readonly string[];
  /** Method names, whatever the object is. */
  readonly methods?: readonly string[];
  /** The look of the name that is written here, for functions of other files. */
  readonly names?: RegExp;
  /** Positions of the harmful arguments; all of them where it is left out. */
  readonly args?: readonly number[];
  /** Further conditions on the call or on the harmful value. */
  readonly when?: (call: Call, value: Value) => boolean;
}

export type Kind = SourceKind | "parameter";

/** One kind of weakness: where it happens, what makes a value harmless, how urgent it is. */
export interface Rule {
  readonly category: Category;
  readonly title: string;
  /** What can happen, to be read after "reaches … ": a full sentence. */
  readonly harm: string;
  readonly fix: string;
  readonly sinks: readonly Sink[];
  /** Properties that do harm when they are assigned: `innerHTML`. */
  readonly properties?: readonly string[];
  /** The same with the whole spelling: `location.href`. */
  readonly assigned?: RegExp;
  /** Functions whose result is harmless here, by full name or last name. */
  readonly cleaners?: readonly string[];
  /** The same by the look of the name, for functions of other packages and files. */
  readonly cleanerNames?: RegExp;
  /** How urgent a flow from this source is; undefined is silence. */
  readonly level: (kind: Kind, flow: Flow, value: Value) => Priority | undefined;
}

/** A rule that needs no source: the call itself says it. */
export interface CallRule {
  readonly category: Category;
  readonly title: string;
  readonly harm: string;
  readonly fix: string;
  readonly judge: (call: Call) => Priority | undefined;
}

/** The value of an option by its name, from any record among the arguments. */
export function optionOf(call: Call, name: string): Expression | undefined {
  for (const argument of call.written) {
    if (argument.kind !== "record") continue;
    const entry = argument.entries.find(({ key }) => key === name);
    if (entry !== undefined) return entry.value;
  }
  return undefined;
}

export const isFalse = (option: Expression | undefined): boolean =>
  option === undefined ||
  (option.kind === "constant" && /^(?:false|undefined|None|null)$/i.test(option.value));
