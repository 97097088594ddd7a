import { posix } from "node:path";
import { isTestCode } from "../kind/index.ts";
import { parseSource } from "../syntax/index.ts";
import { boundNames } from "./bound-names.ts";
import { type ChangedSource, shown, type WeakenedTest } from "./weakened-test.ts";

const FILE_CHARS_MAX = 2_000_000;
const NAMES_MAX = 500;
const ENDING = /(?:\/index)?\.[cm]?[jt]sx?$/;

/**
 * What tests were about before, and have a thing of their own in its place now: an `add` that came from the
 * program, and became `const add = (a, b) => a + b`. Every demand stands there as before, and is about nothing.
 */
export function ownSubjects(
  { path, before, after, renamedFrom = path }: ChangedSource,
  all: readonly ChangedSource[],
): WeakenedTest[] {
  if (before === undefined || after === undefined || !isTestCode(path)) return [];
  if (before.length + after.length > FILE_CHARS_MAX) return [];
  const [old, now] = [boundIn(renamedFrom, before), boundIn(path, after)];
  const isLost = ([name, module]: readonly [string, string]) =>
    isOfProgram(renamedFrom, module) &&
    !isGone(renamedFrom, module, all) &&
    isOwn(name, { path, after, from: now.get(name) });
  return [...old]
    .slice(0, NAMES_MAX)
    .filter(isLost)
    .map(([name, module]) => ({
      kind: "loosened",
      severity: "weakened",
      path,
      side: "after",
      message: `${shown(name)} in ${path} came from ${shown(module)} before, which it tested, and is the tests' own now`,
    }));
}

function boundIn(path: string, text: string): ReadonlyMap<string, string> {
  const parsed = parseSource(path, text);
  return parsed === undefined ? new Map() : boundNames(parsed);
}

/** Of Python only the name is known; what tests themselves load is called like one of theirs there as well. */
function isOfProgram(path: string, module: string): boolean {
  return module.startsWith(".") && !path.endsWith(".py")
    ? !isTestCode(posix.join(posix.dirname(path), module))
    : !/(?:^|[./_])(?:tests?|conftest|unittest|pytest)(?:[./_]|$)/.test(module);
}

/** It is gone, or was moved, by the same change: then the tests have to get it elsewhere. */
function isGone(path: string, module: string, all: readonly ChangedSource[]): boolean {
  const file = path.endsWith(".py")
    ? module.replace(/^\.+/, "").replaceAll(".", "/")
    : posix.join(posix.dirname(path), module).replace(ENDING, "");
  return all.some(({ path: one, after, renamedFrom }) => {
    const old = renamedFrom ?? (after === undefined ? one : undefined);
    const stem = old?.replace(ENDING, "").replace(/(?:\/__init__)?\.py$/, "");
    return stem === file || (path.endsWith(".py") && stem?.endsWith(`/${file}`) === true);
  });
}

function isOwn(
  name: string,
  { path, after, from }: { path: string; after: string; from: string | undefined },
): boolean {
  if (from !== undefined) {
    return from.startsWith(".") && isTestCode(posix.join(posix.dirname(path), from));
  }
  const word = name.replaceAll("$", "\\$");
  const declared = path.endsWith(".py")
    ? `^(?:(?:async )?def|class)[ \\t]+${word}\\b|^${word}[ \\t]*=`
    : `^(?:export )?(?:const|let|var|(?:async )?function\\*?|class)[ \\t]+${word}(?![\\w$])(?![^\\n]*(?:import|require)\\()`;
  return new RegExp(declared, "m").test(after);
}
