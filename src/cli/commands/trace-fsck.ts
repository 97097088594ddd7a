import { fsck } from "../../flow/fsck.ts";
import type { Run } from "../command.ts";
import { openPlace } from "../config.ts";

export const run: Run = async ({ io, positionals }) => {
  const place = openPlace(io);
  const wanted = positionals[0] === undefined ? place.traces() : [place.find(positionals[0])];
  const traces = [];
  for (const trace of wanted) traces.push(await fsck(place, trace));
  const words = traces.map(({ trace, status, entries, problems, report }) => {
    const findings = (report?.failures ?? []).map(({ code, message }) => `  ${code}: ${message}`);
    const stored = problems.map(({ code, message }) => `  ${code}: ${message}`);
    return [`${trace}: ${status} (${entries} entries)`, ...stored, ...findings].join("\n");
  });
  const isDamaged = traces.some(({ status }) => status === "damaged");
  const advice = isDamaged
    ? ['Restore the damaged files from a backup, or see "sworn trace recover <trace>".']
    : [];
  const text = traces.length === 0 ? ["No traces here."] : [...words, ...advice];
  return {
    exit: isDamaged ? 4 : 0,
    json: { status: isDamaged ? "damaged" : "ok", traces },
    words: text.join("\n"),
  };
};
