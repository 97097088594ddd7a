import { isAlwaysTrue, splitAt } from "./always-true.ts";
import { type PythonToken, pythonTokens } from "./python-tokens.ts";

/** Names through which an assertion would reach for more than `result`. */
const OUTSIDE: ReadonlySet<string> = new Set(
  "import importlib os sys subprocess requests socket urllib http pathlib shutil open eval exec compile globals locals vars input breakpoint exit quit".split(
    " ",
  ),
);
/** Words that begin a statement or define something: an assertion has one, and it is `assert`. */
const STATEMENTS: ReadonlySet<string> = new Set(
  "assert def class return yield raise try while with del global nonlocal pass break continue async await lambda".split(
    " ",
  ),
);

/** What an assertion looks at: the first key of each `result["…"]`. */
export interface ReadAssertion {
  readonly problems: readonly string[];
  readonly keys: readonly string[];
  /** Whether it takes result as a whole and asks for nothing in it. */
  readonly isWhole: boolean;
}

/**
 * Reads a Python assertion as it will be run: alone, without imports, about `result`. Every problem is
 * said, each with what to write instead.
 */
export function readAssertion(source: string): ReadAssertion {
  const tokens = pythonTokens(source.trim());
  if (typeof tokens === "string") return unread([`it cannot be read: ${tokens}`]);
  const problems = [...statementProblems(tokens), ...reachProblems(tokens)];
  if (problems.length > 0) return unread(problems);
  const [test = [], message] = splitAt(tokens.slice(1), ",");
  return {
    problems: testProblems(test, message),
    keys: keysRead(test),
    isWhole: takesWhole(test),
  };
}

function unread(problems: readonly string[]): ReadAssertion {
  return { problems, keys: [], isWhole: false };
}

/** `result is not None`, `len(result) < 100`: no name, key or member of it stands there. */
function takesWhole(test: readonly PythonToken[]): boolean {
  const isCounted = test.some(({ text }, at) => text === "len" && test[at + 4]?.text === "==");
  const hasText = test.some(({ kind, text }) => kind === "text" && /\w/.test(text.slice(1, -1)));
  const isEntered = test.some(
    ({ kind, text }, at) =>
      kind === "name" && text === "result" && /^[.[]$/.test(test[at + 1]?.text ?? ""),
  );
  return !isCounted && !hasText && !isEntered;
}

function statementProblems(tokens: readonly PythonToken[]): string[] {
  const [first, ...rest] = tokens;
  if (first?.text !== "assert") return ['it is not an assertion: begin it with "assert"'];
  const isMore = rest.some(
    ({ kind, text }) => kind === "end" || text === ";" || (kind === "name" && STATEMENTS.has(text)),
  );
  const problems = isMore ? ["it is more than one assert: write one for each thing it checks"] : [];
  // An equals sign in brackets is an argument's name.
  const isAssigned = rest.some(
    ({ kind, text, depth }) => kind === "sign" && (text === ":=" || (text === "=" && depth === 0)),
  );
  if (isAssigned) problems.push('it assigns: compare with "=="');
  return problems;
}

function reachProblems(tokens: readonly PythonToken[]): string[] {
  const reached = tokens.find(
    ({ kind, text }, at) =>
      kind === "name" &&
      // A key or method of such a name, as in `result.open`, reaches nowhere; `__class__` does.
      ((text.startsWith("__") && text.length > 3 && text.endsWith("__")) ||
        (OUTSIDE.has(text) && tokens[at - 1]?.text !== ".")),
  )?.text;
  if (reached === undefined) return [];
  return [
    /import/.test(reached)
      ? "it imports: an assertion runs without imports, and judges what result holds"
      : `it uses ${reached}: an assertion only judges result, which a probe of the runtime fills`,
  ];
}

function testProblems(
  test: readonly PythonToken[],
  message: readonly PythonToken[] | undefined,
): string[] {
  if (test.length === 0) return ["nothing stands after assert"];
  const isAboutResult = test.some(({ kind, text }) => kind === "name" && text === "result");
  if (isAlwaysTrue(test)) {
    const why =
      message === undefined && test[0]?.text === "(" ? " (a pair in brackets is always true)" : "";
    return [`it cannot fail${why}: compare something of result with the value it must have`];
  }
  return isAboutResult ? [] : ["it says nothing about result, which is all that it is given"];
}

/** The keys that an assertion reads: `result["a"]`, `result.get("a")`, `"a" in result`. */
function keysRead(test: readonly PythonToken[]): string[] {
  const keys: string[] = [];
  for (const [at, { kind, text }] of test.entries()) {
    if (kind !== "name" || text !== "result" || test[at - 1]?.text === ".") continue;
    for (const key of [keyBehind(test, at), keyBefore(test, at)]) {
      if (key?.kind === "text") keys.push(key.text.replace(/^[a-z]*["']{1,3}|["']{1,3}$/gi, ""));
    }
  }
  return keys;
}

function keyBehind(test: readonly PythonToken[], at: number): PythonToken | undefined {
  const next = (steps: number) => test[at + steps]?.text;
  if (next(1) === "[" && next(3) === "]") return test[at + 2];
  return next(1) === "." && next(2) === "get" && next(3) === "(" ? test[at + 4] : undefined;
}

function keyBefore(test: readonly PythonToken[], at: number): PythonToken | undefined {
  const isSought = test[at - 1]?.text === "in" && !/^[.[]$/.test(test[at + 1]?.text ?? "");
  if (!isSought) return undefined;
  return test[at - (test[at - 2]?.text === "not" ? 3 : 2)];
}
