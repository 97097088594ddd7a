import type { Node } from "../syntax/index.ts";
import type { Fault, Rule } from "./rule.ts";
import { holds, isKind, parts, type SourceView } from "./source-view.ts";

const EFFECTS: Readonly<Record<SourceView["language"], readonly string[]>> = {
  javascript: [
    "assignment_expression",
    "augmented_assignment_expression",
    "update_expression",
    "await_expression",
    "yield_expression",
    "new_expression",
    "call_expression",
  ],
  python: ["call", "await", "yield", "named_expression"],
};
/** A chain of this length is a table; the quadratic look at it ends here. */
const CHAIN_MAX = 500;

/** Whether evaluating it twice gives the same: nothing in it acts or can answer differently. */
export function isPure(node: Node, { language }: SourceView): boolean {
  return !holds(node, ...EFFECTS[language]);
}

/** The same condition twice in one chain: the second branch never runs. */
export const repeatedCondition: Rule = {
  kinds: ["if_statement"],
  check: (node, view) => {
    if (view.chained.has(node.id())) return [];
    return repeats(chainOf(node, view), view, "condition");
  },
};

export const repeatedConditionPython: Rule = {
  kinds: ["if_statement"],
  check: (node, view) => {
    const tests = [node, ...parts(node).filter((one) => one.kind() === "elif_clause")];
    return repeats(
      tests.flatMap((one) => one.field("condition") ?? []),
      view,
      "condition",
    );
  },
};

/** The same value in two cases of one switch. */
export const repeatedCase: Rule = {
  kinds: ["switch_body"],
  check: (node, view) => {
    const cases = parts(node).flatMap((one) => one.field("value") ?? []);
    return repeats(cases, view, "case");
  },
};

function chainOf(first: Node, view: SourceView): Node[] {
  const tests: Node[] = [];
  let one: Node | null | undefined = first;
  while (isKind(one, "if_statement") && tests.length < CHAIN_MAX) {
    const test: Node | null | undefined = one?.field("condition");
    if (test) tests.push(test);
    const otherwise: Node | null | undefined = one?.field("alternative");
    one = otherwise ? parts(otherwise)[0] : undefined;
    if (one) view.chained.add(one.id());
  }
  return tests;
}

function repeats(tests: readonly Node[], view: SourceView, what: string): Fault[] {
  const seen = new Map<string, Node>();
  const found: Fault[] = [];
  for (const test of tests) {
    const text = view.shortText(test);
    const first = text === undefined ? undefined : seen.get(text);
    if (text !== undefined && first === undefined) seen.set(text, test);
    if (!first || !isPure(test, view)) continue;
    found.push({
      at: test,
      also: first,
      priority: "P2",
      category: "repeated-condition",
      title: `The same ${what} was asked before, so this branch never runs`,
      issue: `Line ${first.range().start.line + 1} has the very same ${what}; whatever fits it never comes here.`,
      fix: `Remove the branch, or write the ${what} that was meant.`,
    });
  }
  return found;
}
