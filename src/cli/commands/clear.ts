import { resolve } from "node:path";
import * as z from "zod";
import { counted, SwornError } from "../../base/index.ts";
import { assertFree } from "../../flow/exec/assert-askable.ts";
import { type ClearOutcome, clearRun, readWaiting } from "../../flow/exec/clear-run.ts";
import { findRunTrace } from "../../flow/exec/find-run.ts";
import { heldFolder } from "../../flow/exec/held-output.ts";
import type { Place } from "../../flow/place.ts";
import { Name, Text } from "../../schema/index.ts";
import { TraceArgument } from "../arguments.ts";
import type { Answer, Io } from "../io.ts";
import { openRunPlace } from "../run-place.ts";

export const Arguments = z.strictObject({
  trace: TraceArgument,
  by: Name.optional(),
  why: Text.max(2_000).optional(),
  out: z.string().min(1).optional(),
  refuse: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const trace = findRunTrace(place, args.trace);
  const { by, why, refuse } = args;
  if (by === undefined) return show(place, trace);
  if (why === undefined) {
    throw new SwornError("INPUT_INVALID", "--why is missing: say what was looked at; it is kept");
  }
  const out = args.out === undefined ? undefined : resolve(io.cwd, args.out);
  if (out !== undefined) assertFree(out);
  const word = { reviewer: by, why, isCleared: !refuse, out };
  const outcome = await clearRun(place, trace, word);
  return { ...answerOf(outcome, by, out), json: { trace, by, ...outcome } };
}

async function show(place: Place, trace: string): Promise<Answer> {
  const { flagged, held } = await readWaiting(place, trace);
  const folder = heldFolder(place, trace);
  return {
    exit: 0,
    json: { trace, kind: "waiting", folder, flagged },
    words: [
      `${counted(held.length, "file")} of ${trace} wait in ${folder}; flagged:`,
      ...flagged.map(({ path, rules }) => `  ${path} (${rules.join(", ") || "said by the task"})`),
      'Look at them, then say "sworn clear" with --by and --why, and --out or --refuse.',
    ].join("\n"),
  };
}

function answerOf(
  outcome: ClearOutcome,
  by: string,
  out: string | undefined,
): Pick<Answer, "exit" | "words"> {
  if (outcome.kind === "refused") {
    const { rule, reason } = outcome.refusal;
    return { exit: 3, words: `sworn: refused by ${rule}: ${reason}` };
  }
  const record = `the word of ${by} is in ${outcome.clearance}`;
  if (outcome.kind === "ended") {
    return { exit: 0, words: `The run does not count and its output is gone; ${record}` };
  }
  const where = out === undefined ? "its output was not asked for and is gone" : `output in ${out}`;
  return { exit: 0, words: `Cleared, ${where}; ${record}\nmanifest ${outcome.manifestPath}` };
}
