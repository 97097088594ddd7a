import { basename, dirname, resolve } from "node:path";
import { ANY } from "../../schema/address.ts";
import type { Place } from "../place.ts";

/**
 * What a project is called in addresses: the name of its folder, in letters that an address takes.
 * It is a name for people. Two projects can have the same one; what is fixed is so by its digest.
 */
export function projectName({ store }: Pick<Place, "store">): string {
  const name = basename(dirname(resolve(store)))
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 64);
  return name === "" || name === ANY ? `project-${name}` : name;
}
