import { resolve } from "node:path";
import { writeFileDurably } from "../../base/index.ts";
import { proveEntry } from "../../flow/prove.ts";
import { type Run, textOf } from "../command.ts";
import { openPlace } from "../config.ts";
import { wholeNumber } from "../entry-words.ts";

export const run: Run = async (call) => {
  const place = openPlace(call.io);
  const trace = place.find(call.positionals[0] ?? "");
  const seq = wholeNumber("entry", call.positionals[1] ?? "");
  const since = textOf(call, "since");
  const proof = proveEntry(
    place,
    trace,
    seq,
    since === undefined ? undefined : wholeNumber("--since", since),
  );
  const out = textOf(call, "out");
  if (out === undefined) return { exit: 0, json: proof, words: JSON.stringify(proof, null, 2) };
  writeFileDurably(resolve(call.io.cwd, out), `${JSON.stringify(proof, null, 2)}\n`);
  return {
    exit: 0,
    json: proof,
    words: `Wrote ${out}: entry ${seq} of ${trace} in ${proof.path.length} steps\nCheck it with "sworn verify ${out}"`,
  };
};
