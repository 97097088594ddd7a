import { type Language, parseSource } from "../../syntax/index.ts";
import type { Program } from "../program.ts";
import { lowerExpression } from "./javascript.ts";
import { lowerPattern } from "./javascript-pattern.ts";
import { lowerStatement } from "./javascript-statement.ts";
import { lowerPythonExpression, lowerPythonPattern } from "./python.ts";
import { lowerPythonStatement } from "./python-statement.ts";
import { type Grammar, Tree } from "./tree.ts";

const GRAMMARS: Readonly<Record<Language, Grammar>> = {
  javascript: {
    expression: lowerExpression,
    pattern: lowerPattern,
    statement: lowerStatement,
  },
  python: {
    expression: lowerPythonExpression,
    pattern: lowerPythonPattern,
    statement: lowerPythonStatement,
  },
};

/** A file in the engine's form. Broken syntax gives what could be read around it. */
export function readProgram(path: string, text: string): Program | undefined {
  const parsed = parseSource(path, text);
  if (parsed === undefined) return undefined;
  const { language, root } = parsed;
  const tree = new Tree(text, GRAMMARS[language]);
  const body = tree.statement(root);
  return { language, body, lines: text.split("\n"), isCut: tree.isCut };
}
