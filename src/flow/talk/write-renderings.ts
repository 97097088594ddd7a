import { basename, dirname, join } from "node:path";
import { assertNoLink } from "../place.ts";
import { writeOutput } from "../write-output.ts";
import type { Bus } from "./bus.ts";
import { renderBus, renderFacts, renderState } from "./render-talk.ts";

/**
 * Writes what was said as files, for people and for agents that read files. Each is whole or as it
 * was before. They are never read back: whoever changes one changes a copy.
 *
 * @returns the absolute paths.
 */
export function writeRenderings(on: Bus): string[] {
  const folder = on.place.talkFolder(on.task);
  assertNoLink(folder);
  const project = basename(dirname(on.place.store));
  const files = [
    renderBus(project, on),
    ...(on.task === undefined ? [] : [renderState(on)]),
    ...renderFacts(on),
  ];
  return files.map(({ name, text }) => {
    const path = join(folder, name);
    writeOutput(path, text);
    return path;
  });
}
