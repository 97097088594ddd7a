import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { fileScript, recordScript, type ScriptOutcome } from "../../flow/script.ts";
import { TraceArgument } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({
  script: z.string().min(1),
  trace: TraceArgument.optional(),
  "artifacts-from": z.array(z.string().min(1)).default([]),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const path = args.script === "-" ? undefined : resolve(io.cwd, args.script);
  const kind = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path !== undefined && (kind === undefined || kind.isDirectory())) {
    throw new SwornError("NOT_FOUND", `there is no script ${args.script}: expected a JSONL file`);
  }
  const more = args["artifacts-from"].map((folder) => resolve(io.cwd, folder));
  const outcome = await recordScript(place, {
    open: path === undefined ? io.input : fileScript(path),
    isRepeatable: kind?.isFile() === true,
    trace: args.trace === undefined ? undefined : place.find(args.trace),
    artifactRoots: [...(path === undefined ? [] : [dirname(path)]), io.cwd, ...more],
    onRecorded: (entries) => io.err(`recorded ${entries}\n`),
    signal: io.signal,
  });
  return outcome.refused ? refusedAnswer(outcome, outcome.refused) : recordedAnswer(outcome);
}

function recordedAnswer({ trace, entries, head, recorded, interrupted }: ScriptOutcome): Answer {
  if (interrupted) {
    const words = `Stopped: ${recorded} lines are recorded in ${trace ?? "no trace"} (${entries} entries); the record is whole.`;
    return { exit: 1, json: { trace, entries, head, interrupted: true }, words };
  }
  const words = [
    `Recorded ${recorded} lines in ${trace} (${entries} entries, head ${head?.slice(0, 16)}…)`,
    `Next: "sworn verify ${trace}"`,
  ];
  return { exit: 0, json: { trace, entries, head }, words: words.join("\n") };
}

function refusedAnswer(
  { trace, entries, head, recorded }: ScriptOutcome,
  { line, rule, reason }: NonNullable<ScriptOutcome["refused"]>,
): Answer {
  const kept =
    entries === 0
      ? "Nothing was recorded."
      : `The ${recorded} lines before it are recorded in ${trace} (${entries} entries).`;
  const words = `Refused: line ${line}: ${reason} [${rule}]\n${kept}`;
  return { exit: 3, json: { trace, entries, head, refused: { line, rule, reason } }, words };
}
