import type { Node } from "../syntax/index.ts";
import type { Fault, Rule } from "./rule.ts";
import { callsMethod, holds, isKind, parts, type SourceView } from "./source-view.ts";

/** Tidying up may fail without anybody caring; nothing is lost that was wanted. */
const TIDYING =
  /(?:^|\.)#?_?(?:kill|rm|stop|(?:end|close|destroy|abort|cancel|dispose|disconnect|clean|terminate|unlink|rmSync|rmdir|remove|delete|release|unref|unlock|shutdown|unsubscribe|uninstall|teardown|rollback|flush)\w{0,40})$/i;

/** An empty `catch` that nobody explains. */
export const emptyCatch: Rule = {
  kinds: ["catch_clause"],
  check: (node, view) => {
    const body = node.field("body");
    if (view.isTest || !body || parts(body).length > 0 || view.isExplained(node)) return [];
    // A name such as `ignored` says at least that somebody thought of it.
    if (/^(?:_|ign|unused|noop)/i.test(node.field("parameter")?.text() ?? "")) return [];
    const guarded = node.parent()?.field("body");
    if (guarded && hasFallback(guarded, view)) return [];
    return [swallowed(node, "This catch hides every error", "P3")];
  },
};

/** `.catch(() => {})` behind a call, which nobody explains. */
export const emptyRejection: Rule = {
  kinds: ["call_expression"],
  where: callsMethod("^catch$"),
  check: (node, view) => {
    const callee = node.field("function");
    if (callee?.field("property")?.text() !== "catch") return [];
    const handlers = parts(node.field("arguments") ?? node);
    const body = handlers[0]?.field("body");
    const isEmpty = isKind(body, "statement_block") && body && parts(body).length === 0;
    const promise = callee.field("object");
    // On a promise that has a name, it only says that the error is dealt with elsewhere.
    if (handlers.length !== 1 || !isEmpty || !isKind(promise, "call_expression")) return [];
    if (view.isTest) return [];
    const made = view.shortText(promise?.field("function")) ?? "";
    if (TIDYING.test(made) || view.isExplained(node)) return [];
    // Where the value is used, nothing is what stands for the failure.
    const user = node.parent();
    const taker = isKind(user, "await_expression") ? user?.parent() : user;
    if (!isKind(taker, "expression_statement")) return [];
    return [swallowed(node, "Every failure of this promise is dropped", "P3")];
  },
};

/** `except: pass` and `except Exception: pass` that nobody explains. */
export const emptyExcept: Rule = {
  kinds: ["except_clause"],
  check: (node, view) => {
    const inner = parts(node);
    const block = inner.find((one) => one.kind() === "block");
    const caught = inner.find((one) => one.kind() !== "block");
    const body = block ? parts(block) : [];
    const isEmpty = body.length > 0 && body.every((one) => isEmptyStatement(one));
    if (!isEmpty || view.isTest || !isBroad(caught, view) || view.isExplained(node)) return [];
    const guarded = node.parent()?.field("body");
    if (guarded && hasFallback(guarded, view)) return [];
    return [swallowed(node, "This except hides every error", "P3")];
  },
};

function isEmptyStatement(node: Node): boolean {
  return isKind(node, "pass_statement") || node.text() === "...";
}

function isBroad(caught: Node | undefined, view: SourceView): boolean {
  if (caught === undefined) return true;
  const text = view.shortText(caught) ?? "";
  return /^(?:Base)?Exception(?: as \w{1,60}|, \w{1,60})?$/.test(text);
}

/**
 * Whether the guarded code only tries something for which there is another way: it gives a value
 * back or keeps one, and what follows goes on without it. So does tidying up.
 */
function hasFallback(guarded: Node, view: SourceView): boolean {
  const last = parts(guarded).at(-1);
  if (!last || holds(guarded, "return_statement", "break_statement", "continue_statement")) {
    return true;
  }
  if (isKind(last, "import_statement", "import_from_statement", "import_from")) return true;
  return isTrying(last, view);
}

function isTrying(statement: Node, view: SourceView): boolean {
  if (isKind(statement, "if_statement")) {
    const body = statement.field("consequence");
    const last = isKind(body, "statement_block", "block") && body ? parts(body).at(-1) : body;
    return last !== null && last !== undefined && isKept(last);
  }
  if (isKind(statement, "lexical_declaration", "variable_declaration")) return true;
  if (!isKind(statement, "expression_statement")) return false;
  const [value] = parts(statement);
  // Waiting for an end, however it ends.
  if (isKind(value, "await_expression", "await")) return true;
  if (isKind(value, "assignment_expression", "assignment", "unary_expression")) return true;
  if (!isKind(value, "call_expression", "call")) return false;
  const name = view.shortText(value?.field("function")) ?? "";
  return name === "require" || name === "Object.defineProperty" || TIDYING.test(name);
}

/** Whether a statement only keeps a value. */
function isKept(statement: Node): boolean {
  const [value] = parts(statement);
  return (
    isKind(statement, "expression_statement") &&
    isKind(value, "assignment_expression", "assignment")
  );
}

function swallowed(at: Node, title: string, priority: Fault["priority"]): Fault {
  return {
    at,
    priority,
    category: "swallowed-error",
    title,
    issue:
      "Whatever goes wrong here leaves no trace: not the errors that were expected, and not the others.",
    fix: "Catch only what is expected, handle or report the rest, or say in a comment why nothing needs to be done.",
  };
}
