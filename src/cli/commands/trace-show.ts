import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import type { Place } from "../../flow/place.ts";
import { assertBegun } from "../../flow/record/assert-begun.ts";
import { findArtifact, soundBytes } from "../../flow/trace/artifact-bytes.ts";
import { firstUnsound } from "../../flow/trace/first-unsound.ts";
import { readTrace } from "../../flow/trace/look.ts";
import { TraceArgument, WholeNumber } from "../arguments.ts";
import { openPlace } from "../config.ts";
import { entryRows } from "../entry-words.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({
  trace: TraceArgument,
  entry: WholeNumber.optional(),
  artifact: z.string().min(1).optional(),
});

/** Shows what the store says; that it is not what was recorded is said beside it. */
export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const trace = place.find(args.trace);
  assertBegun(place, trace);
  const { entry: seq, artifact: wanted } = args;
  if (seq === undefined) {
    if (wanted !== undefined) {
      const next = `sworn trace show ${trace} <entry> --artifact ${wanted}`;
      throw new SwornError("INPUT_INVALID", `--artifact needs the number of an entry: "${next}"`);
    }
    const entries = readTrace(place, trace);
    // Whoever looks at the whole is also told that its end is missing.
    const found = await assess(place, trace, entries.length, io);
    const json = { trace, entries, verified: found.verified };
    return { ...found.answer, json, words: entryRows(entries, io.columns) };
  }
  const [entry] = readTrace(place, trace, seq);
  if (entry?.seq !== seq) {
    throw new SwornError(
      "NOT_FOUND",
      `${trace} has no entry ${seq}; see "sworn trace show ${trace}"`,
    );
  }
  const artifact = wanted === undefined ? undefined : findArtifact(entry, wanted);
  const bytes = artifact === undefined ? undefined : soundBytes(place, artifact);
  const { verified, answer } = await assess(place, trace, seq, io);
  const shown = { trace, entries: [entry], verified };
  return artifact === undefined || bytes === undefined
    ? { ...answer, json: shown, words: JSON.stringify(entry, null, 2) }
    : { ...answer, json: { ...shown, artifact }, words: artifact, bytes };
}

/** Whether the trace is as it was signed up to a place; says so on stderr when it is not. */
async function assess(
  place: Place,
  trace: string,
  upTo: number,
  io: Io,
): Promise<{ verified: boolean; answer: Pick<Answer, "exit" | "isAnswered"> }> {
  const broken = await firstUnsound(place, trace);
  if (broken === undefined || broken > upTo) return { verified: true, answer: { exit: 0 } };
  io.err(
    `sworn: ${trace} is not as it was signed from entry ${broken} on: what is shown is not verified; run "sworn verify ${trace}"\n`,
  );
  return { verified: false, answer: { exit: 4, isAnswered: true } };
}
