import { counted } from "../../base/index.ts";
import type { RunFiles } from "../../run/files/index.ts";
import type { Executed } from "../../run/index.ts";
import { isCancelled } from "./cancel-run.ts";
import type { AgentOutcome } from "./run-agent.ts";

const LOOK_MS = 100;
const SHOWN_MAX = 20;

/** A run's way to speak to the runtime, and the runs that it asked for by that. */
export interface RunVoice {
  /** Hears nothing more, and waits for the runs that it asked for; those of one that was stopped are stopped. */
  close(isStopped?: boolean): Promise<void>;
  /** What those that have ended came to. */
  readonly asked: readonly AgentOutcome[];
}

/**
 * Ends what a run has open, now that it is over itself. Where it was stopped, whatever it asked for is
 * for nobody any more; where it was not, somebody may still call it off while its children work.
 */
export async function endChildren(
  voice: RunVoice | undefined,
  files: Pick<RunFiles, "folder">,
  ran: Executed,
): Promise<void> {
  if (voice === undefined) return;
  const isStopped = ran.kind === "ran" && ran.end.limit !== undefined;
  const looks = setInterval(() => {
    // Whoever waits for the first call hears of what goes wrong.
    if (isCancelled(files)) void voice.close(true).catch(() => {});
  }, LOOK_MS);
  try {
    await voice.close(isStopped);
  } finally {
    clearInterval(looks);
  }
}

/** What the runs came to that one asked for, for whoever reads only what that one did. */
export function childNotes(asked: readonly AgentOutcome[]): string[] {
  const shown = asked.slice(0, SHOWN_MAX).flatMap((one) => childWords(one) ?? []);
  const rest = asked.length - SHOWN_MAX;
  return rest > 0 ? [...shown, `and ${rest} more runs that it asked for`] : shown;
}

function childWords({ info, saved, said }: AgentOutcome): string | undefined {
  if (info === undefined) return undefined;
  const { agent, run_id: id, status, error_summary: why, ref } = info;
  const how = why === undefined ? status : `${status} (${why})`;
  const wrong = said.filter(({ verdict }) => verdict === "HALLUCINATED").length;
  const refuted = wrong === 0 ? "" : `; ${counted(wrong, "claim")} of its own refuted`;
  const files = counted(saved?.changed.length ?? 0, "file");
  return `it asked for run ${id} of ${agent}: ${how}, changed ${files}, on ${ref}${refuted}`;
}
