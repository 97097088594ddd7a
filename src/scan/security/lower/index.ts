import languagePython from "@ast-grep/lang-python";
import { Lang, parse, registerDynamicLanguage } from "@ast-grep/napi";
import type { Program } from "../program.ts";
import { lowerExpression } from "./javascript.ts";
import { lowerPattern } from "./javascript-pattern.ts";
import { lowerStatement } from "./javascript-statement.ts";
import { lowerPythonExpression, lowerPythonPattern } from "./python.ts";
import { lowerPythonStatement } from "./python-statement.ts";
import { type Grammar, Tree } from "./tree.ts";

const JAVASCRIPT: Grammar = {
  expression: lowerExpression,
  pattern: lowerPattern,
  statement: lowerStatement,
};

const PYTHON: Grammar = {
  expression: lowerPythonExpression,
  pattern: lowerPythonPattern,
  statement: lowerPythonStatement,
};

interface Dialect {
  readonly parser: string;
  readonly grammar: Grammar;
  readonly language: Program["language"];
}

const javascript = (parser: string): Dialect => ({
  parser,
  grammar: JAVASCRIPT,
  language: "javascript",
});

const DIALECTS = new Map<string, Dialect>([
  ["js", javascript(Lang.JavaScript)],
  ["cjs", javascript(Lang.JavaScript)],
  ["mjs", javascript(Lang.JavaScript)],
  ["jsx", javascript(Lang.JavaScript)],
  ["ts", javascript(Lang.TypeScript)],
  ["mts", javascript(Lang.TypeScript)],
  ["cts", javascript(Lang.TypeScript)],
  ["tsx", javascript(Lang.Tsx)],
  ["py", { parser: "python", grammar: PYTHON, language: "python" }],
]);

let isPythonRegistered = false;

const dialectOf = (path: string) => DIALECTS.get(/\.([a-z]+)$/.exec(path)?.[1] ?? "");

/** Whether a path's ending names a language that can be read. */
export function isReadable(path: string): boolean {
  return dialectOf(path) !== undefined && !path.endsWith(".d.ts");
}

/** A file in the engine's form. Broken syntax gives what could be read around it. */
export function readProgram(path: string, text: string): Program | undefined {
  const dialect = dialectOf(path);
  if (dialect === undefined) return undefined;
  if (dialect.parser === "python" && !isPythonRegistered) {
    // The parser library refuses a second registration of the same language.
    registerDynamicLanguage({ python: languagePython });
    isPythonRegistered = true;
  }
  const root = parse(dialect.parser, text).root();
  const tree = new Tree(text, dialect.grammar);
  return {
    language: dialect.language,
    body: tree.statement(root),
    lines: text.split("\n"),
  };
}
