import type { Language, Node, NodeRule } from "../syntax/index.ts";
import type { Fault, Rule } from "./rule.ts";
import { holds, isKind, parts, type SourceView } from "./source-view.ts";

const LEAVING: Readonly<Record<Language, readonly string[]>> = {
  javascript: ["return_statement", "throw_statement", "break_statement", "continue_statement"],
  python: ["return_statement", "raise_statement", "break_statement", "continue_statement"],
};
/** What has its effect, or none, wherever it stands. */
const HARMLESS = [
  "function_declaration",
  "generator_function_declaration",
  "interface_declaration",
  "type_alias_declaration",
  "ambient_declaration",
  "function_signature",
  "empty_statement",
  "pass_statement",
  "export_statement",
  "import_statement",
  "ERROR",
];

/** Asks for blocks in which something stands behind a statement that leaves. */
function leavesEarly(language: Language): NodeRule {
  const exit = { kind: "expression_statement", regex: "exit" };
  const another = { not: { any: [{ kind: "comment" }, { regex: "^}$" }] } };
  const any = [...LEAVING[language].map((kind) => ({ kind })), exit];
  return { has: { any, precedes: { ...another, stopBy: "end" } } };
}

/** Statements behind one that always leaves. */
export const unreachable: Rule = {
  kinds: ["statement_block", "program", "switch_case", "switch_default"],
  where: leavesEarly("javascript"),
  check: inBlock,
};

export const unreachablePython: Rule = {
  kinds: ["block", "module"],
  where: leavesEarly("python"),
  check: inBlock,
};

function inBlock(block: Node, view: SourceView): Fault[] {
  const statements = parts(block);
  const at = statements.findIndex((one) => leaves(one, view) !== undefined);
  if (at < 0) return [];
  const last = statements[at] as Node;
  const next = statements.slice(at + 1).find((one) => !isKind(one, ...HARMLESS));
  if (!next || isMeant(last, next, block, view)) return [];
  const how = leaves(last, view) ?? "";
  return [
    {
      at: next,
      also: last,
      priority: how.includes("exit") ? "P3" : "P2",
      category: "unreachable-code",
      title: `This never runs: \`${how}\` stands before it`,
      issue: `Everything after \`${how}\` in line ${last.range().start.line + 1} in the same block is dead.`,
      fix: "Remove it, or move it before the statement that leaves.",
    },
  ];
}

function leaves(statement: Node, view: SourceView): string | undefined {
  if (isKind(statement, ...LEAVING[view.language])) {
    return String(statement.kind()).replace("_statement", "");
  }
  if (!isKind(statement, "expression_statement")) return undefined;
  const [call] = parts(statement);
  if (!isKind(call, "call_expression", "call")) return undefined;
  const name = view.shortText(call?.field("function")) ?? "";
  return /^(?:process\.exit|sys\.exit|os\._exit)$/.test(name) ? name : undefined;
}

/** Dead code that people write on purpose. */
function isMeant(last: Node, next: Node, block: Node, view: SourceView): boolean {
  // After a call that ends the process, leaving satisfies compilers and tests that replace the call.
  if (isKind(last, "expression_statement") && isKind(next, ...LEAVING[view.language])) return true;
  // A `break` closes each case, whatever stands in it.
  if (isKind(block, "switch_case", "switch_default") && isKind(next, "break_statement"))
    return true;
  // An `eval` that never runs still changes how an engine treats the function; some rely on it.
  if (/^eval\(/.test(view.shortText(next) ?? "")) return true;
  // An assertion for the reader, or for a compiler that does not see it.
  if (isKind(next, "throw_statement", "raise_statement")) return true;
  // A `yield` that is never reached makes a Python function a generator.
  if (view.language === "python" && holds(next, "yield")) return true;
  if (view.language === "python") return false;
  // `var` without a value is only a declaration.
  return isKind(next, "variable_declaration") && parts(next).every((one) => !one.field("value"));
}
