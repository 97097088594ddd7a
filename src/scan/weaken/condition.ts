import type { Node } from "../syntax/index.ts";
import { kindOf, partsOf, type Reading } from "./reading.ts";
import { isManner, mannerOf, strengthOf } from "./strength.ts";
import type { Assertion } from "./test-case.ts";

/** An assertion before it is known where it stands. */
export type Demand = Omit<Assertion, "line" | "normal" | "text" | "hold" | "times">;

const COMPARISONS: ReadonlySet<string> = new Set(["binary_expression", "comparison_operator"]);
const COMPARING = /^(?:===?|!==?|[<>]=?|is|is not|in|not in|instanceof)$/;

/** What a way to examine demands of a subject. */
export function demandOf(
  name: string,
  subject: string,
  given: readonly string[],
  isTurned = false,
): Demand {
  const manner = mannerOf(name);
  const expected = (manner.expected ?? given).map(sameName);
  const isNegated = (manner.isNegated ?? false) !== isTurned;
  const strength = strengthOf(manner, subject, expected, isNegated);
  return { subject, family: manner.family, isNegated, expected, strength };
}

/** Python and JavaScript call the same values by different names. */
function sameName(text: string): string {
  return text === "None" ? "null" : text === "True" ? "true" : text === "False" ? "false" : text;
}

/** What a condition demands that has to be true (or, turned, false): `a === b`, `not x`, `isinstance(x, A)`. */
export function conditionDemands(node: Node, reading: Reading, isTurned = false): Demand[] {
  const inner = bare(node);
  const kind = kindOf(inner);
  if (isNot(inner, kind)) {
    const negated = partsOf(inner).at(-1);
    return negated ? conditionDemands(negated, reading, !isTurned) : [];
  }
  if (!isTurned && isBoth(inner, kind)) {
    return partsOf(inner).flatMap((one) => conditionDemands(one, reading));
  }
  if (kind === "tuple" && partsOf(inner).length > 0) {
    // A tuple that holds something is true, whatever it holds.
    return [{ ...demandOf("truthy", reading.normal(inner), []), strength: 0 }];
  }
  return [
    comparison(inner, kind, reading, isTurned) ??
      callDemand(inner, reading, isTurned) ??
      demandOf(isTurned ? "falsy" : "truthy", reading.normal(inner), []),
  ];
}

function bare(node: Node): Node {
  let inner = node;
  while (kindOf(inner) === "parenthesized_expression") {
    const [next] = partsOf(inner);
    if (next === undefined) break;
    inner = next;
  }
  return inner;
}

function isNot(node: Node, kind: string): boolean {
  return (
    kind === "not_operator" ||
    (kind === "unary_expression" && node.field("operator")?.text() === "!")
  );
}

function isBoth(node: Node, kind: string): boolean {
  if (kind !== "binary_expression" && kind !== "boolean_operator") return false;
  return /^(?:&&|and)$/.test(node.field("operator")?.text() ?? "");
}

function comparison(
  node: Node,
  kind: string,
  reading: Reading,
  isTurned: boolean,
): Demand | undefined {
  if (!COMPARISONS.has(kind)) return undefined;
  const parts = partsOf(node);
  const [left, right] = parts;
  const operator = node
    .children()
    .filter((one) => !one.isNamed())
    .map((one) => one.text())
    .join(" ");
  if (parts.length !== 2 || !left || !right || !COMPARING.test(operator)) return undefined;
  const [subject, expected] = [reading.normal(left), reading.normal(right)];
  if (/^is not$|^!==?$/.test(operator) && /^(?:None|null|undefined)$/.test(expected)) {
    return demandOf(isTurned ? "null" : "exists", subject, []);
  }
  // `a in b` examines b.
  if (operator === "in") return demandOf("in", expected, [subject], isTurned);
  if (operator === "not in") return demandOf("in", expected, [subject], !isTurned);
  if (operator === "is not") return demandOf("is", subject, [expected], !isTurned);
  if (/\b(?:approx|isclose) \(/.test(expected)) {
    return demandOf("approx", subject, splitApprox(expected), isTurned);
  }
  return demandOf(operator, subject, [expected], isTurned);
}

/** `pytest.approx(0.3, abs=0.1)` as its arguments. */
function splitApprox(text: string): string[] {
  const inner = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
  return inner.split(" , ").map((one) => one.trim());
}

/** A question that is asked by a call: `isinstance(x, A)`, `x.includes(y)`, `mock.called`. */
function callDemand(node: Node, reading: Reading, isTurned: boolean): Demand | undefined {
  if (!/^call(?:_expression)?$/.test(kindOf(node))) return undefined;
  const callee = node.field("function");
  const args = partsOf(node.field("arguments")).map((one) => reading.normal(one));
  const name = callee?.field("property")?.text() ?? callee?.field("attribute")?.text();
  const object = callee?.field("object");
  if (name !== undefined && object && isManner(name) && /^includes?$/i.test(name)) {
    return demandOf("contains", reading.normal(object), args, isTurned);
  }
  if (callee?.text() === "isinstance")
    return demandOf("isinstance", args[0] ?? "", args.slice(1), isTurned);
  return undefined;
}
