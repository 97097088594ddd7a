import { join } from "node:path";
import { decodeUtf8, parseJson, readPlainFile } from "../../base/index.ts";
import { WorkflowState } from "../../schema/contract.ts";
import { endWorkflow, type FinalStatus } from "../../verify/contract/index.ts";
import { writeOutput } from "../write-output.ts";

const NAME = "state.json";
const STATE_BYTES_MAX = 16 << 20;
const GAP_CHARS_MAX = 1_000;
const GAPS_MAX = 10_000;

/** The state of a run, with what is wrong with the file it was read from. */
export interface ReadState {
  readonly state: WorkflowState | undefined;
  readonly warnings: readonly string[];
}

/** Reads the state beside a contract. A file that cannot be read is none: nobody else's word ends a run. */
export function readState(folder: string): ReadState {
  try {
    const text = decodeUtf8(readPlainFile(join(folder, NAME), STATE_BYTES_MAX, "refuse"));
    return { state: WorkflowState.parse(parseJson(text, STATE_BYTES_MAX)), warnings: [] };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return { state: undefined, warnings: [] };
    }
    return { state: undefined, warnings: [`${NAME} cannot be read; it is made anew`] };
  }
}

/** Writes the state of a run beside its contract. */
export function writeState(folder: string, state: WorkflowState): void {
  writeOutput(join(folder, NAME), `${JSON.stringify(state, null, 2)}\n`);
}

/**
 * Ends a run in its state file. One that has ended stays as it ended; the answer then says so, and
 * says it loudly where the file claims a better end than the one that was found.
 */
export function endState(
  folder: string,
  state: WorkflowState,
  status: FinalStatus,
  gaps: readonly string[],
): readonly string[] {
  const room = Math.max(0, GAPS_MAX - state.gaps.length);
  const known = new Set(state.gaps);
  const fresh = gaps.filter((gap) => !known.has(gap)).slice(0, room);
  const changed = endWorkflow(state, status, fresh);
  if (changed.kind === "changed") {
    writeState(folder, changed.state);
    return [];
  }
  if (state.status === status) return [];
  return [`${NAME} says ${state.status} and stays so, this check found ${status}`];
}

/** A gap as a line of the state file. */
export function gapLine({ what, why }: { readonly what: string; readonly why: string }): string {
  return `${what}: ${why}`.slice(0, GAP_CHARS_MAX);
}
