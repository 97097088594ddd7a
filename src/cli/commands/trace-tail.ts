import { setTimeout as wait } from "node:timers/promises";
import { SwornError } from "../../base/index.ts";
import { readTrace, sessionOf } from "../../flow/look.ts";
import { FINAL_STATES } from "../../view/index.ts";
import { type Run, textOf } from "../command.ts";
import { openPlace } from "../config.ts";
import { entryRows, wholeNumber } from "../entry-words.ts";

const POLL_MS = 200;

export const run: Run = async (call) => {
  const { io } = call;
  const place = openPlace(io);
  const trace = place.find(call.positionals[0] ?? "");
  const entries = readTrace(place, trace).slice(
    -wholeNumber("--lines", textOf(call, "lines") ?? "10"),
  );
  if (!call.values["follow"])
    return { exit: 0, json: { trace, entries }, words: entryRows(entries) };
  if (call.values["json"])
    throw new SwornError(
      "INPUT_INVALID",
      "--follow has no end, so it has no JSON document; leave out one of the two",
    );
  io.out(entryRows(entries));
  let size = (entries.at(-1)?.seq ?? -1) + 1;
  while (!io.signal.aborted && !FINAL_STATES.includes(sessionOf(place, trace).session.state)) {
    await wait(POLL_MS);
    const fresh = readTrace(place, trace, size);
    if (fresh.length > 0) io.out(entryRows(fresh));
    size += fresh.length;
  }
  return { exit: 0, json: null, words: "" };
};
