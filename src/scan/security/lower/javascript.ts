import type { Definition, Entry, Expression, Member, Parameter, Statement } from "../program.ts";
import { calledBy, lowerArguments } from "./javascript-arguments.ts";
import { lowerKey, textOfString } from "./javascript-pattern.ts";
import type { Node, Tree } from "./tree.ts";

type Lowering = (node: Node, tree: Tree) => Expression;

/** A JavaScript or TypeScript expression in the engine's own form; what is unknown keeps its parts. */
export function lowerExpression(node: Node, tree: Tree): Expression {
  return (EXPRESSIONS[node.kind() as string] ?? lowerOther)(node, tree);
}

const lowerOther: Lowering = (node, tree) => ({
  kind: "other",
  parts: tree.named(node).map((child) => tree.expression(child)),
  at: tree.place(node),
});

const lowerInner: Lowering = (node, tree) => tree.inner(node);

const lowerName: Lowering = (node, tree) => ({
  kind: "name",
  name: tree.text(node),
  at: tree.place(node),
});

const lowerConstant: Lowering = (node, tree) => ({
  kind: "constant",
  value: tree.text(node),
  at: tree.place(node),
});

const lowerMember: Lowering = (node, tree) => ({
  kind: "member",
  object: tree.expression(node.field("object")),
  property: tree.text(node.field("property") ?? node),
  at: tree.place(node),
});

const lowerElement: Lowering = (node, tree) => {
  const object = tree.expression(node.field("object"));
  const index = tree.expression(node.field("index"));
  const at = tree.place(node);
  if (index.kind === "text") return { kind: "member", object, property: index.value, at };
  return { kind: "element", object, index, at };
};

const lowerCall: Lowering = (node, tree) => {
  const fresh = node.kind() === "new_expression";
  const callee = node.field(fresh ? "constructor" : "function");
  // In a chain over several lines, the call is where its own name stands.
  const name = callee?.field("property") ?? node;
  return {
    kind: "call",
    callee: calledBy(tree.expression(callee)),
    args: lowerArguments(node.field("arguments"), tree),
    fresh,
    at: { line: tree.place(name).line, endLine: tree.place(node).endLine },
  };
};

/** Long chains of one operator lean to the left; walking down keeps them from being deep. */
function leftSpine(node: Node, operator: string, tree: Tree): Node[] {
  const parts: Node[] = [];
  let current: Node | null = node;
  while (current?.kind() === "binary_expression" && operatorOf(current, tree) === operator) {
    const right: Node | null = current.field("right");
    if (right !== null) parts.push(right);
    current = current.field("left");
  }
  if (current !== null) parts.push(current);
  return parts.reverse();
}

const operatorOf = (node: Node, tree: Tree): string => {
  const operator = node.field("operator");
  return operator === null ? "" : tree.text(operator);
};

const CHOICES: Record<string, "and" | "or"> = { "&&": "and", "||": "or", "??": "or" };
const COMPARISONS = new Set(["==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"]);

const lowerBinary: Lowering = (node, tree) => {
  const operator = operatorOf(node, tree);
  const at = tree.place(node);
  const choice = CHOICES[operator];
  const parts = () => leftSpine(node, operator, tree).map((part) => tree.expression(part));
  if (operator === "+") return { kind: "joined", parts: parts(), at };
  if (choice) return { kind: "either", test: undefined, how: choice, options: parts(), at };
  if (!COMPARISONS.has(operator))
    return { kind: "arithmetic", parts: parts(), at, rest: operator === "%" };
  const how = operator.replace("===", "==").replace("!==", "!=");
  const left = tree.expression(node.field("left"));
  const right = tree.expression(node.field("right"));
  return { kind: "compare", how, left, right, at };
};

const lowerUnary: Lowering = (node, tree) => {
  const value = tree.expression(node.field("argument"));
  const at = tree.place(node);
  const operator = operatorOf(node, tree);
  if (operator === "!") return { kind: "not", value, at };
  if (operator === "typeof") return { kind: "typeof", value, at };
  // `~text.indexOf(part)` asks whether the part is there.
  if (operator === "~") return { kind: "other", parts: [value], at };
  return { kind: "arithmetic", parts: [value], at };
};

const lowerTernary: Lowering = (node, tree) => ({
  kind: "either",
  how: "pick",
  test: tree.expression(node.field("condition")),
  options: ["consequence", "alternative"].map((side) => tree.expression(node.field(side))),
  at: tree.place(node),
});

const lowerAssignment: Lowering = (node, tree) => ({
  kind: "assign",
  target: tree.pattern(node.field("left")),
  value: tree.expression(node.field("right")),
  adds: node.kind() === "augmented_assignment_expression",
  declares: false,
  at: tree.place(node),
});

const lowerTemplate: Lowering = (node, tree) => ({
  kind: "joined",
  parts: tree.named(node).map((part) => {
    if (part.kind() === "template_substitution") return lowerInner(part, tree);
    return { kind: "text", value: textOfString(part, tree), at: tree.place(part) };
  }),
  at: tree.place(node),
});

const lowerRecord: Lowering = (node, tree) => ({
  kind: "record",
  entries: tree.named(node).map((child) => lowerEntry(child, tree)),
  at: tree.place(node),
});

function lowerEntry(child: Node, tree: Tree): Entry {
  const kind = child.kind();
  if (kind === "pair")
    return { ...lowerKey(child.field("key"), tree), value: lowerValue(child, tree) };
  if (kind === "method_definition")
    return { ...lowerKey(child.field("name"), tree), value: lowerFunction(child, tree) };
  if (kind === "shorthand_property_identifier")
    return { key: tree.text(child), value: lowerName(child, tree) };
  return { value: tree.expression(child) };
}

const lowerValue: Lowering = (pair, tree) => tree.expression(pair.field("value"));

const lowerFunction: Lowering = (node, tree) => ({
  kind: "function",
  definition: lowerDefinition(node, tree),
  at: tree.place(node),
});

/** A function of any spelling: declaration, expression, arrow, method. */
export function lowerDefinition(node: Node, tree: Tree): Definition {
  const name = node.field("name");
  const single = node.field("parameter");
  const list = node.field("parameters");
  const parameters = single ? [single] : list ? tree.named(list) : [];
  return {
    name: name === null ? "" : textOfString(name, tree),
    parameters: parameters.map((parameter) => lowerParameter(parameter, tree)),
    body: lowerBody(node.field("body"), tree),
    at: tree.place(node),
    route: false,
  };
}

function lowerBody(body: Node | null, tree: Tree): Statement[] {
  if (body === null) return [];
  if (body.kind() === "statement_block") return tree.statements(tree.named(body));
  const value = tree.expression(body);
  return [{ kind: "return", value, at: value.at }];
}

const HARMLESS_TYPE = /^:\s*(?:number|boolean|bigint|["'][^"']*["'](?:\s*\|\s*["'][^"']*["'])*)$/;

function lowerParameter(node: Node, tree: Tree): Parameter {
  const wrapped = node.kind() === "required_parameter" || node.kind() === "optional_parameter";
  const inner = (wrapped ? node.field("pattern") : null) ?? node;
  const type = wrapped ? node.field("type") : null;
  const { target, fallback } = partsOfParameter(inner, tree);
  const given = fallback ?? (wrapped ? node.field("value") : null);
  return {
    target: tree.pattern(target),
    rest: inner.kind() === "rest_pattern",
    fallback: given === null ? undefined : tree.expression(given),
    harmless: type !== null && HARMLESS_TYPE.test(tree.text(type).slice(0, 200)),
  };
}

function partsOfParameter(node: Node, tree: Tree): { target?: Node | null; fallback: Node | null } {
  if (node.kind() === "assignment_pattern")
    return { target: node.field("left"), fallback: node.field("right") };
  const target = node.kind() === "rest_pattern" ? (tree.named(node)[0] ?? null) : node;
  return { target, fallback: null };
}

const lowerClass: Lowering = (node, tree) => {
  const body = node.field("body");
  const name = node.field("name");
  const members: Member[] = [];
  for (const child of body === null ? [] : tree.named(body)) {
    const value = child.field("value");
    const key = textOfString(child.field("name") ?? child.field("property") ?? child, tree);
    if (child.kind() === "method_definition")
      members.push({ name: key, value: lowerFunction(child, tree) });
    else if (value !== null) members.push({ name: key, value: tree.expression(value) });
  }
  return {
    kind: "class",
    name: name === null ? "" : tree.text(name),
    members,
    at: tree.place(node),
  };
};

/** `<div dangerouslySetInnerHTML={…}>` becomes a record, so that rules see attributes as entries. */
const lowerAttribute: Lowering = (node, tree) => {
  const [name, value] = tree.named(node);
  const at = tree.place(node);
  const key = name === undefined ? "" : tree.text(name);
  const entry = { key, value: tree.expression(value) };
  return { kind: "record", entries: [entry], at };
};

const lowerPatternLiteral: Lowering = (node, tree) => ({
  kind: "pattern",
  source: tree.text(node.field("pattern") ?? node),
  flags: node.field("flags") === null ? "" : tree.text(node.field("flags") ?? node),
  at: tree.place(node),
});

const lowerList: Lowering = (node, tree) => ({
  kind: "list",
  items: tree.named(node).map((item) => tree.expression(item)),
  at: tree.place(node),
});

const lowerString: Lowering = (node, tree) => ({
  kind: "text",
  value: textOfString(node, tree),
  at: tree.place(node),
});

const EXPRESSIONS: Record<string, Lowering> = {
  identifier: lowerName,
  this: lowerName,
  super: lowerName,
  import: lowerName,
  undefined: lowerConstant,
  null: lowerConstant,
  true: lowerConstant,
  false: lowerConstant,
  number: lowerConstant,
  string: lowerString,
  template_string: lowerTemplate,
  regex: lowerPatternLiteral,
  member_expression: lowerMember,
  subscript_expression: lowerElement,
  call_expression: lowerCall,
  new_expression: lowerCall,
  binary_expression: lowerBinary,
  unary_expression: lowerUnary,
  update_expression: (node, tree) => ({ kind: "arithmetic", parts: [], at: tree.place(node) }),
  ternary_expression: lowerTernary,
  assignment_expression: lowerAssignment,
  augmented_assignment_expression: lowerAssignment,
  parenthesized_expression: lowerInner,
  await_expression: lowerInner,
  yield_expression: lowerInner,
  as_expression: lowerInner,
  satisfies_expression: lowerInner,
  non_null_expression: lowerInner,
  type_assertion: (node, tree) => tree.expression(tree.named(node).at(-1)),
  spread_element: (node, tree) => ({
    kind: "spread",
    value: lowerInner(node, tree),
    at: tree.place(node),
  }),
  sequence_expression: lowerOther,
  array: lowerList,
  object: lowerRecord,
  function_expression: lowerFunction,
  function: lowerFunction,
  arrow_function: lowerFunction,
  generator_function: lowerFunction,
  class: lowerClass,
  class_declaration: lowerClass,
  abstract_class_declaration: lowerClass,
  jsx_attribute: lowerAttribute,
};
