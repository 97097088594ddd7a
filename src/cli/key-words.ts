import type { KeyChange } from "../flow/keys.ts";
import type { Answer } from "./io.ts";

/** A change of keys in words, with the traces it did and did not reach. */
export function keyChangeAnswer(change: KeyChange, done: string): Answer {
  const failed = change.failed.map(({ trace, reason }) => `  not recorded in ${trace}: ${reason}`);
  const words = [
    `${done}`,
    `Recorded in ${change.traces.length} open traces of this project.`,
    ...failed,
  ].join("\n");
  return { exit: failed.length > 0 ? 1 : 0, json: change, words };
}
