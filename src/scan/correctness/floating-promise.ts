import type { Node } from "../syntax/index.ts";
import { isAsync } from "./async-functions.ts";
import { isAlwaysDropped } from "./dropped-calls.ts";
import type { Fault, Rule } from "./rule.ts";
import { isKind, parts, type SourceView } from "./source-view.ts";

const FUNCTIONS = [
  "function_declaration",
  "function_expression",
  "arrow_function",
  "method_definition",
  "generator_function",
  "generator_function_declaration",
];
const PROMISE_MAKERS = /^Promise\.(?:all|allSettled|any|race|reject)$/;

/** A promise that nobody waits for: what comes next runs before it, and its failure is nobody's. */
export const floatingPromise: Rule = {
  kinds: ["expression_statement"],
  where: { has: { any: [{ kind: "call_expression" }, { kind: "new_expression" }] } },
  check: (statement, view) => {
    const [call] = parts(statement);
    if (!call) return [];
    const own = call.kind() === "call_expression" ? ownCall(call, view) : undefined;
    const what = own ?? otherPromise(call, view);
    if (what === undefined) return asyncCallback(call, statement);
    const fault = floating(call, statement, what);
    const isMeant = own !== undefined && fault.priority === "P2" && isAlwaysDropped(call, view);
    return [isMeant ? { ...fault, priority: "P3" } : fault];
  },
};

const ownCall = (call: Node, view: SourceView) => namedCall(call, view) ?? ownMethod(call, view);

function otherPromise(call: Node, view: SourceView): string | undefined {
  if (call.kind() === "new_expression") return newPromise(call);
  return call.kind() === "call_expression" ? knownCall(call, view) : undefined;
}

function floating(at: Node, statement: Node, what: string): Fault {
  // Where the function could have waited, the missing word is a slip; elsewhere it may be meant.
  const couldWait = enclosingFunction(statement, isAsync);
  return {
    at,
    priority: couldWait ? "P2" : "P3",
    category: "floating-promise",
    title: `Nobody waits for ${what}`.slice(0, 200),
    issue: `${what} gives a promise, and nothing takes it. The next line runs before it is done, and if it fails, the process ends or nobody hears of it.`,
    fix: "Await it, return it, or catch its error; write `void` before it where that is meant.",
  };
}

/** Whether the nearest function around a node is of a kind; false outside of all functions. */
function enclosingFunction(node: Node, is: (made: Node) => boolean): boolean {
  for (let one = node.parent(); one; one = one.parent()) {
    if (FUNCTIONS.includes(String(one.kind()))) return is(one);
  }
  return false;
}

function newPromise(call: Node): string | undefined {
  return call.field("constructor")?.text() === "Promise" ? "`new Promise(…)`" : undefined;
}

function namedCall(call: Node, view: SourceView): string | undefined {
  const callee = call.field("function");
  if (!isKind(callee, "identifier")) return undefined;
  const name = callee?.text() ?? "";
  if (!view.asyncFunctions.named.has(name)) return undefined;
  // A script's last line that starts its main function is how scripts are written.
  const isTop = call.parent()?.parent()?.kind() === "program";
  return isTop ? undefined : `the async function \`${name}\``;
}

/** The async method of the same class that `this.name` means here, if it is one. */
function ownMethod(call: Node, view: SourceView): string | undefined {
  const callee = call.field("function");
  if (!isKind(callee, "member_expression") || callee?.field("object")?.kind() !== "this") {
    return undefined;
  }
  const name = callee.field("property")?.text() ?? "";
  const { methods } = view.asyncFunctions;
  if (![...methods.values()].some((one) => one.has(name))) return undefined;
  for (let one = call.parent(); one; one = one.parent()) {
    if (isKind(one, "function_declaration", "function_expression")) return undefined;
    if (one.kind() !== "class_body") continue;
    return methods.get(one.id())?.has(name) ? `the async method \`${name}\`` : undefined;
  }
  return undefined;
}

function knownCall(call: Node, view: SourceView): string | undefined {
  const name = view.shortText(call.field("function")) ?? "";
  const { modules, functions } = view.filePromises;
  const isKnown =
    PROMISE_MAKERS.test(name) ||
    /^fs\.promises\.[a-z]\w*$/.test(name) ||
    functions.has(name) ||
    (name === "fetch" && !view.hasOwnFetch) ||
    (/^[\w$]{1,60}\.[a-z]\w*$/.test(name) && modules.has(name.split(".", 1)[0] ?? ""));
  return isKnown ? `\`${name}\`` : undefined;
}

/** `forEach` and a dropped `map` throw away the promises of an async callback. */
function asyncCallback(call: Node, statement: Node): Fault[] {
  if (call.kind() !== "call_expression") return [];
  const callee = call.field("function");
  const method = callee?.field("property")?.text() ?? "";
  if (!isKind(callee, "member_expression") || !/^(?:forEach|map)$/.test(method)) return [];
  const [callback] = parts(call.field("arguments") ?? call);
  if (!callback || !isKind(callback, "arrow_function", "function_expression")) return [];
  if (!isAsync(callback)) return [];
  return [
    {
      ...floating(call, statement, `what the async callback of \`${method}\` does`),
      issue: `\`${method}\` starts the async callback for every item and drops the promises. What follows runs before any of them is done, and no failure reaches it.`,
      fix: "Use `for … of` with `await`, or `await Promise.all(items.map(…))`.",
    },
  ];
}
