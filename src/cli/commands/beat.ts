import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { type BeatReport, reportBeats } from "../../flow/beat/bar-report.ts";
import { beatMsOf } from "../../flow/beat/beat-config.ts";
import { toFrame } from "../../flow/beat/beat-frame.ts";
import { openBeat } from "../../flow/beat/open-beat.ts";
import { showBeat } from "../../flow/beat/show-beat.ts";
import { execRoot } from "../../flow/exec/exec-root.ts";
import type { Place } from "../../flow/place.ts";
import { findTalkTrace } from "../../flow/talk/talk-trace.ts";
import { BeatPhase } from "../../schema/index.ts";
import { beatWords, reportWords } from "../beat-words.ts";
import type { Answer, Io } from "../io.ts";
import { reviewScope, traceIn } from "../review-place.ts";
import { openRunPlace } from "../run-place.ts";
import { refusedAnswer, textOf } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  ...reviewScope,
  open: z.boolean().default(false),
  frame: z.string().min(1).optional(),
  phase: BeatPhase.optional(),
  report: z.boolean().default(false),
});

type Given = z.infer<typeof Arguments>;

export async function run(args: Given, io: Io): Promise<Answer> {
  const isOpening = args.open || args.frame !== undefined;
  if (args.report && (isOpening || args.phase !== undefined)) {
    throw new SwornError("INPUT_INVALID", "expected --report or --open, found both");
  }
  const place = await openRunPlace(io);
  if (args.report) return reported(reportBeats(place, await knownTrace(place, args)));
  return isOpening ? opened(place, args, io) : shown(place, args, io);
}

function reported({ beats, ...report }: BeatReport): Answer {
  const told = beats.map(({ moved, ...beat }) => ({ ...beat, moved: Object.fromEntries(moved) }));
  return { exit: 0, json: { ...report, beats: told }, words: reportWords({ beats, ...report }) };
}

async function opened(place: Place, args: Given, io: Io): Promise<Answer> {
  const { phase } = args;
  const frame = args.frame === undefined ? undefined : await textOf({ file: args.frame }, io);
  const beatMs = beatMsOf(await execRoot(io.cwd, io.env));
  const found = await openBeat(place, await traceIn(place, args), { phase, beatMs, frame });
  if ("kind" in found) return refusedAnswer(found);
  const json = { frame: toFrame(found.beat, found.hlc), opened: true };
  return { exit: 0, json, words: beatWords(found.beat, true) };
}

/** Looking at it opens nothing, and begins no record. */
async function shown(place: Place, args: Given, io: Io): Promise<Answer> {
  const beatMs = beatMsOf(await execRoot(io.cwd, io.env));
  const trace = await knownTrace(place, args);
  const { beat, hlc, isOpen } = showBeat(place, trace, beatMs);
  const json = { frame: toFrame(beat, hlc), opened: isOpen };
  return { exit: 0, json, words: beatWords(beat, isOpen) };
}

/** Undefined where nobody has spoken about the project yet. */
async function knownTrace(place: Place, args: Given): Promise<string | undefined> {
  const isNamed = args.task !== undefined || args.trace !== undefined;
  return isNamed ? traceIn(place, args) : findTalkTrace({ place });
}
