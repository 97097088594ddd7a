import { counted } from "../base/index.ts";
import type { KeyChange } from "../flow/keys.ts";
import type { Answer } from "./io.ts";

/** A change of keys in words, with what others verify with and the traces it did and did not reach. */
export function keyChangeAnswer(change: KeyChange, done: string): Answer {
  const { traces, verifierKey, earlierVerifierKey } = change;
  const failed = change.failed.map(({ trace, reason }) => `  not recorded in ${trace}: ${reason}`);
  const words = [
    done,
    ...(verifierKey === undefined ? [] : [`Others verify new records with ${verifierKey}`]),
    ...(earlierVerifierKey === undefined || earlierVerifierKey === verifierKey
      ? []
      : [`Older bundles still need ${earlierVerifierKey}`]),
    `Recorded in ${counted(traces.length, "open trace")} of this project.`,
    ...failed,
  ].join("\n");
  return { exit: failed.length > 0 ? 1 : 0, json: change, words };
}
