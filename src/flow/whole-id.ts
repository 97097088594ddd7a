import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SwornError } from "../base/index.ts";
import type { Place } from "./place.ts";
import { namesMeant, severalMeant } from "./words/names-meant.ts";

/** What has a folder of its own in the store, and is called by the name of that. */
const FOLDERS = {
  run: (place: Place) => place.tasks().flatMap((task) => foldersIn(place, "tasks", task, "runs")),
  work: (place: Place) => foldersIn(place, "work"),
  session: (place: Place) => foldersIn(place, "session"),
  task: (place: Place) => place.tasks(),
} as const;

/**
 * The whole id of what a person names by the beginning of it. A word that begins none stays as it is, for
 * whoever looks it up to say what there is.
 *
 * @throws SwornError `NOT_FOUND` when several begin with it.
 */
export function wholeId(
  place: Place,
  wanted: string,
  kinds: readonly (keyof typeof FOLDERS)[],
): string {
  const names = kinds.flatMap((kind) => FOLDERS[kind](place));
  const [only = wanted, ...others] = namesMeant(wanted, [...new Set(names)].toSorted());
  if (others.length === 0) return only;
  const what = kinds.map((kind) => `${kind}s`).join(" or ");
  throw new SwornError("NOT_FOUND", severalMeant(what, wanted, [only, ...others]));
}

function foldersIn({ store }: Place, ...below: readonly string[]): string[] {
  const folder = join(store, ...below);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name);
}
