import { SwornError } from "../../base/index.ts";
import { readTrace } from "../../flow/look.ts";
import type { Run } from "../command.ts";
import { openPlace } from "../config.ts";
import { entryRows, wholeNumber } from "../entry-words.ts";

export const run: Run = async ({ io, positionals }) => {
  const place = openPlace(io);
  const trace = place.find(positionals[0] ?? "");
  if (positionals[1] === undefined) {
    const entries = readTrace(place, trace);
    return { exit: 0, json: { trace, entries }, words: entryRows(entries) };
  }
  const seq = wholeNumber("entry", positionals[1]);
  const [entry] = readTrace(place, trace, seq);
  if (entry?.seq !== seq)
    throw new SwornError(
      "NOT_FOUND",
      `${trace} has no entry ${seq}; see "sworn trace show ${trace}"`,
    );
  return { exit: 0, json: { trace, entries: [entry] }, words: JSON.stringify(entry, null, 2) };
};
