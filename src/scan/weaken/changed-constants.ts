import { type ChangedSource, shown, type WeakenedTest } from "./weakened-test.ts";

const LINES_MAX = 20_000;
const NAMES_MAX = 500;
/** A plain value: a number, a text without anything put into it, true, false, null. */
const VALUE =
  "(-?\\d[\\w.]*|\"[^\"\\\\\\n]*\"|'[^'\\\\\\n]*'|`[^`$\\\\\\n]*`|true|false|null|undefined|True|False|None)";
const DECLARED = [
  new RegExp(
    `^(?:export )?(?:const|let|var) ([A-Za-z_$][\\w$]{0,99})(?:: [\\w<>[\\]| ]{1,60})? = ${VALUE}(?: as const)?;?\\s*$`,
  ),
  new RegExp(`^([A-Za-z_]\\w{0,99})(?:: ?\\w{1,40})? = ${VALUE}\\s*$`),
];
const ASSERTS = /\b(?:expect|assert\w*|should|t\.(?:is|deepEqual))\b/;
/** Where the value that is demanded stands: in what is called on an expectation, or behind a comparison. */
const DEMANDED = /\.(?:to|not|resolves|rejects|equal|eql|is)\w*[.(]|==|Equal|, |\bin\b/;

/**
 * Expected values that stand in a constant: a test whose assertion reads the same demands something
 * else when the constant is another. It is right where the program was to change, so that it is told
 * and refused by nobody. Constants that no assertion names are input; those within a test are judged with it.
 */
export function changedConstants({ path, before, after }: ChangedSource): WeakenedTest[] {
  if (before === undefined || after === undefined) return [];
  const [old, now] = [declaredIn(before), declaredIn(after)];
  const asserted = after.split("\n", LINES_MAX).filter((line) => ASSERTS.test(line));
  return [...now].flatMap(([name, { value, line }]) => {
    const was = old.get(name)?.value;
    if (was === undefined || was === value || !isDemanded(name, asserted)) return [];
    const message = `Expected value changed: ${name}, which an assertion demands, was ${shown(was)} and is ${shown(value)} now`;
    const place = { path, line, side: "after", severity: "note" } as const;
    return [{ ...place, kind: "loosened", isRewrite: true, message } as const];
  });
}

function declaredIn(text: string): Map<string, { value: string; line: number }> {
  const found = new Map<string, { value: string; line: number }>();
  for (const [at, line] of text.split("\n", LINES_MAX).entries()) {
    const match = line.includes(" = ")
      ? DECLARED.map((form) => form.exec(line)).find((one) => one !== null)
      : undefined;
    const [, name, value] = match ?? [];
    if (name === undefined || value === undefined || found.size >= NAMES_MAX) continue;
    // Of several with one name nobody knows which an assertion means: the first stands for them.
    if (!found.has(name)) found.set(name, { value, line: at + 1 });
  }
  return found;
}

function isDemanded(name: string, asserted: readonly string[]): boolean {
  const named = new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$(])`);
  return asserted.some((line) => {
    const [, rest = ""] = cutAt(line, DEMANDED);
    return named.test(rest);
  });
}

function cutAt(line: string, separator: RegExp): [string, string] {
  const match = separator.exec(line);
  return match === null
    ? [line, ""]
    : [line.slice(0, match.index), line.slice(match.index + match[0].length)];
}
