import { extname } from "node:path";
import type { SourceTree } from "../../verify/citation/index.ts";

/** How a test begins, by the endings of files. */
const BEGINS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^\.[cm]?[jt]sx?$/,
    /(?:^|[\s;{(])(?:test|it)(?:\.(?:concurrent|serial|only|fails|skip|todo))?\s?\(/gm,
  ],
  [/^\.py$/, /^\s{0,40}(?:async\s)?def\stest\w*\(/gm],
  [/^\.go$/, /^func\s(?:Test|Fuzz)\w*\(/gm],
  [/^\.rs$/, /#\[(?:\w+::)?test\b/g],
  [/^\.(?:java|kt|scala)$/, /@(?:Test|ParameterizedTest)\b/g],
  [/^\.cs$/, /\[(?:Test|Fact|Theory|TestMethod)\b/g],
  [/^\.rb$/, /^\s{0,40}(?:it|test|specify|def\stest_\w+)\b/gm],
  [/^\.(?:ex|exs)$/, /^\s{0,40}test\s"/gm],
  [/^\.php$/, /\bfunction\stest\w*\(/g],
  [/^\.swift$/, /\bfunc\stest\w*\(|@Test\b/g],
];

/** How many more tests are written in files than there were; undefined where nothing here reads one of them. */
export async function writtenTests(
  paths: readonly string[],
  [now, before]: readonly SourceTree[],
): Promise<number | undefined> {
  let more = 0;
  for (const path of paths) {
    const [there, was] = [await testsIn(now, path), await testsIn(before, path)];
    if (there === undefined || was === undefined) return undefined;
    more += there - was;
  }
  return more;
}

async function testsIn(tree: SourceTree | undefined, path: string): Promise<number | undefined> {
  const begins = BEGINS.find(([ending]) => ending.test(extname(path)))?.[1];
  const entry = await tree?.find(path);
  if (begins === undefined || entry === undefined) return undefined;
  if (entry.kind !== "file")
    return entry.kind === "absent" || entry.kind === "moved" ? 0 : undefined;
  return Buffer.from(entry.bytes).toString("utf8").match(begins)?.length ?? 0;
}
