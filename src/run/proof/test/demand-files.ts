import { posix } from "node:path";
import type { Repository } from "../../../repo/index.ts";
import { isTestCode } from "../../../scan/kind/index.ts";
import { readTestFiles } from "./find-tests.ts";

const ENDING = /(?:\/(?:index|__init__))?\.(?:[cm]?[jt]sx?|py)$/;

/**
 * Which of some files are no tests, and what tests demand with all the same: the project's own assertions. A
 * change of them has every test let through what it likes, without a line of a test being changed.
 *
 * @param changed the files that are asked about
 * @param commit whose tests count
 * @param files the only tests that count, where not all do
 */
export async function demandFiles(
  changed: readonly string[],
  repository: Repository,
  commit: string,
  files?: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = new Map(
    changed
      .filter((path) => ENDING.test(path) && !isTestCode(path))
      .map((path) => [path.replace(ENDING, ""), path]),
  );
  if (asked.size === 0) return new Set();
  const stems = [...asked.keys()].map((path) => posix.basename(path));
  const tests = (await readTestFiles(repository, commit)).filter(
    ({ path, text }) =>
      files?.includes(path) !== false && stems.some((stem) => text.includes(stem)),
  );
  const found = new Set<string>();
  if (tests.length === 0) return found;
  // The parsers behind it take a while to load.
  const { demandedWith } = await import("../../../scan/weaken/index.ts");
  for (const { path, text } of tests) {
    for (const module of demandedWith(path, text.toString("utf8"))) {
      for (const place of placesOf(module, path)) {
        const file = asked.get(place.replace(ENDING, ""));
        if (file !== undefined) found.add(file);
      }
    }
  }
  return found;
}

function placesOf(module: string, path: string): string[] {
  const folder = posix.dirname(path);
  if (!path.endsWith(".py")) return [posix.join(folder, module)];
  const name = module.replace(/^\.+/, "").replaceAll(".", "/");
  return [posix.join(folder, name), name];
}
