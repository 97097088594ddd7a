import { isAlwaysTrue, splitAt } from "./always-true.ts";
import { type PythonToken, pythonTokens } from "./python-tokens.ts";

/** Names through which an assertion would reach for more than `result`. */
const OUTSIDE =
  /^(?:import(?:lib)?|os|sys|subprocess|requests|socket|urllib|http|pathlib|shutil|open|eval|exec|compile|globals|locals|vars|input|breakpoint|exit|quit)$/;
/** Words that begin a statement or define something: an assertion has one, and it is `assert`. */
const STATEMENTS =
  /^(?:assert|def|class|return|yield|raise|try|while|with|del|global|nonlocal|pass|break|continue|async|await|lambda)$/;

/** What an assertion looks at: the first key of each `result["…"]`. */
export interface ReadAssertion {
  readonly problems: readonly string[];
  readonly keys: readonly string[];
}

/**
 * Reads a Python assertion as it will be run: alone, without imports, about `result`. Every problem is
 * said, each with what to write instead.
 */
export function readAssertion(source: string): ReadAssertion {
  const tokens = pythonTokens(source.trim());
  if (typeof tokens === "string") return { problems: [`it cannot be read: ${tokens}`], keys: [] };
  const problems = [...statementProblems(tokens), ...reachProblems(tokens)];
  if (problems.length > 0) return { problems, keys: [] };
  const [test = [], message] = splitAt(tokens.slice(1), ",");
  return {
    problems: testProblems(test, message),
    keys: keysRead(test),
  };
}

function statementProblems(tokens: readonly PythonToken[]): string[] {
  const [first, ...rest] = tokens;
  if (first?.text !== "assert") return ['it is not an assertion: begin it with "assert"'];
  const isMore = rest.some(
    ({ kind, text }) =>
      kind === "end" || text === ";" || (kind === "name" && STATEMENTS.test(text)),
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
      (/^__.*__$/.test(text) || (OUTSIDE.test(text) && tokens[at - 1]?.text !== ".")),
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

function keysRead(test: readonly PythonToken[]): string[] {
  return test.flatMap(({ kind, text }, at) => {
    const [open, key, close] = test.slice(at + 1, at + 4);
    const isRead =
      kind === "name" &&
      text === "result" &&
      test[at - 1]?.text !== "." &&
      open?.text === "[" &&
      key?.kind === "text" &&
      close?.text === "]";
    return isRead ? [key.text.replace(/^[a-z]*["']{1,3}|["']{1,3}$/gi, "")] : [];
  });
}
