import type { Definition, Entry, Expression, Member, Parameter } from "../program.ts";
import type { Node, Tree } from "./tree.ts";

type Lowering = (node: Node, tree: Tree) => Expression;

/** A Python expression in the engine's own form; what is unknown keeps its parts. */
export function lowerPythonExpression(node: Node, tree: Tree): Expression {
  return (EXPRESSIONS[node.kind() as string] ?? lowerOther)(node, tree);
}

/** The left side of an assignment: names, members, elements, or several of them. */
export function lowerPythonPattern(node: Node, tree: Tree): Expression {
  const kind = node.kind();
  const at = tree.place(node);
  if (kind === "pattern_list" || kind === "tuple_pattern" || kind === "list_pattern")
    return { kind: "list", items: tree.named(node).map((item) => tree.pattern(item)), at };
  if (kind === "list_splat_pattern" || kind === "dictionary_splat_pattern")
    return { kind: "spread", value: tree.pattern(tree.named(node)[0]), at };
  if (kind === "as_pattern_target") return tree.pattern(tree.named(node)[0]);
  return tree.expression(node);
}

const parts = (node: Node, tree: Tree) => tree.named(node).map((child) => tree.expression(child));

const lowerOther: Lowering = (node, tree) => ({
  kind: "other",
  parts: parts(node, tree),
  at: tree.place(node),
});

const lowerInner: Lowering = (node, tree) => tree.inner(node);

const lowerConstant: Lowering = (node, tree) => ({
  kind: "constant",
  value: tree.text(node),
  at: tree.place(node),
});

/** A plain string is a constant text, an f-string is joined from its parts. */
const lowerString: Lowering = (node, tree) => {
  const at = tree.place(node);
  const pieces = tree
    .named(node)
    .filter((part) => part.kind() !== "string_start" && part.kind() !== "string_end");
  const lowered = pieces.map<Expression>((part) =>
    part.kind() === "interpolation"
      ? tree.inner(part)
      : { kind: "text", value: tree.text(part), at },
  );
  if (lowered.every((part) => part.kind === "text"))
    return { kind: "text", value: lowered.map((part) => textOf(part)).join(""), at };
  return { kind: "joined", parts: lowered, at };
};

const textOf = (part: Expression) => (part.kind === "text" ? part.value : "");

const lowerBinary: Lowering = (node, tree) => {
  const at = tree.place(node);
  const operator = tree.text(node.field("operator") ?? node);
  const left = tree.expression(node.field("left"));
  const right = tree.expression(node.field("right"));
  const isFormat = operator === "%" && (left.kind === "text" || left.kind === "joined");
  if (operator === "+" || operator === "/" || isFormat)
    return {
      kind: "joined",
      parts: [left, ...(right.kind === "list" ? right.items : [right])],
      at,
    };
  return { kind: "arithmetic", parts: [left, right], at };
};

const lowerComparison: Lowering = (node, tree) => {
  const at = tree.place(node);
  const [left, right] = tree.named(node);
  const word = node.children().find((child) => !child.isNamed());
  const how = word === undefined ? "==" : tree.text(word);
  const compared: Expression = {
    kind: "compare",
    how: how.replace("not ", "").replace("is", "=="),
    left: tree.expression(left),
    right: tree.expression(right),
    at,
  };
  return how.includes("not") ? { kind: "not", value: compared, at } : compared;
};

const lowerChoice: Lowering = (node, tree) => ({
  kind: "either",
  how: tree.text(node.field("operator") ?? node) === "and" ? "and" : "or",
  test: undefined,
  options: [tree.expression(node.field("left")), tree.expression(node.field("right"))],
  at: tree.place(node),
});

const lowerTernary: Lowering = (node, tree) => {
  const [then, test, otherwise] = tree.named(node);
  return {
    kind: "either",
    how: "pick",
    test: tree.expression(test),
    options: [tree.expression(then), tree.expression(otherwise)],
    at: tree.place(node),
  };
};

const lowerCall: Lowering = (node, tree) => {
  const at = tree.place(node);
  const given = node.field("arguments");
  const list = given === null ? [] : given.kind() === "argument_list" ? tree.named(given) : [given];
  const named = list.filter((one) => one.kind() === "keyword_argument");
  const plain = list.filter((one) => one.kind() !== "keyword_argument");
  const entries: Entry[] = named.map((one) => ({
    key: tree.text(one.field("name") ?? one),
    value: tree.expression(one.field("value")),
  }));
  const options: Expression[] = entries.length === 0 ? [] : [{ kind: "record", entries, at }];
  return {
    kind: "call",
    callee: tree.expression(node.field("function")),
    args: [...plain.map((one) => tree.expression(one)), ...options],
    fresh: false,
    at,
  };
};

const lowerSubscript: Lowering = (node, tree) => {
  const object = tree.expression(node.field("value"));
  const index = tree.expression(node.field("subscript"));
  const at = tree.place(node);
  if (index.kind === "text") return { kind: "member", object, property: index.value, at };
  return { kind: "element", object, index, at };
};

const lowerDictionary: Lowering = (node, tree) => ({
  kind: "record",
  entries: tree.named(node).map((child) => {
    if (child.kind() !== "pair") return { value: tree.expression(child) };
    const key = tree.expression(child.field("key"));
    const value = tree.expression(child.field("value"));
    return key.kind === "text" ? { key: key.value, value } : { computed: key, value };
  }),
  at: tree.place(node),
});

const lowerComprehension: Lowering = (node, tree) => {
  const children = tree.named(node);
  const clause = children.find((child) => child.kind() === "for_in_clause");
  const tests = children.filter((child) => child.kind() === "if_clause");
  return {
    kind: "comprehension",
    target: tree.pattern(clause?.field("left")),
    over: tree.expression(clause?.field("right")),
    tests: tests.map((test) => tree.inner(test)),
    body: tree.expression(node.field("body")),
    at: tree.place(node),
  };
};

/** A function or lambda; the decorators of a route make its parameters request data. */
export function lowerPythonDefinition(node: Node, tree: Tree, route: boolean): Definition {
  const list = node.field("parameters");
  const name = node.field("name");
  const body = node.field("body");
  const isLambda = node.kind() === "lambda";
  const value = isLambda ? tree.expression(body) : undefined;
  return {
    name: name === null ? "" : tree.text(name),
    parameters: (list === null ? [] : tree.named(list)).map((one) => lowerParameter(one, tree)),
    body: value ? [{ kind: "return", value, at: value.at }] : tree.statement(body),
    at: tree.place(node),
    route,
  };
}

const HARMLESS_TYPE = /^(?:int|float|bool|complex)$/;

function lowerParameter(node: Node, tree: Tree): Parameter {
  const type = node.field("type");
  const fallback = node.field("value");
  const kind = node.kind() as string;
  const wraps = kind.includes("_parameter");
  const target = wraps ? (node.field("name") ?? tree.named(node)[0]) : node;
  const lowered = tree.pattern(target);
  return {
    target: lowered.kind === "spread" ? lowered.value : lowered,
    rest: lowered.kind === "spread",
    fallback: fallback === null ? undefined : tree.expression(fallback),
    harmless: type !== null && HARMLESS_TYPE.test(tree.text(type)),
  };
}

/** The methods and fields of a class body. */
export function lowerPythonClass(node: Node, tree: Tree): Expression {
  const members: Member[] = [];
  for (const statement of tree.statement(node.field("body"))) {
    const { at } = statement;
    if (statement.kind === "define") {
      const { definition } = statement;
      members.push({ name: definition.name, value: { kind: "function", definition, at } });
    } else if (statement.kind === "expression" && statement.value.kind === "assign") {
      const { target, value } = statement.value;
      if (target.kind === "name") members.push({ name: target.name, value });
    }
  }
  const name = node.field("name");
  return {
    kind: "class",
    name: name === null ? "" : tree.text(name),
    members,
    at: tree.place(node),
  };
}

const lowerLambda: Lowering = (node, tree) => ({
  kind: "function",
  definition: lowerPythonDefinition(node, tree, false),
  at: tree.place(node),
});

const lowerList: Lowering = (node, tree) => ({
  kind: "list",
  items: parts(node, tree),
  at: tree.place(node),
});

const lowerSpread: Lowering = (node, tree) => ({
  kind: "spread",
  value: tree.inner(node),
  at: tree.place(node),
});

const EXPRESSIONS: Record<string, Lowering> = {
  identifier: (node, tree) => ({ kind: "name", name: tree.text(node), at: tree.place(node) }),
  dotted_name: (node, tree) => ({ kind: "name", name: tree.text(node), at: tree.place(node) }),
  integer: lowerConstant,
  float: lowerConstant,
  true: lowerConstant,
  false: lowerConstant,
  none: lowerConstant,
  string: lowerString,
  concatenated_string: (node, tree) => ({
    kind: "joined",
    parts: parts(node, tree),
    at: tree.place(node),
  }),
  attribute: (node, tree) => ({
    kind: "member",
    object: tree.expression(node.field("object")),
    property: tree.text(node.field("attribute") ?? node),
    at: tree.place(node),
  }),
  subscript: lowerSubscript,
  call: lowerCall,
  binary_operator: lowerBinary,
  comparison_operator: lowerComparison,
  boolean_operator: lowerChoice,
  conditional_expression: lowerTernary,
  not_operator: (node, tree) => ({ kind: "not", value: tree.inner(node), at: tree.place(node) }),
  unary_operator: (node, tree) => ({
    kind: "arithmetic",
    parts: parts(node, tree),
    at: tree.place(node),
  }),
  parenthesized_expression: lowerInner,
  await: lowerInner,
  yield: lowerInner,
  list: lowerList,
  tuple: lowerList,
  set: lowerList,
  expression_list: lowerList,
  dictionary: lowerDictionary,
  list_splat: lowerSpread,
  dictionary_splat: lowerSpread,
  lambda: lowerLambda,
  list_comprehension: lowerComprehension,
  set_comprehension: lowerComprehension,
  generator_expression: lowerComprehension,
  named_expression: (node, tree) => ({
    kind: "assign",
    target: tree.pattern(node.field("name")),
    value: tree.expression(node.field("value")),
    adds: false,
    declares: true,
    at: tree.place(node),
  }),
};
