import { resolve } from "node:path";
import { exportTrace } from "../../flow/bundle.ts";
import { type Run, textOf } from "../command.ts";
import { openPlace } from "../config.ts";

export const run: Run = async (call) => {
  const place = openPlace(call.io);
  const trace = place.find(call.positionals[0] ?? "");
  const out = textOf(call, "out") ?? `${trace}.tar`;
  const { entries, artifacts, missing } = exportTrace(place, trace, resolve(call.io.cwd, out));
  const lost =
    missing.length === 0
      ? ""
      : `\nWarning: ${missing.length} cited artifacts are not in the store: ${missing.join(", ")}`;
  const words = `Wrote ${out}: ${entries} entries, ${artifacts} artifacts${lost}\nAnyone can check it with "sworn verify ${out}"`;
  return { exit: 0, json: { trace, path: out, entries, artifacts, missing }, words };
};
