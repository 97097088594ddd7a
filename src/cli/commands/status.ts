import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { tempoOf } from "../../flow/beat/beat-config.ts";
import { execRoot } from "../../flow/exec/exec-root.ts";
import type { Place } from "../../flow/place.ts";
import { type ProjectStatus, StatusReader } from "../../flow/status/project-status.ts";
import { findReview, reviewsIn } from "../../flow/vote/find-review.ts";
import type { Tempo } from "../../flow/vote/read-reviews.ts";
import { harmless } from "../../inside/index.ts";
import type { Answer, CommandIo } from "../io.ts";
import { reviewScope } from "../review-place.ts";
import { reviewWords } from "../review-words.ts";
import { openRunPlace } from "../run-place.ts";
import { statusWords } from "../status-words.ts";

const LOOK_MS = 1_000;

export const Arguments = z.strictObject({
  ...reviewScope,
  completion: z.string().min(1).optional(),
  review: z.boolean().default(false),
  watch: z.boolean().default(false),
});
type Arguments = z.infer<typeof Arguments>;

const NOTHING =
  'nothing is proposed as complete; "sworn propose" proposes a commit, or a work by its id';

/** Reads only. */
export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  const place = await openRunPlace(io);
  const tempo = tempoOf(await execRoot(io.cwd, io.env));
  if (args.review) return reviews(place, args, tempo);
  if ((args.completion ?? args.task ?? args.trace) !== undefined) {
    throw new SwornError(
      "INPUT_INVALID",
      "a completion, --task and --trace go with --review: expected --review beside them",
    );
  }
  const reader = new StatusReader(place, tempo);
  const status = await reader.read();
  if (args.watch) return watch(reader, status, io);
  return { exit: 0, json: status, words: statusWords(status, io.columns) };
}

/** Completions that were revised are shown when they are asked for. */
function reviews(place: Place, { task, trace, completion }: Arguments, tempo: Tempo): Answer {
  const scope = { place, task, trace, tempo };
  const found =
    completion === undefined
      ? reviewsIn(scope).filter(({ revised_by }) => revised_by === null)
      : [findReview(scope, completion)];
  const words = found.map((review) => reviewWords(review).join("\n"));
  return {
    exit: 0,
    json: { reviews: found },
    words: words.length === 0 ? NOTHING : words.join("\n\n"),
  };
}

/** Draws the screen anew where something has changed, until somebody ends it. */
async function watch(reader: StatusReader, first: ProjectStatus, io: CommandIo): Promise<Answer> {
  let status = first;
  let drawn = "";
  const draw = () => {
    const words = harmless(statusWords(status, io.columns));
    if (words === drawn) return;
    // A file or a program gets one screen after the other; only a terminal can be drawn over.
    io.out(io.columns === undefined ? `${words}\n\n` : `\u001b[2J\u001b[H${words}\n`);
    drawn = words;
  };
  draw();
  while (!io.signal.aborted) {
    await wait(LOOK_MS, undefined, { signal: io.signal }).catch(() => {});
    if (io.signal.aborted) break;
    status = await reader.read();
    draw();
  }
  return { exit: 0, json: status, words: "" };
}
