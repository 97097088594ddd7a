import type { Node } from "../syntax/index.ts";
import { dottedName, pythonSaid, withCalls } from "./python-assertion.ts";
import type { Dialect } from "./read-body.ts";
import { kindOf, lineOf, partsOf, type Reading } from "./reading.ts";
import { isNothing } from "./run-later.ts";
import type { Mark } from "./test-case.ts";

const CATCH_CHARS_MAX = 5_000;
const ROWS_MAX = 10_000;
/** What catches a failed assertion. */
const BROAD = /^(?:$|\(?[\s\w.,]*\b(?:AssertionError|Exception|BaseException)\b)/;

/** How Python says it; `helpers` are functions known to check something. */
export function pythonDialect(reading: Reading, helpers: ReadonlySet<string>): Dialect {
  return {
    blocks: new Set(["block", "module"]),
    said: (node) => pythonSaid(node, reading, helpers),
    markOf: callMark,
    calledName: (node) => {
      if (kindOf(node) !== "call") return undefined;
      const name = dottedName(node.field("function"));
      return name === "" ? undefined : name.replace(/^(?:self|cls)\./, "");
    },
    swallows: (tried) => partsOf(tried).some(isDeafExcept),
    muffles: (node) =>
      kindOf(node) === "with_statement" &&
      withCalls(node).some((call) => {
        const name = dottedName(call.field("function"));
        const what = call.field("arguments")?.text().slice(0, 200) ?? "";
        return /(?:^|\.)suppress$/.test(name) && BROAD.test(what.slice(1, -1));
      }),
    assigned: (node) => {
      const [name, value] = [node.field("left"), node.field("right")];
      const isNamed = kindOf(node) === "assignment" && kindOf(name) === "identifier";
      return isNamed && name && value ? { name: name.text(), value } : undefined;
    },
    rowsOf: (loop) => pythonRows(loop.field("right"), reading),
  };
}

/** An `except` that would catch a failed assertion, and says nothing of it. */
function isDeafExcept(node: Node): boolean {
  if (kindOf(node) !== "except_clause") return false;
  const [caught] = partsOf(node);
  const { start, end } = node.range();
  if (end.index - start.index > CATCH_CHARS_MAX) return false;
  const what = kindOf(caught) === "block" ? "" : (caught?.text() ?? "");
  return (
    BROAD.test(what) && !/\b(?:raise|assert\w*|fail)\b/.test(node.text().slice(what.length + 6))
  );
}

/** The rows of a list or tuple that is written down. */
export function pythonRows(table: Node | null | undefined, reading: Reading): readonly string[] {
  if (!/^(?:list|tuple)$/.test(kindOf(table))) return [];
  return partsOf(table)
    .slice(0, ROWS_MAX)
    .map((row) => reading.normal(row));
}

/** `pytest.skip("…")`, `self.skipTest("…")`, `pytest.xfail("…")`, `raise SkipTest`. */
function callMark(node: Node): Mark | undefined {
  const kind = kindOf(node);
  const line = lineOf(node);
  if (kind === "raise_statement") {
    const [raised] = partsOf(node);
    const name = dottedName(kindOf(raised) === "call" ? raised?.field("function") : raised);
    return /(?:^|\.)SkipTest$/.test(name)
      ? { kind: "skip", how: `raise ${name}`, line }
      : undefined;
  }
  if (kind !== "call") return undefined;
  const name = dottedName(node.field("function"));
  if (/^(?:pytest\.skip|self\.skipTest)$/.test(name))
    return { kind: "skip", how: `${name}()`, line };
  if (name === "pytest.importorskip") return { kind: "sometimes", how: `${name}()`, line };
  return name === "pytest.xfail" ? { kind: "fails", how: `${name}()`, line } : undefined;
}

/** What a decorator, or a value of `pytestmark`, does to a test. */
export function pythonMarks(node: Node): Mark[] {
  const line = lineOf(node);
  if (/^(?:list|tuple)$/.test(kindOf(node))) return partsOf(node).flatMap(pythonMarks);
  const name = dottedName(kindOf(node) === "call" ? node.field("function") : node);
  const how = `@${name}`;
  if (/(?:^|\.)skip$/.test(name)) return [{ kind: "skip", how, line }];
  if (/(?:^|\.)(?:skipif|skipIf|skipUnless)$/.test(name)) return [{ kind: "sometimes", how, line }];
  if (/(?:^|\.)(?:xfail|expectedFailure)$/.test(name)) return [{ kind: "fails", how, line }];
  // Without a row there is no test.
  const isNone = /(?:^|\.)parametrize$/.test(name) && isNothing(rowsIn(node));
  return isNone ? [{ kind: "skip", how, line }] : [];
}

function rowsIn(decorator: Node): Node | null {
  return partsOf(decorator.field("arguments"))[1] ?? null;
}

const SETUP =
  /^(?:setUp|setUpClass|setUpModule|setup|setup_method|setup_class|setup_module|setup_function)$/;

/** What is run before each test of a file or class, and skips it. */
export function setupMarks(block: Node): Mark[] {
  return partsOf(block).flatMap((statement) => {
    const isDecorated = kindOf(statement) === "decorated_definition";
    const definition = isDecorated ? statement.field("definition") : statement;
    if (kindOf(definition) !== "function_definition") return [];
    const decorators = isDecorated ? statement.text().slice(0, 500) : "";
    const isSetup = SETUP.test(definition?.field("name")?.text() ?? "");
    if (!isSetup && !/\bautouse\s*=\s*True/.test(decorators)) return [];
    return partsOf(definition?.field("body")).flatMap((one) => {
      const said = kindOf(one) === "expression_statement" ? partsOf(one)[0] : one;
      return (said && callMark(said)) ?? [];
    });
  });
}
