import type { Node } from "../syntax/index.ts";
import { isAsync } from "./async-functions.ts";
import type { Rule } from "./rule.ts";
import { callsMethod, isKind, parts, type SourceView } from "./source-view.ts";

const METHODS = "^(?:map|filter|flatMap|some|every|reduce|reduceRight)$";
const IS_METHOD = new RegExp(METHODS);
const FUNCTIONS = [
  "arrow_function",
  "function_expression",
  "function_declaration",
  "method_definition",
  "generator_function",
  "generator_function_declaration",
  "class_body",
];

/** A callback whose result is used and that gives none. */
export const missingReturn: Rule = {
  kinds: ["call_expression"],
  where: callsMethod(METHODS),
  check: (call, view) => {
    const method = call.field("function")?.field("property")?.text() ?? "";
    if (!IS_METHOD.test(method)) return [];
    const [callback] = parts(call.field("arguments") ?? call);
    if (!callback || !isKind(callback, "arrow_function", "function_expression")) return [];
    const body = callback.field("body");
    if (!body || !isKind(body, "statement_block") || isAsync(callback)) return [];
    const statements = parts(body);
    const last = statements.at(-1);
    if (!last || isEnd(last, view) || givesValue(body)) return [];
    if (isDropped(call) || isOfPromise(call)) return [];
    return [
      {
        at: call,
        priority: "P2",
        category: "missing-return",
        title: `The callback of \`${method}\` returns nothing, and its result is used`,
        issue: `Every item becomes \`undefined\`, because the braces make a body and no \`return\` stands in it.`,
        fix: "Return the value, or use `for … of` where only the effect is wanted.",
      },
    ];
  },
};

/** A callback that is to fail when it is called gives nothing, and need not. */
const FAILS =
  /^(?:assert(?:\.ok|\.equal|\.strictEqual|\.isTrue)?\(\s*(?:false|0)\b|(?:assert\.|expect\.|t\.|chai\.assert\.)?(?:fail|unreachable)\()/;

function isEnd(statement: Node, view: SourceView): boolean {
  // Only of a short one the text is taken: the last statement may be the rest of a nested file.
  return isKind(statement, "throw_statement") || FAILS.test(view.shortText(statement) ?? "");
}

const OF_PROMISES = /^(?:then|catch|finally|tap|spread|delay|timeout|asCallback)$/;

/** Some promises can map too: what is waited for then is that all was done, not what came of it. */
function isOfPromise(call: Node): boolean {
  const methodOf = (node: Node | null | undefined) =>
    isKind(node, "member_expression") ? (node?.field("property")?.text() ?? "") : "";
  const before = call.field("function")?.field("object");
  const made = isKind(before, "call_expression") ? methodOf(before?.field("function")) : "";
  return OF_PROMISES.test(made) || OF_PROMISES.test(methodOf(call.parent()));
}

/** Whether a function's own body has a `return` with a value. */
function givesValue(body: Node): boolean {
  const isOwn = (node: Node): boolean => {
    for (let one = node.parent(); one && one.id() !== body.id(); one = one.parent()) {
      if (isKind(one, ...FUNCTIONS)) return false;
    }
    return true;
  };
  return body
    .findAll({ rule: { kind: "return_statement" } })
    .some((one) => parts(one).length > 0 && isOwn(one));
}

/** Whether nothing can see the result: a statement, or the end of a chain of conditions. */
function isDropped(call: Node): boolean {
  let one = call.parent();
  while (isKind(one, "binary_expression", "ternary_expression", "parenthesized_expression")) {
    one = one?.parent() ?? null;
  }
  return isKind(one, "expression_statement", "arrow_function", "unary_expression");
}
