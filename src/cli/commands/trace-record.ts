import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SwornError } from "../../base/index.ts";
import { fileScript, recordScript } from "../../flow/script.ts";
import { type Run, textOf } from "../command.ts";
import { openPlace } from "../config.ts";

export const run: Run = async (call) => {
  const { io } = call;
  const place = openPlace(io);
  const script = call.positionals[0] ?? "-";
  const path = script === "-" ? undefined : resolve(io.cwd, script);
  if (path !== undefined && !existsSync(path))
    throw new SwornError("NOT_FOUND", `there is no script ${script}`);
  const wanted = textOf(call, "trace");
  const more = (call.values["artifacts-from"] ?? []) as string[];
  const outcome = await recordScript(place, {
    open: path === undefined ? io.input : fileScript(path),
    isRepeatable: path !== undefined,
    trace: wanted === undefined ? undefined : place.find(wanted),
    artifactRoots: [
      ...(path === undefined ? [] : [dirname(path)]),
      io.cwd,
      ...more.map((folder) => resolve(io.cwd, folder)),
    ],
    onRecorded: (entries) => io.err(`recorded ${entries}\n`),
    signal: io.signal,
  });
  const { trace, entries, head, recorded, refused } = outcome;
  if (refused) {
    const words = `Refused: line ${refused.line}: ${refused.reason} [${refused.rule}]\n${entries === 0 ? "Nothing was recorded." : `The ${recorded} lines before it are recorded in ${trace} (${entries} entries).`}`;
    const { line, rule, reason } = refused;
    return { exit: 3, json: { trace, entries, head, refused: { line, rule, reason } }, words };
  }
  const words = `Recorded ${recorded} lines in ${trace} (${entries} entries, head ${head?.slice(0, 16)}…)\nNext: "sworn verify ${trace}"`;
  return { exit: 0, json: { trace, entries, head }, words };
};
