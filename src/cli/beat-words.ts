import type { BeatReport } from "../flow/beat/bar-report.ts";
import type { BeatOpened } from "../schema/index.ts";
import { table } from "./table.ts";

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const WINDOW_CHARS_SHOWN = 8;

/** One beat in a line. */
export function beatWords(beat: BeatOpened, isOpen: boolean): string {
  const { beat_index: index, phase, window_id: window, deadline_at: until } = beat;
  const state = isOpen ? "open" : "not opened here yet";
  const bar = window.slice(0, WINDOW_CHARS_SHOWN);
  return `Beat ${index} (${phase}), ${state}; ${lengthOf(beat)}, until ${until}, in bar ${bar} of ${beat.cluster_id}`;
}

function lengthOf({ beat_ms: ms }: BeatOpened): string {
  return ms >= MINUTE_MS ? `${ms / MINUTE_MS} min` : `${ms / SECOND_MS} s`;
}

export function reportWords(report: BeatReport): string {
  if (report.beats.length === 0) return "No beat was opened here.";
  const rows = report.beats.map(({ beat, entries, moved, statuses }) => [
    String(beat.beat_index),
    beat.phase,
    String(entries),
    statuses.map(({ agent_id, state }) => `${agent_id} ${state}`).join(", ") || "nobody",
    [...moved].map(([type, count]) => (count === 1 ? type : `${type} ×${count}`)).join(", "),
  ]);
  return [
    table(["BEAT", "PHASE", "ENTRIES", "ACTIVE", "MOVED"], rows),
    ...lateWords(report),
    ...report.alive.map(
      ({ agent, run_id, is_alive, why }) =>
        `${agent} (${run_id}) is ${is_alive ? "alive" : "not alive"}: ${why}`,
    ),
  ].join("\n");
}

function lateWords({ late }: BeatReport): string[] {
  if (late.length === 0) return ["Nothing is late."];
  return late.map(({ kind, about, who, due_beat }) => {
    const whose = who === null ? "" : ` of ${who}`;
    return `Late: ${kind} ${about}${whose}, due by beat ${due_beat}`;
  });
}
