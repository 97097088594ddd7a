import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256Hex } from "../base/index.ts";
import type { Place } from "./place.ts";

/**
 * What a project is called where its own word does not count: the hash of the place its store lies
 * at. Whoever can write into a project could bring along any other name from another one.
 */
export function projectIdentity({ store }: Pick<Place, "store">): string {
  return sha256Hex(join(realpathSync(dirname(store)), basename(store)));
}
