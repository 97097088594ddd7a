import { assert } from "../../base/index.ts";
import type { SubtaskStatus } from "../../schema/work.ts";
import { isDone, type WorkGraph } from "./work-graph.ts";

/** What a schedule asks of whoever runs it. */
export interface Scheduled {
  readonly graph: WorkGraph;
  /** In the order in which they begin where several could. */
  readonly ids: readonly string[];
  /** How many work at the same time. */
  readonly parallel: number;
  readonly statusOf: (id: string) => SubtaskStatus | undefined;
  /** One try; afterwards the status says whether there has to be another. */
  readonly start: (id: string) => Promise<void>;
  /** Nothing more is begun once it fires; what runs is waited for. */
  readonly signal: AbortSignal;
}

/**
 * Has every subtask tried as soon as all that it stands on is done, until nothing can begin any more.
 * The first error ends it, after everything that runs has ended.
 */
export async function schedule(scheduled: Scheduled): Promise<void> {
  const { graph, ids, parallel, statusOf, start, signal } = scheduled;
  assert(parallel >= 1, "somebody works");
  const ready = ids.filter((id) => graph.isReady(id, statusOf));
  // Two upstreams that end at the same time both find that it can begin.
  const taken = new Set(ready);
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const ended = (id: string): void => {
    taken.delete(id);
    const open = isDone(statusOf(id)) ? graph.dependentsOf(id) : [id];
    for (const one of open) {
      if (taken.has(one) || !graph.isReady(one, statusOf)) continue;
      taken.add(one);
      ready.push(one);
    }
  };
  const next = (): string | undefined =>
    signal.aborted || failures.length > 0 || running.size >= parallel ? undefined : ready.shift();
  do {
    for (let id = next(); id !== undefined; id = next()) {
      const name = id;
      const one: Promise<void> = start(name)
        .then(() => ended(name))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(one));
      running.add(one);
    }
    if (running.size > 0) await Promise.race(running);
  } while (running.size > 0 || (ready.length > 0 && !signal.aborted && failures.length === 0));
  if (failures.length > 0) throw failures[0];
}
