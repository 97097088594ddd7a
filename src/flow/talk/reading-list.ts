import { type Author, Bus, isLeading } from "./bus.ts";
import { writeRenderings } from "./write-renderings.ts";

/**
 * What an agent is to read before it begins, as files that are up to date, by their absolute paths:
 * its task's state and bus, and the task's facts; whoever leads also gets the project's bus and facts.
 */
export function writeReadingList(on: Bus, author: Author): string[] {
  const own = writeRenderings(on);
  if (!isLeading(author) || on.task === undefined) return own;
  const project = Bus.find({ place: on.place });
  try {
    return project === undefined ? own : [...own, ...writeRenderings(project)];
  } finally {
    project?.close();
  }
}
