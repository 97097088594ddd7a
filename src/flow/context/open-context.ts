import type { CheckSource } from "../check/check.ts";
import type { Place } from "../place.ts";
import { Bus } from "../talk/bus.ts";
import { collectContext } from "./collect-context.ts";
import type { Context, ContextScope } from "./context.ts";

/** Whose context is wanted, and how much of it. */
export interface ContextRequest {
  readonly place: Place;
  readonly task: string | undefined;
  readonly files: CheckSource | undefined;
  readonly selectors: readonly string[];
  readonly scope: ContextScope;
}

/** Reads a context for a person, who may read all of it. Begins nothing and writes nothing. */
export async function openContext(request: ContextRequest): Promise<Context> {
  const { place, task, files, selectors, scope } = request;
  const projectBus = Bus.find({ place });
  const taskBus = task === undefined ? undefined : Bus.find({ place, task });
  try {
    const source = { place, task, taskBus, projectBus, files };
    return await collectContext(source, selectors, scope);
  } finally {
    projectBus?.close();
    taskBus?.close();
  }
}
