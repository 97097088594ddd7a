import type { Node } from "../syntax/index.ts";
import { conditionDemands, type Demand, demandOf } from "./condition.ts";
import { CHECKING, type Said } from "./javascript-assertion.ts";
import { kindOf, partsOf, type Reading } from "./reading.ts";
import { isManner } from "./strength.ts";

const RAISING =
  /(?:^|\.)(?:raises|warns|assertRaises|assertRaisesRegex|assertWarns|assertWarnsRegex|assertLogs|deprecated_call)$/;
/** What of an assertion's arguments is a message, by their number. */
const ONE_SUBJECT = /^assert(?:True|False|IsNone|IsNotNone|_)$/;

/** What a statement of a Python test demands, where it is an assertion. */
export function pythonSaid(
  node: Node,
  reading: Reading,
  helpers: ReadonlySet<string>,
): Said | undefined {
  const kind = kindOf(node);
  if (kind === "assert_statement") {
    const [condition] = partsOf(node);
    return condition && { demands: conditionDemands(condition, reading), inner: [condition] };
  }
  if (kind === "with_statement") return raised(node, reading);
  if (kind !== "call") return undefined;
  const args = partsOf(node.field("arguments"));
  const demand = callDemands(dottedName(node.field("function")), args, reading, helpers);
  return demand && { demands: demand, inner: args };
}

/** `with pytest.raises(ValueError, match="…"):` examines its block. */
function raised(node: Node, reading: Reading): Said | undefined {
  const block = node.field("body");
  const calls = withCalls(node).filter((call) => RAISING.test(dottedName(call.field("function"))));
  if (!block || calls.length === 0) return undefined;
  const subject = reading.normal(block);
  const demands = calls.map((call) => {
    const name = lastName(dottedName(call.field("function")));
    const args = partsOf(call.field("arguments")).map((one) => reading.normal(one));
    return demandOf(isManner(name) ? name : "raises", subject, errorArgs(args));
  });
  return { demands, inner: [block] };
}

/** The calls that a `with` statement enters. */
export function withCalls(node: Node): Node[] {
  const clause = partsOf(node).find((one) => kindOf(one) === "with_clause");
  return partsOf(clause).flatMap((item) => {
    const [value] = partsOf(item);
    const call = kindOf(value) === "as_pattern" ? partsOf(value)[0] : value;
    return call && kindOf(call) === "call" ? [call] : [];
  });
}

function errorArgs(args: readonly string[]): string[] {
  return args.filter((one) => !/^(?:msg|reason) =/.test(one));
}

function callDemands(
  name: string,
  args: readonly Node[],
  reading: Reading,
  helpers: ReadonlySet<string>,
): Demand[] | undefined {
  const last = lastName(name);
  const given = args.map((one) => reading.normal(one));
  if (/^(?:pytest|self)\.fail$/.test(name)) return [demandOf("fail", "", [])];
  if (RAISING.test(name)) return raisedByCall(given);
  if (/^assert/.test(last)) return assertDemands(name, last, args, reading);
  const isChecking = CHECKING.test(last) && /^(?:(?:self|cls)\.)?[^.]*$/.test(name);
  return isChecking || helpers.has(last) ? [demandOf(last, "", given)] : undefined;
}

/** Without a function to call, an expected error is entered by `with`, and read there. */
function raisedByCall([error = "", ...rest]: readonly string[]): Demand[] | undefined {
  if (rest.length === 0 || /^match =/.test(rest[0] ?? "")) return undefined;
  return [demandOf("raises", rest.join(" , "), [error])];
}

function assertDemands(
  name: string,
  last: string,
  args: readonly Node[],
  reading: Reading,
): Demand[] {
  const [first] = args;
  if (first && last === "assertTrue") return conditionDemands(first, reading);
  if (first && last === "assertFalse") return conditionDemands(first, reading, true);
  const given = args
    .map((one) => reading.normal(one))
    .filter((one) => !/^(?:msg|err_msg) =/.test(one));
  // `mock.assert_called_with(…)` examines the object before the dot.
  if (/^assert_(?:called|any_call|has_calls|not_called|awaited)/.test(last)) {
    return [demandOf(last, name.slice(0, -last.length - 1), given)];
  }
  if (last === "assertIn" || last === "assertNotIn") {
    return [demandOf(last, given[1] ?? "", given.slice(0, 1))];
  }
  return [isManner(last) ? compared(last, given) : demandOf(last, "", given)];
}

/** The first argument is examined; what follows what it is held against is a message. */
function compared(name: string, [subject = "", ...rest]: readonly string[]): Demand {
  const isClose = /Almost|allclose|almost/.test(name);
  const expected = ONE_SUBJECT.test(name) ? [] : rest.slice(0, isClose ? undefined : 1);
  return demandOf(name, subject, expected);
}

/** `a.b.c` of a name with its attributes; anything else between the dots is left out. */
export function dottedName(node: Node | null | undefined): string {
  const names: string[] = [];
  let at = node;
  for (let step = 0; at && step < 20; step += 1) {
    if (kindOf(at) === "identifier") {
      names.unshift(at.text());
      break;
    }
    if (kindOf(at) !== "attribute") break;
    names.unshift(at.field("attribute")?.text() ?? "");
    at = at.field("object");
  }
  return names.join(".");
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
