import type { Case, Expression, Statement } from "../program.ts";
import { lowerDefinition } from "./javascript.ts";
import { textOfString } from "./javascript-pattern.ts";
import { asStatement, declaration, type Node, type Tree } from "./tree.ts";

type Lowering = (node: Node, tree: Tree) => Statement[];

/** Statements in their order; an unknown one keeps the statements inside it. */
export function lowerStatement(node: Node, tree: Tree): Statement[] {
  const kind = node.kind() as string;
  const lowering = STATEMENTS[kind];
  if (lowering) return lowering(node, tree);
  if (kind.endsWith("_statement") || kind === "ERROR" || kind === "program")
    return tree.statements(tree.named(node));
  return [asStatement(tree.expression(node))];
}

const lowerDeclaration: Lowering = (node, tree) =>
  tree
    .named(node)
    .filter((child) => child.kind() === "variable_declarator")
    .map((child) => {
      const value = child.field("value");
      const at = tree.place(child);
      const target = tree.pattern(child.field("name"));
      return asStatement(declaration(target, named(tree.expression(value), target), at));
    });

/** A function without a name of its own has the one of its variable. */
function named(value: Expression, target: Expression): Expression {
  if (value.kind !== "function" || target.kind !== "name" || value.definition.name !== "")
    return value;
  return { ...value, definition: { ...value.definition, name: target.name } };
}

const lowerIf: Lowering = (node, tree) => {
  const alternative = node.field("alternative");
  return [
    {
      kind: "if",
      test: tree.expression(node.field("condition")),
      body: tree.statement(node.field("consequence")),
      otherwise: alternative === null ? undefined : tree.statements(tree.named(alternative)),
      at: tree.place(node),
    },
  ];
};

const LOOP = {
  before: [],
  target: undefined,
  over: undefined,
  test: undefined,
  update: undefined,
} as const;

const lowerForIn: Lowering = (node, tree) => {
  const operator = node.field("operator");
  return [
    {
      ...LOOP,
      kind: "loop",
      how: operator !== null && tree.text(operator) === "in" ? "keys" : "items",
      target: tree.pattern(node.field("left")),
      over: tree.expression(node.field("right")),
      body: tree.statement(node.field("body")),
      at: tree.place(node),
    },
  ];
};

const lowerLoop: Lowering = (node, tree) => {
  const update = node.field("increment");
  const test = node.field("condition");
  return [
    {
      ...LOOP,
      kind: "loop",
      how: "test",
      before: tree.statement(node.field("initializer")),
      test: test === null ? undefined : tree.expression(test),
      update: update === null ? undefined : tree.expression(update),
      body: tree.statement(node.field("body")),
      at: tree.place(node),
    },
  ];
};

const lowerTry: Lowering = (node, tree) => {
  const handler = node.field("handler")?.field("body") ?? null;
  const finalizer = node.field("finalizer")?.field("body") ?? null;
  return [
    {
      kind: "try",
      body: tree.statement(node.field("body")),
      rescue: handler === null ? [] : [tree.statement(handler)],
      after: tree.statement(finalizer),
      at: tree.place(node),
    },
  ];
};

const lowerSwitch: Lowering = (node, tree) => {
  const body = node.field("body");
  const cases: Case[] = (body === null ? [] : tree.named(body)).map((one) => {
    const value = one.field("value");
    return {
      tests: value === null ? [] : [tree.expression(value)],
      body: tree.statements(one.fieldChildren("body")),
    };
  });
  const subject = tree.expression(node.field("value"));
  return [{ kind: "switch", subject, cases, at: tree.place(node) }];
};

const lowerClassStatement: Lowering = (node, tree) => {
  const value = tree.expression(node);
  if (value.kind !== "class" || value.name === "") return [asStatement(value)];
  const target: Expression = { kind: "name", name: value.name, at: value.at };
  return [asStatement(declaration(target, value, value.at))];
};

const lowerExport: Lowering = (node, tree) => {
  const at = tree.place(node);
  const inner = node.field("declaration");
  const value = node.field("value");
  const clause = tree.named(node).find((child) => child.kind() === "export_clause");
  if (inner !== null) {
    const lowered = tree.statement(inner);
    return [...lowered, ...lowered.flatMap((one) => exportOf(one))];
  }
  if (value !== null) return [{ kind: "export", value: tree.expression(value), at }];
  const names = clause === undefined ? [] : tree.named(clause);
  return names.map((one) => ({
    kind: "export",
    value: tree.expression(one.field("name")),
    at,
  }));
};

function exportOf(statement: Statement): Statement[] {
  const { at } = statement;
  if (statement.kind === "define")
    return [{ kind: "export", value: { kind: "name", name: statement.definition.name, at }, at }];
  if (statement.kind === "expression" && statement.value.kind === "assign")
    return [{ kind: "export", value: statement.value.target, at }];
  return [];
}

/** `import x, { y as z } from "m"` reads as declarations of what `require("m")` gives. */
const lowerImport: Lowering = (node, tree) => {
  const source = node.field("source");
  const clause = tree.named(node).find((child) => child.kind() === "import_clause");
  if (source === null || clause === undefined) return [];
  const at = tree.place(node);
  const module: Expression = {
    kind: "call",
    callee: { kind: "name", name: "require", at },
    args: [{ kind: "text", value: textOfString(source, tree), at }],
    fresh: false,
    at,
  };
  return tree.named(clause).flatMap((child) => lowerImportClause(child, module, tree));
};

function lowerImportClause(child: Node, module: Expression, tree: Tree): Statement[] {
  const bind = (local: Node | null, value: Expression) =>
    local === null ? [] : [asStatement(declaration(tree.pattern(local), value, value.at))];
  if (child.kind() === "identifier") return bind(child, module);
  if (child.kind() === "namespace_import") return bind(tree.named(child)[0] ?? null, module);
  return tree.named(child).flatMap((one) => {
    const name = one.field("name");
    if (name === null) return [];
    const property = textOfString(name, tree);
    return bind(one.field("alias") ?? name, {
      kind: "member",
      object: module,
      property,
      at: module.at,
    });
  });
}

const STATEMENTS: Record<string, Lowering> = {
  lexical_declaration: lowerDeclaration,
  variable_declaration: lowerDeclaration,
  expression_statement: (node, tree) =>
    tree.named(node).map((child) => asStatement(tree.expression(child))),
  if_statement: lowerIf,
  for_in_statement: lowerForIn,
  for_statement: lowerLoop,
  while_statement: lowerLoop,
  do_statement: lowerLoop,
  try_statement: lowerTry,
  switch_statement: lowerSwitch,
  return_statement: (node, tree) => {
    const [value] = tree.named(node);
    const at = tree.place(node);
    return [{ kind: "return", value: tree.expression(value), at }];
  },
  throw_statement: (node, tree) => {
    const [value] = tree.named(node);
    const at = tree.place(node);
    return [{ kind: "throw", value: tree.expression(value), at }];
  },
  break_statement: (node, tree) => [{ kind: "leave", goesOn: false, at: tree.place(node) }],
  continue_statement: (node, tree) => [{ kind: "leave", goesOn: true, at: tree.place(node) }],
  statement_block: (node, tree) => [
    { kind: "block", body: tree.statements(tree.named(node)), at: tree.place(node) },
  ],
  function_declaration: (node, tree) => [
    { kind: "define", definition: lowerDefinition(node, tree), at: tree.place(node) },
  ],
  generator_function_declaration: (node, tree) => [
    { kind: "define", definition: lowerDefinition(node, tree), at: tree.place(node) },
  ],
  class_declaration: lowerClassStatement,
  abstract_class_declaration: lowerClassStatement,
  export_statement: lowerExport,
  import_statement: lowerImport,
  interface_declaration: () => [],
  type_alias_declaration: () => [],
  ambient_declaration: () => [],
};
