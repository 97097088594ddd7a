import type { Language, Node } from "../syntax/index.ts";

/** The functions of a file whose result must be awaited. */
export interface AsyncFunctions {
  /** By a name that nothing else in the file has. */
  readonly named: ReadonlyMap<string, Node>;
  /** By the id of a class body and the name of a method. */
  readonly methods: ReadonlyMap<number, ReadonlyMap<string, Node>>;
}

/** Finds what is declared `async` and, for names, bound only once: a shadowed name could be anything. */
export function findAsyncFunctions(root: Node, language: Language): AsyncFunctions {
  const found = language === "python" ? pythonFunctions(root) : javascriptFunctions(root);
  const counts =
    language === "python" ? pythonBindings(root, found) : javascriptBindings(root, found);
  const named = [...found.named].filter(([name]) => counts.get(name) === 1);
  return { named: new Map(named), methods: found.methods };
}

interface Collected {
  readonly named: Map<string, Node>;
  readonly methods: Map<number, Map<string, Node>>;
}

/** Whether a function is marked `async` and gives one result: a generator is not awaited. */
export function isAsync(node: Node): boolean {
  const marks = node.children().map((child) => String(child.kind()));
  return marks.includes("async") && !marks.includes("*");
}

function javascriptFunctions(root: Node): Collected {
  const collected: Collected = { named: new Map(), methods: new Map() };
  for (const node of allOf(root, ["function_declaration", "variable_declarator", "class_body"])) {
    if (node.kind() === "class_body") {
      const methods = node.namedChildren().filter((one) => one.kind() === "method_definition");
      collected.methods.set(node.id(), byName(methods.filter(mustBeAwaited)));
      continue;
    }
    const made = node.kind() === "variable_declarator" ? node.field("value") : node;
    if (made && mustBeAwaited(made)) collected.named.set(node.field("name")?.text() ?? "", made);
  }
  return collected;
}

const mustBeAwaited = (made: Node) => isAsync(made) && !neverFails(made) && !neverEnds(made);

const allOf = (root: Node, kinds: readonly string[]) =>
  root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } });

const byName = (nodes: readonly Node[]) =>
  new Map(nodes.map((node) => [node.field("name")?.text() ?? "", node] as const));

/** What binds names, and in which fields; without any, all children are bound. */
const BINDERS: Readonly<Record<string, readonly string[]>> = {
  function_declaration: ["name"],
  generator_function_declaration: ["name"],
  class_declaration: ["name"],
  variable_declarator: ["name"],
  assignment_pattern: ["left"],
  assignment_expression: ["left"],
  for_in_statement: ["left"],
  pair_pattern: ["value"],
  arrow_function: ["parameter"],
  catch_clause: ["parameter"],
  formal_parameters: [],
  array_pattern: [],
  rest_pattern: [],
  import_specifier: [],
  import_clause: [],
  shorthand_property_identifier_pattern: [],
};

/**
 * How often each of the names is bound. It goes from the binder down and never asks a node for its
 * parent, which costs as much as the tree is wide.
 */
function javascriptBindings(root: Node, { named }: Collected): Map<string, number> {
  if (named.size === 0) return new Map();
  const parameters = ["required_parameter", "optional_parameter"];
  const bound = allOf(root, Object.keys(BINDERS)).flatMap((binder) => {
    if (binder.kind() === "shorthand_property_identifier_pattern") return [binder];
    const fields = BINDERS[String(binder.kind())] ?? [];
    if (fields.length > 0) return fields.flatMap((field) => binder.field(field) ?? []);
    return binder
      .namedChildren()
      .flatMap((one) => (parameters.includes(String(one.kind())) ? one.namedChildren() : [one]));
  });
  return countNames(bound, named);
}

function countNames(bound: readonly Node[], named: ReadonlyMap<string, Node>): Map<string, number> {
  const counts = new Map<string, number>();
  const kinds = ["identifier", "shorthand_property_identifier_pattern"];
  for (const node of bound.filter((one) => kinds.includes(String(one.kind())))) {
    const name = node.text();
    if (named.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** A function whose whole work stands in a `try` with a `catch` has dealt with its errors itself. */
function neverFails(made: Node): boolean {
  const statements = made.field("body")?.namedChildren() ?? [];
  const guarded = statements.filter((one) => one.kind() === "try_statement");
  const handler = guarded[0]?.field("handler");
  if (guarded.length !== 1 || !handler) return false;
  if (handler.find({ rule: { kind: "throw_statement" } }) !== null) return false;
  const risky = { rule: { any: [{ kind: "await_expression" }, { kind: "throw_statement" }] } };
  return statements.every((one) => one.kind() === "try_statement" || one.find(risky) === null);
}

/** A function that loops for ever cannot be waited for; it is started and left to itself. */
function neverEnds(made: Node): boolean {
  const last = made
    .field("body")
    ?.namedChildren()
    .findLast((one) => one.kind() !== "comment");
  const isEndless =
    last?.kind() === "while_statement" &&
    /^\(\s*(?:true|1)\s*\)$/.test(last.field("condition")?.text().slice(0, 20) ?? "");
  const ways = { rule: { any: [{ kind: "break_statement" }, { kind: "return_statement" }] } };
  return isEndless && last?.find(ways) === null;
}

function pythonFunctions(root: Node): Collected {
  const collected: Collected = { named: new Map(), methods: new Map() };
  const taken = new Set<number>();
  // A decorator can turn a coroutine function into anything.
  for (const node of allOf(root, ["decorated_definition"])) {
    for (const one of node.namedChildren()) taken.add(one.id());
  }
  for (const node of allOf(root, ["class_definition"])) {
    const block = node.field("body");
    if (!block) continue;
    const methods = block.namedChildren().filter((one) => one.kind() === "function_definition");
    for (const one of methods) taken.add(one.id());
    collected.methods.set(block.id(), byName(methods.filter(isCoroutine)));
  }
  const free = allOf(root, ["function_definition"]).filter((one) => !taken.has(one.id()));
  for (const node of free.filter(isCoroutine)) {
    collected.named.set(node.field("name")?.text() ?? "", node);
  }
  return collected;
}

const isCoroutine = (node: Node) =>
  isAsync(node) && node.find({ rule: { kind: "yield" } }) === null;

const PYTHON_BINDERS: Readonly<Record<string, readonly string[]>> = {
  function_definition: ["name"],
  class_definition: ["name"],
  assignment: ["left"],
  for_statement: ["left"],
  default_parameter: ["name"],
  parameters: [],
  pattern_list: [],
  dotted_name: [],
  aliased_import: ["alias"],
  as_pattern_target: [],
};

function pythonBindings(root: Node, { named }: Collected): Map<string, number> {
  if (named.size === 0) return new Map();
  const bound = allOf(root, Object.keys(PYTHON_BINDERS)).flatMap((binder) => {
    const fields = PYTHON_BINDERS[String(binder.kind())] ?? [];
    if (fields.length > 0) return fields.flatMap((field) => binder.field(field) ?? []);
    return binder.namedChildren();
  });
  return countNames(bound, named);
}
