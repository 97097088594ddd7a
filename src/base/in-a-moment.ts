import { createContext, Script } from "node:vm";

/** Long enough for what is ordinary, and too short for anybody to notice that nothing else is done. */
const MOMENT_MS = 50;

/**
 * Runs code of ours on text of somebody else's right here, and ends it after a moment, within one call
 * of a pattern too. Starting a thread takes longer than nearly everything that is done in one.
 *
 * @returns what it returned; undefined when it was ended or failed, and a thread has to find out
 */
export function inAMoment<Value>(run: () => Value, momentMs = MOMENT_MS): Value | undefined {
  try {
    return new Script("run()").runInContext(createContext({ run }), { timeout: momentMs });
  } catch {
    // A thread has its own time, memory and stack; what fails there as well fails in its words.
    return undefined;
  }
}
