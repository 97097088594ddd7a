import type { Node } from "../syntax/index.ts";
import { javascriptSaid } from "./javascript-assertion.ts";
import { argumentsOf, chainOf } from "./javascript-chain.ts";
import type { Dialect } from "./read-body.ts";
import { kindOf, lineOf, partsOf, type Reading } from "./reading.ts";
import type { Mark } from "./test-case.ts";

/** Longer bodies of a `catch` are not searched for words: they do something. */
const CATCH_CHARS_MAX = 5_000;
/** Rows of one table that are compared. */
const ROWS_MAX = 10_000;

/** How JavaScript and TypeScript say it; `helpers` are functions known to check something. */
export function javascriptDialect(
  reading: Reading,
  helpers: ReadonlySet<string>,
  constants: ReadonlyMap<string, Node>,
): Dialect {
  return {
    blocks: new Set(["statement_block", "program"]),
    said: (node) => javascriptSaid(node, reading, helpers),
    markOf: javascriptMark,
    calledName: (node) => {
      if (kindOf(node) !== "call_expression") return undefined;
      const callee = node.field("function");
      return kindOf(callee) === "identifier" ? callee?.text() : undefined;
    },
    swallows: (tried) => {
      const handler = tried.field("handler");
      if (!handler) return false;
      const { start, end } = handler.range();
      if (end.index - start.index > CATCH_CHARS_MAX) return false;
      return !/\b(?:throw|expect\w*|assert\w*|fail|reject)\b/.test(handler.text());
    },
    muffles: () => false,
    assigned: (node) => {
      if (!/^(?:variable_declarator|assignment_expression)$/.test(kindOf(node))) return undefined;
      const name = node.field("name") ?? node.field("left");
      const value = node.field("value") ?? node.field("right");
      return kindOf(name) === "identifier" && name && value
        ? { name: name.text(), value }
        : undefined;
    },
    rowsOf: (loop) => rowsOf(loop.field("right"), reading, constants),
  };
}

/** The rows of a table that is written where it is used, or under a name at the top of the file. */
export function rowsOf(
  table: Node | null | undefined,
  reading: Reading,
  constants: ReadonlyMap<string, Node>,
): readonly string[] {
  const found = kindOf(table) === "identifier" ? constants.get(table?.text() ?? "") : table;
  if (!found) return [];
  if (kindOf(found) === "template_string") {
    const lines = found.text().slice(1, -1).split("\n").slice(0, ROWS_MAX);
    return lines.map((line) => line.trim().replaceAll(/\s+/g, " ")).filter((line) => line !== "");
  }
  if (/^(?:as|satisfies)_expression$/.test(kindOf(found))) {
    return rowsOf(partsOf(found)[0], reading, new Map());
  }
  if (kindOf(found) !== "array") return [];
  return partsOf(found)
    .slice(0, ROWS_MAX)
    .map((row) => reading.normal(row));
}

/** `ctx.skip()`, `this.skip()`, `t.todo()`, `pending()` inside of a test. */
function javascriptMark(node: Node): Mark | undefined {
  if (kindOf(node) !== "call_expression") return undefined;
  const { root, rootArgs, links } = chainOf(node);
  const name = root.text().slice(0, 40);
  const isPending = name === "pending" && rootArgs !== undefined && links.length === 0;
  const [only] = links;
  const isSkip =
    links.length === 1 &&
    only?.args !== undefined &&
    /^(?:skip|todo|fixme)$/.test(only.name) &&
    /^(?:ctx|context|t|this|test|it|task)$/.test(name);
  if (!isPending && !isSkip) return undefined;
  const how = isPending ? "pending()" : `${name}.${only?.name}()`;
  const given = argumentsOf(node)[0];
  const isSure = given === undefined || /^(?:string|template_string|true)$/.test(kindOf(given));
  return { kind: isSure ? "skip" : "sometimes", how, line: lineOf(node) };
}
