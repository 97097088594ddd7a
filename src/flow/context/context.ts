import type { CheckSource } from "../check/check.ts";
import type { Place } from "../place.ts";
import type { Bus } from "../talk/bus.ts";
import type { ContextBlock } from "./context-block.ts";
import type { Conflict } from "./find-conflicts.ts";

/** The parts of a project's context that can be asked for. */
export const CONTEXT_PARTS = ["summary", "decisions", "facts", "plan", "diff"] as const;
export type ContextScope = "brief" | "full";

/** Where a context is taken from; a bus that nobody has spoken on is not there. */
export interface ContextSource {
  readonly place: Place;
  readonly task: string | undefined;
  readonly taskBus: Bus | undefined;
  readonly projectBus: Bus | undefined;
  /** The project's files; undefined where none are to be looked at. */
  readonly files: CheckSource | undefined;
  /** Set where an agent asks: it reads no further than its own task and the project. */
  readonly isOwnOnly?: boolean;
}

/** One part of a context: what is recorded, and what was not found or not shown. */
export interface ContextPart {
  readonly name: string;
  readonly blocks: readonly ContextBlock[];
  readonly notes: readonly string[];
  /** Set where there is no such part, or nothing at that address. */
  readonly isMissing?: true;
}

/** What a project has on record about what was asked for. */
export interface Context {
  readonly project: string;
  readonly task: string | null;
  readonly scope: ContextScope;
  /** Places in the record that do not say the same; told whichever part was asked for. */
  readonly conflicts: readonly Conflict[];
  readonly parts: readonly ContextPart[];
  /** How many blocks are not shown because they are restricted. */
  readonly withheld: number;
}
