import { messageOf } from "../../base/index.ts";
import { beatMsOf } from "../beat/beat-config.ts";
import { keepBeat, type SeenStatus } from "../beat/keep-beat.ts";
import type { WorkEnd } from "./work-run.ts";
import type { RunningWork } from "./work-scene.ts";

/**
 * Does something with a work as the one process that leads its trace: what another one that was
 * overtaken still writes is refused. With each beat the lead is taken again, and how far the work
 * has come is claimed.
 *
 * @throws SwornError `LEDGER_BUSY` while another process leads it.
 */
export async function leadWork(work: RunningWork, act: () => Promise<WorkEnd>): Promise<WorkEnd> {
  const kept = await keepBeat({
    voice: work.record.voice,
    phase: "work",
    beatMs: beatMsOf(work.repository.root),
    leads: true,
    observe: () => [statusOf(work)],
    onFault: (error) => work.onEvent({ about: "work", words: `its beat: ${messageOf(error)}` }),
  });
  try {
    return await act();
  } finally {
    await kept.end();
  }
}

function statusOf({ id, state }: RunningWork): SeenStatus {
  const all = state.subtasks;
  const proven = all.filter((one) => one.proven !== undefined).length;
  const running = all.filter((one) => one.last?.status === "running").map((one) => one.id);
  return {
    agent_id: "worker",
    state: running.length > 0 ? "executing" : "idle",
    task_id: `work-${id}`,
    progress: Math.floor((100 * proven) / Math.max(1, all.length)),
    ...(running.length === 0 ? {} : { metadata: { subtasks: running.join(" ").slice(0, 1_024) } }),
  };
}
