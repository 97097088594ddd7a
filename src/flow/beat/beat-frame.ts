import { parseJson, SwornError } from "../../base/index.ts";
import { BeatFrame, type StatusClaim } from "../../schema/beat-frame.ts";
import { BeatMs } from "../../schema/cadence.ts";
import type { BeatOpened, Body } from "../../schema/index.ts";
import { issueWords } from "../words/issue-words.ts";

const MINUTE_MS = 60_000;
const FRAME_BYTES_MAX = 65_536;
/** So far ahead a frame's deadline may be: one wrong frame must not stop the count for years. */
const DEADLINE_AHEAD_MS_MAX = 2 * 86_400_000;
const GROUP_CHARS = 4;
const PERCENT = 100;
/** Digits of a tempo behind the point: enough for a beat of a day. */
const TEMPO_DIGITS = 6;

/** A beat that came from elsewhere, and the logical time of whoever sent it. */
export interface HeardBeat {
  readonly beat: BeatOpened;
  readonly hlc: string;
}

/**
 * Reads a frame of another clock.
 *
 * @throws SwornError `INPUT_INVALID` for what is no frame, or one that no clock can have sent.
 */
export function readFrame(text: string, nowMs: number): HeardBeat {
  const value = parseJson(text, FRAME_BYTES_MAX);
  const parsed = BeatFrame.safeParse(value);
  if (!parsed.success) {
    const words = issueWords(parsed.error.issues, { shape: BeatFrame, input: value });
    throw new SwornError("INPUT_INVALID", `the frame: ${words}`);
  }
  const { cluster_id, beat_index, downbeat, phase, window_id, hlc } = parsed.data;
  const beatMs = BeatMs.safeParse(Math.round(MINUTE_MS / parsed.data.tempo_bpm));
  const deadlineMs = Date.parse(parsed.data.deadline_at);
  if (!beatMs.success) throw unlikely(`a tempo of ${parsed.data.tempo_bpm} beats a minute`);
  if (deadlineMs > nowMs + DEADLINE_AHEAD_MS_MAX) {
    throw unlikely(`a beat that lasts until ${parsed.data.deadline_at}`);
  }
  const beat = {
    ...{ beat_index, phase, cluster_id, window_id, downbeat, beat_ms: beatMs.data },
    deadline_at: new Date(deadlineMs).toISOString(),
  };
  return { beat, hlc: hlc.replaceAll(":", "").padEnd(4 * GROUP_CHARS, "0") };
}

function unlikely(what: string): SwornError {
  return new SwornError("INPUT_INVALID", `the frame tells of ${what}, expected a day at most`);
}

/** A beat of ours in the form that other clocks send. */
export function toFrame(beat: BeatOpened, hlc: string): BeatFrame {
  return {
    type: "backbeat.beatframe.v1",
    cluster_id: beat.cluster_id,
    beat_index: beat.beat_index,
    downbeat: beat.downbeat,
    phase: beat.phase,
    hlc: wireHlc(hlc),
    deadline_at: beat.deadline_at,
    tempo_bpm: Number((MINUTE_MS / beat.beat_ms).toFixed(TEMPO_DIGITS)),
    window_id: beat.window_id,
  };
}

/** A status in the form that others read. */
export function toStatusClaim(body: Body<"status_claimed">, hlc: string): StatusClaim {
  const { progress, ...rest } = body;
  return {
    type: "backbeat.statusclaim.v1",
    ...rest,
    hlc: wireHlc(hlc),
    ...(progress === undefined ? {} : { progress: progress / PERCENT }),
  };
}

/** In groups of four digits; the counter is left out where it is nought. */
export function wireHlc(hlc: string): string {
  const groups = hlc.match(/.{4}/g) ?? [];
  return (groups[3] === "0000" ? groups.slice(0, 3) : groups).join(":");
}
