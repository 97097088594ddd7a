import { expect, test } from "vitest";
import { nextHlc, seenHlc } from "../../../src/base/index.ts";
import { beatAt, beatsLater, localBeat } from "../../../src/flow/beat/beat-clock.ts";
import { readFrame, toFrame, wireHlc } from "../../../src/flow/beat/beat-frame.ts";
import { currentBeat } from "../../../src/flow/beat/pulse.ts";
import { BeatFrame } from "../../../src/schema/beat-frame.ts";
import { verifies } from "../../verifies.ts";

const NOW = Date.parse("2026-11-16T10:07:00.000Z");
const FRAME = {
  type: "backbeat.beatframe.v1",
  cluster_id: "chorus-prod",
  beat_index: 41,
  downbeat: true,
  phase: "execute",
  hlc: "7ffd:0001:abcd",
  deadline_at: "2026-11-16T10:08:00Z",
  tempo_bpm: 0.5,
  window_id: "7e9b0e6c4c9a4e59b7f2d9a3c1b2e4d5",
  metadata: { pulse_version: "1.0.0", cluster_health: "healthy" },
};
const text = (more: object = {}) => JSON.stringify({ ...FRAME, ...more });

verifies("004-12", "a beat lasts 15 minutes, and its bar has eight of them", () => {
  const beat = localBeat(NOW, "plan");
  expect(beat).toMatchObject({ beat_ms: 900_000, deadline_at: "2026-11-16T10:15:00.000Z" });
  const bar = Array.from({ length: 16 }, (_, at) => beatsLater(beat, at));
  expect(new Set(bar.map(({ window_id }) => window_id)).size).toBe(2);
  expect(bar.filter(({ downbeat }) => downbeat).length).toBe(2);
});

verifies("004-12", "a frame of another clock is read and written in its form", () => {
  const { beat, hlc } = readFrame(text(), NOW);
  expect(beat).toEqual({
    beat_index: 41,
    phase: "work",
    cluster_id: "chorus-prod",
    window_id: FRAME.window_id,
    downbeat: true,
    beat_ms: 120_000,
    deadline_at: "2026-11-16T10:08:00.000Z",
  });
  expect(hlc).toBe("7ffd0001abcd0000");
  const written = toFrame(beat, hlc);
  const { metadata: _, ...own } = FRAME;
  const expected = { ...own, phase: "work", deadline_at: "2026-11-16T10:08:00.000Z" };
  expect(written).toEqual(expected);
  expect(readFrame(JSON.stringify(written), NOW)).toEqual({ beat, hlc });
  // Ours is slower than a tenth of a beat a minute, and is a frame all the same.
  const slow = toFrame(localBeat(NOW, "deliver"), nextHlc(undefined, NOW));
  expect(BeatFrame.parse(slow)).toMatchObject({ tempo_bpm: 0.066667, phase: "deliver" });
});

test.each([
  ["no frame", { type: "other" }],
  ["another phase", { phase: "reverb" }],
  ["a field of its own", { extra: 1 }],
  ["a beat before the first", { beat_index: -1 }],
  ["a window of another form", { window_id: "x" }],
  ["a beat of weeks", { tempo_bpm: 0.0001 }],
  ["a deadline in years", { deadline_at: "2126-11-16T10:08:00Z" }],
])("a frame with %s is refused", (_, more) => {
  expect(() => readFrame(text(more), NOW)).toThrow(/frame/);
});

test("whoever hears no frames keeps the tempo, and a clock that went back changes nothing", () => {
  const { beat } = readFrame(text(), NOW);
  expect(beatAt(beat, NOW)).toBe(beat);
  expect(beatAt(beat, NOW - 86_400_000)).toBe(beat);
  const later = beatAt(beat, NOW + 5 * 60_000);
  expect(later).toMatchObject({ beat_index: 44, deadline_at: "2026-11-16T10:14:00.000Z" });
});

test("a trace follows the project's clock, and keeps the one that it began with", () => {
  const { beat: project } = readFrame(text(), NOW);
  const phase = "work" as const;
  expect(currentBeat({ own: undefined, project, phase }, NOW)).toBe(project);
  const own = localBeat(NOW, phase);
  expect(currentBeat({ own, project, phase }, NOW)).toBe(own);
  expect(currentBeat({ own: beatsLater(project, 2), project, phase }, NOW).beat_index).toBe(43);
});

test("logical time of elsewhere moves ours forward, but not into the far future", () => {
  const last = nextHlc(undefined, NOW);
  const soon = nextHlc(undefined, NOW + 60_000);
  expect(seenHlc(last, soon, NOW)).toBe(soon);
  expect(nextHlc(seenHlc(last, soon, NOW), NOW) > soon).toBe(true);
  expect(seenHlc(last, nextHlc(undefined, NOW + 300_000), NOW)).not.toBe(last);
  expect(seenHlc(last, nextHlc(undefined, NOW + 300_001), NOW)).toBe(last);
  expect(seenHlc(last, "ffffffffffffffff", NOW)).toBe(last);
  expect(seenHlc(last, nextHlc(undefined, NOW - 1), NOW)).toBe(last);
  expect(wireHlc("01a1e66a1e330002")).toBe("01a1:e66a:1e33:0002");
});
