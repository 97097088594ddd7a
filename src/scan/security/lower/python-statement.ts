import type { Case, Expression, Statement } from "../program.ts";
import { lowerPythonClass, lowerPythonDefinition } from "./python.ts";
import { asStatement, declaration, type Node, type Tree } from "./tree.ts";

type Lowering = (node: Node, tree: Tree) => Statement[];

/** Statements in their order; an unknown one keeps the statements inside it. */
export function lowerPythonStatement(node: Node, tree: Tree): Statement[] {
  const kind = node.kind() as string;
  const lowering = STATEMENTS[kind];
  if (lowering) return lowering(node, tree);
  if (kind.endsWith("_statement") || kind.endsWith("_clause") || BLOCKS.has(kind))
    return tree.statements(tree.named(node));
  return [asStatement(tree.expression(node))];
}

const BLOCKS = new Set(["ERROR", "module", "block", "with_item"]);

const lowerAssignment: Lowering = (node, tree) => {
  const value = node.field("right");
  if (value === null) return [];
  const assigned: Expression = {
    kind: "assign",
    target: tree.pattern(node.field("left")),
    value:
      value.kind() === "assignment"
        ? tree.expression(value.field("right"))
        : tree.expression(value),
    adds: node.kind() === "augmented_assignment",
    declares: false,
    at: tree.place(node),
  };
  return [asStatement(assigned)];
};

/** `elif` is an `if` in the `else`, so the chain is folded from its end. */
const lowerIf: Lowering = (node, tree) => {
  let otherwise: Statement[] | undefined;
  for (const part of node.fieldChildren("alternative").reverse()) {
    if (part.kind() === "else_clause") otherwise = tree.statement(part.field("body"));
    else
      otherwise = [
        {
          kind: "if",
          test: tree.expression(part.field("condition")),
          body: tree.statement(part.field("consequence")),
          otherwise,
          at: tree.place(part),
        },
      ];
  }
  return [
    {
      kind: "if",
      test: tree.expression(node.field("condition")),
      body: tree.statement(node.field("consequence")),
      otherwise,
      at: tree.place(node),
    },
  ];
};

const lowerFor: Lowering = (node, tree) => [
  {
    kind: "loop",
    how: "items",
    before: [],
    target: tree.pattern(node.field("left")),
    over: tree.expression(node.field("right")),
    test: undefined,
    update: undefined,
    body: tree.statement(node.field("body")),
    at: tree.place(node),
  },
];

const lowerWhile: Lowering = (node, tree) => [
  {
    kind: "loop",
    how: "test",
    before: [],
    target: undefined,
    over: undefined,
    test: tree.expression(node.field("condition")),
    update: undefined,
    body: tree.statement(node.field("body")),
    at: tree.place(node),
  },
];

const lowerTry: Lowering = (node, tree) => {
  const clauses = tree.named(node);
  const bodyOf = (clause: Node) => tree.statement(tree.named(clause).at(-1));
  const rescue = clauses.filter((clause) => (clause.kind() as string).startsWith("except"));
  const after = clauses.filter((clause) =>
    ["else_clause", "finally_clause"].includes(clause.kind() as string),
  );
  return [
    {
      kind: "try",
      body: tree.statement(node.field("body")),
      rescue: rescue.map((clause) => bodyOf(clause)),
      after: after.flatMap((clause) => bodyOf(clause)),
      at: tree.place(node),
    },
  ];
};

const lowerWith: Lowering = (node, tree) => {
  const clause = tree.named(node)[0];
  const opened = (clause === undefined ? [] : tree.named(clause)).flatMap((item) => {
    const [inner] = tree.named(item);
    if (inner?.kind() !== "as_pattern") return [asStatement(tree.expression(inner))];
    const [value, target] = tree.named(inner);
    return [
      asStatement(declaration(tree.pattern(target), tree.expression(value), tree.place(item))),
    ];
  });
  return [...opened, ...tree.statement(node.field("body"))];
};

const lowerMatch: Lowering = (node, tree) => {
  const body = node.field("body");
  const cases: Case[] = (body === null ? [] : tree.named(body)).map((one) => {
    const patterns = tree.named(one).filter((child) => child.kind() === "case_pattern");
    const tests = patterns.filter((pattern) => tree.text(pattern) !== "_");
    return {
      tests: tests.map((test) => tree.inner(test)),
      body: tree.statement(one.field("consequence")),
    };
  });
  return [
    {
      kind: "switch",
      subject: tree.expression(node.field("subject")),
      cases,
      at: tree.place(node),
    },
  ];
};

const ROUTE = /\.(?:route|get|post|put|patch|delete|websocket)\(/;

const lowerDecorated: Lowering = (node, tree) => {
  const inner = node.field("definition");
  if (inner === null || inner.kind() !== "function_definition") return tree.statement(inner);
  const route = tree
    .named(node)
    .some((child) => child.kind() === "decorator" && ROUTE.test(tree.text(child).slice(0, 200)));
  return [
    {
      kind: "define",
      definition: lowerPythonDefinition(inner, tree, route),
      at: tree.place(inner),
    },
  ];
};

const lowerClass: Lowering = (node, tree) => {
  const value = lowerPythonClass(node, tree);
  const name = value.kind === "class" ? value.name : "";
  return [asStatement(declaration({ kind: "name", name, at: value.at }, value, value.at))];
};

const required = (module: string, at: Expression["at"]): Expression => ({
  kind: "call",
  callee: { kind: "name", name: "require", at },
  args: [{ kind: "text", value: module, at }],
  fresh: false,
  at,
});

/** `import a.b as c` binds the module; without a new name it binds the first part. */
const lowerImport: Lowering = (node, tree) =>
  node.fieldChildren("name").map((one) => {
    const at = tree.place(one);
    const alias = one.field("alias");
    const module = tree.text(alias === null ? one : (one.field("name") ?? one));
    const local = alias === null ? (module.split(".")[0] ?? module) : tree.text(alias);
    const bound = alias === null ? local : module;
    return asStatement(declaration({ kind: "name", name: local, at }, required(bound, at), at));
  });

const lowerImportFrom: Lowering = (node, tree) => {
  const module = node.field("module_name");
  if (module === null) return [];
  return node.fieldChildren("name").map((one) => {
    const at = tree.place(one);
    const alias = one.field("alias");
    const property = tree.text(alias === null ? one : (one.field("name") ?? one));
    const local = alias === null ? property : tree.text(alias);
    const value: Expression = {
      kind: "member",
      object: required(tree.text(module), at),
      property,
      at,
    };
    return asStatement(declaration({ kind: "name", name: local, at }, value, at));
  });
};

const lowerAssert: Lowering = (node, tree) => {
  const at = tree.place(node);
  const test: Expression = { kind: "not", value: tree.inner(node), at };
  return [
    { kind: "if", test, body: [{ kind: "throw", value: undefined, at }], otherwise: undefined, at },
  ];
};

const STATEMENTS: Record<string, Lowering> = {
  expression_statement: (node, tree) => tree.statements(tree.named(node)),
  assignment: lowerAssignment,
  augmented_assignment: lowerAssignment,
  if_statement: lowerIf,
  for_statement: lowerFor,
  while_statement: lowerWhile,
  try_statement: lowerTry,
  with_statement: lowerWith,
  match_statement: lowerMatch,
  return_statement: (node, tree) => [
    { kind: "return", value: tree.inner(node), at: tree.place(node) },
  ],
  raise_statement: (node, tree) => [
    { kind: "throw", value: tree.inner(node), at: tree.place(node) },
  ],
  break_statement: (node, tree) => [{ kind: "leave", goesOn: false, at: tree.place(node) }],
  continue_statement: (node, tree) => [{ kind: "leave", goesOn: true, at: tree.place(node) }],
  assert_statement: lowerAssert,
  function_definition: (node, tree) => [
    { kind: "define", definition: lowerPythonDefinition(node, tree, false), at: tree.place(node) },
  ],
  decorated_definition: lowerDecorated,
  class_definition: lowerClass,
  import_statement: lowerImport,
  import_from_statement: lowerImportFrom,
};
