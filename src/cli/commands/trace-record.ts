import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { counted, SwornError } from "../../base/index.ts";
import { fileScript, recordScript, type ScriptOutcome } from "../../flow/record/script.ts";
import { TraceArgument } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { progress } from "../progress.ts";
import { type RecordCall, refusalSteps } from "../refusal-words.ts";

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
  const bar = progress(io, "recorded");
  const isNew = !place.exists;
  try {
    const outcome = await recordScript(place, {
      open: path === undefined ? io.input : fileScript(path),
      isRepeatable: kind?.isFile() === true,
      trace: args.trace === undefined ? undefined : place.find(args.trace),
      artifactRoots: [...(path === undefined ? [] : [dirname(path)]), io.cwd, ...more],
      // Whoever feeds lines from a program waits for these acknowledgements; a person sees them redrawn.
      onRecorded: (entries) =>
        io.isTerminal ? bar.update(entries) : io.err(`recorded ${entries}\n`),
      signal: io.signal,
    });
    if (outcome.refused) return refusedAnswer(outcome, outcome.refused, { args, place });
    return recordedAnswer(outcome, isNew ? place.store : undefined);
  } finally {
    bar.end();
  }
}

function recordedAnswer(
  { trace, entries, head, recorded, interrupted }: ScriptOutcome,
  newStore: string | undefined,
): Answer {
  const counts = `${counted(recorded, "line")} in ${trace ?? "no trace"}`;
  if (interrupted) {
    const words = `Stopped after recording ${counts} (${counted(entries, "entry")}); the record is whole.`;
    return { exit: 1, json: { trace, entries, head, interrupted: true }, words };
  }
  const words = [
    `Recorded ${counts} (${counted(entries, "entry")}, head ${head?.slice(0, 16)}…)`,
    ...(newStore === undefined ? [] : [`Made a new store for it: ${newStore}`]),
    `Next: "sworn verify ${trace}"`,
  ];
  return { exit: 0, json: { trace, entries, head }, words: words.join("\n") };
}

function refusedAnswer(
  outcome: ScriptOutcome,
  refused: NonNullable<ScriptOutcome["refused"]>,
  call: RecordCall,
): Answer {
  const { trace, entries, head } = outcome;
  const { line, rule, reason } = refused;
  const words = [
    `Refused: line ${line}: ${reason} [${rule}]`,
    ...refusalSteps(outcome, refused, call),
  ];
  const json = { trace, entries, head, refused: { line, rule, reason } };
  return { exit: 3, json, words: words.join("\n") };
}
