import { existsSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/index.ts";
import type { Place } from "../place.ts";

const REPORT_BYTES_MAX = 1 << 20;
const LISTED_MAX = 100;

/** The reports of reviews that a place keeps, by the name of their trace. */
export function reviewShelf(place: Place) {
  const pathOf = (trace: string) => join(place.store, "reviews", trace, "TOME.md");
  const list = () => place.traces().filter((trace) => existsSync(pathOf(trace)));
  return {
    /** The newest of them. */
    list: () => list().slice(-LISTED_MAX),
    /** Only what the list knows is looked for: a name is never a path. */
    read: (name: string) =>
      list().includes(name)
        ? { name, text: readPlainFile(pathOf(name), REPORT_BYTES_MAX).toString("utf8") }
        : undefined,
  };
}
