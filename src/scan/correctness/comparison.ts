import type { Node } from "../syntax/index.ts";
import { isPure } from "./repeated-condition.ts";
import type { Fault, Rule } from "./rule.ts";
import { isKind, parts, type SourceView } from "./source-view.ts";

const TYPES = new Set([
  "undefined",
  "object",
  "boolean",
  "number",
  "bigint",
  "string",
  "symbol",
  "function",
]);
const EQUALITY = /^[=!]==?$/;
const ORDER = /^[<>]=?$/;
const OR_EQUAL = /^[<>]=$/;
const LOGIC = /^(?:&&|\|\||\?\?)$/;

/** Comparisons whose outcome is fixed, whatever the values are. */
export const comparison: Rule = {
  kinds: ["binary_expression"],
  check: (node, view) => {
    const how = node.field("operator")?.text() ?? "";
    const left = node.field("left");
    const right = node.field("right");
    if (!left || !right) return [];
    if (EQUALITY.test(how) || ORDER.test(how)) {
      if ([left, right].some((one) => /^(?:Number\.)?NaN$/.test(view.shortText(one) ?? ""))) {
        return [nan(node, "Number.isNaN(…)")];
      }
    }
    if (EQUALITY.test(how)) {
      const misspelt = wrongType(left, right) ?? wrongType(right, left);
      if (misspelt !== undefined) return [typeName(node, misspelt)];
    }
    return withItself(node, how, [left, right], view);
  },
};

function withItself(
  node: Node,
  how: string,
  [left, right]: readonly [Node, Node],
  view: SourceView,
): Fault[] {
  if (!EQUALITY.test(how) && !ORDER.test(how) && !LOGIC.test(how)) return [];
  // `x !== x` and `x >= x` are how one asked for NaN before there was a function for it.
  const asksForNan = EQUALITY.test(how) || OR_EQUAL.test(how);
  if (asksForNan && !isKind(left, "member_expression")) return [];
  if (isKind(left, "number", "string", "true", "false")) return [];
  const text = view.shortText(left);
  if (text === undefined || text !== view.shortText(right) || !isPure(left, view)) return [];
  return [same(node, how, EQUALITY.test(how) ? "P3" : "P2")];
}

/** What a `typeof` is compared with, where no value has that type. */
function wrongType(side: Node, other: Node): string | undefined {
  if (side.kind() !== "unary_expression" || side.field("operator")?.text() !== "typeof") {
    return undefined;
  }
  if (other.kind() !== "string") return undefined;
  const name = other.text().slice(1, -1);
  // Old browsers had a type of their own for what was not theirs.
  return TYPES.has(name) || name === "unknown" ? undefined : name;
}

/** The same faults in Python, and `is` with a literal. */
export const comparisonPython: Rule = {
  kinds: ["comparison_operator"],
  check: (node, view) => {
    const sides = parts(node);
    const operators = node
      .children()
      .filter((one) => !one.isNamed() || isKind(one, "is not", "not in"))
      .map((one) => String(one.kind()));
    const [left, right] = sides;
    if (sides.length !== 2 || !left || !right) return [];
    const how = operators.join(" ");
    if (how === "is" || how === "is not") {
      const literal = sides.find((one) => isKind(one, "string", "integer", "float", "list"));
      return literal ? [identity(node, how)] : [];
    }
    if (!/^(?:[=!]=|[<>]=?)$/.test(how)) return [];
    const isNan = /^(?:math\.nan|np\.nan|numpy\.nan|float\(["']nan["']\))$/i;
    if (sides.some((one) => isNan.test(view.shortText(one) ?? ""))) {
      return [nan(node, "math.isnan(…)")];
    }
    if (isKind(left, "integer", "float", "string") || /^[=!<>]=$/.test(how)) return [];
    const text = view.shortText(left);
    const isSame = text !== undefined && text === view.shortText(right) && isPure(left, view);
    return isSame ? [same(node, how, "P2")] : [];
  },
};

function same(at: Node, how: string, priority: Fault["priority"]): Fault {
  return {
    at,
    priority,
    category: "fixed-comparison",
    title: `Both sides of \`${how}\` are the same`,
    issue: "The outcome does not depend on the value; one side was probably meant to be another.",
    fix: "Name what was meant on one of the sides, or remove the comparison.",
  };
}

function nan(at: Node, instead: string): Fault {
  return {
    at,
    priority: "P2",
    category: "fixed-comparison",
    title: "Nothing is equal to NaN, not even NaN",
    issue: "The outcome of this comparison is always the same.",
    fix: `Ask with \`${instead}\`.`,
  };
}

function typeName(at: Node, name: string): Fault {
  return {
    at,
    priority: "P2",
    category: "fixed-comparison",
    title: `No value has the type "${name}"`.slice(0, 200),
    issue: "`typeof` gives one of eight words, and this is none of them.",
    fix: "Correct the word.",
  };
}

function identity(at: Node, how: string): Fault {
  return {
    at,
    priority: "P2",
    category: "fixed-comparison",
    title: `\`${how}\` compares identity, not the value`,
    issue: "Whether two equal values are one object is the interpreter's own affair.",
    fix: `Use \`${how === "is" ? "==" : "!="}\`.`,
  };
}
