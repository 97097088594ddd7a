import type { Node } from "../syntax/index.ts";
import { conditionDemands, type Demand, demandOf } from "./condition.ts";
import { type Chain, chainOf, isFunction, type Link } from "./javascript-chain.ts";
import { kindOf, partsOf, type Reading } from "./reading.ts";
import { isManner } from "./strength.ts";

/** What a piece of code demands, what of it is to be read further, and whether a failure is heard. */
export interface Said {
  readonly demands: readonly Demand[];
  readonly inner: readonly Node[];
  readonly isDropped?: boolean;
}

/** Words of a chain that say nothing by themselves. */
const FILLING =
  /^(?:to|be|been|is|that|which|and|has|have|with|at|of|but|does|still|also|resolves|rejects|not|soft|poll|own|nested|eventually|should|assert|element)$/;
const COUNTING = /^(?:assertions|hasAssertions|unreachable|fail)$/;
const PROMISED = /^(?:then|catch|finally)$/;
/** Names by which people call functions that check something. */
export const CHECKING = /^(?:assert|expect|check|verify|ensure|should|must)(?:[A-Z_]|$)/;
/** Names that are enough without a word before them. */
const BARE_ASSERTS =
  /^(?:strictEqual|deepStrictEqual|deepEqual|notStrictEqual|notDeepStrictEqual|assert[A-Z]\w{0,60})$/;
/** What objects are called whose methods are assertions. */
const ASSERTING = /^(?:assert|t|tap|chai|sinon|qunit|QUnit|ctx|tt|st)$/;

/** What a call or member demands, where it is an assertion. */
export function javascriptSaid(
  node: Node,
  reading: Reading,
  helpers: ReadonlySet<string>,
): Said | undefined {
  const kind = kindOf(node);
  if (kind !== "call_expression" && kind !== "member_expression") return undefined;
  const chain = chainOf(node);
  const found = demandsOf(chain, kind, reading, helpers);
  if (found === undefined) return undefined;
  const inner = [...(chain.rootArgs ?? []), ...chain.links.flatMap(({ args }) => args ?? [])];
  return { demands: found, inner, isDropped: isDropped(node, chain) };
}

function demandsOf(
  chain: Chain,
  kind: string,
  reading: Reading,
  helpers: ReadonlySet<string>,
): Demand[] | undefined {
  const { root, rootArgs, links } = chain;
  const name = kindOf(root) === "identifier" ? root.text() : "";
  if (/^(?:expect|expectTypeOf|expectAsync)$/.test(name)) return expectDemands(chain, reading);
  if (links.some(isShould)) return should(chain, reading);
  if (kind !== "call_expression") return undefined;
  return rootArgs === undefined
    ? methodDemands(name, links, reading)
    : (sentDemands(links, reading) ?? bareDemands(name, rootArgs, reading, helpers));
}

/** `assert.equal(a, b)`, `t.is(a, b)`. */
function methodDemands(
  name: string,
  links: readonly Link[],
  reading: Reading,
): Demand[] | undefined {
  const last = links.filter((link) => !PROMISED.test(link.name)).at(-1);
  if (last?.args === undefined || !isAsserting(name, links, last))
    return sentDemands(links, reading);
  return assertDemands(last.name, last.args, reading);
}

/** `request(app).get("/").expect(200)`: each step demands something of the answer. */
function sentDemands(links: readonly Link[], reading: Reading): Demand[] | undefined {
  const said = links.filter((link) => link.name === "expect" && link.args !== undefined);
  return said.length === 0 ? undefined : said.map(({ args }) => own("expect", args ?? [], reading));
}

/** `assert(x)`, `deepStrictEqual(a, b)`, `expectSquare(4)`. */
function bareDemands(
  name: string,
  args: readonly Node[],
  reading: Reading,
  helpers: ReadonlySet<string>,
): Demand[] | undefined {
  if (name === "assert" || BARE_ASSERTS.test(name)) return assertDemands(name, args, reading);
  const isOwn = name !== "" && (CHECKING.test(name) || helpers.has(name));
  return isOwn ? [own(name, args, reading)] : undefined;
}

const isShould = ({ name }: Link): boolean => name === "should";

function isAsserting(name: string, links: readonly Link[], last: Link): boolean {
  if (name === "assert" || links.slice(0, -1).some((link) => link.name === "assert")) return true;
  return ASSERTING.test(name) && isManner(last.name);
}

/** A check that somebody wrote, with all that it is given. */
function own(name: string, args: readonly Node[], reading: Reading): Demand {
  return demandOf(
    name,
    "",
    args.map((one) => reading.normal(one)),
  );
}

function expectDemands({ rootArgs, links }: Chain, reading: Reading): Demand[] | undefined {
  const settled = links.filter(({ name }) => !PROMISED.test(name));
  const names = settled.map(({ name }) => name);
  const subjects = rootArgs ?? settled.find(({ name }) => /^(?:soft|poll)$/.test(name))?.args;
  const matcher = names.filter((name) => !FILLING.test(name)).join(".");
  if (matcher === "") return rootArgs === undefined ? undefined : [];
  const args = settled.at(-1)?.args ?? [];
  const expected = args.map((one) => reading.normal(one));
  if (subjects === undefined) {
    // Others, such as `expect.anything()`, are values and demand nothing by themselves.
    return COUNTING.test(matcher) ? [demandOf(matcher, "", expected)] : undefined;
  }
  const isNegated = names.filter((name) => name === "not").length % 2 === 1;
  const [subject] = subjects;
  const told = truthOf(matcher, expected);
  if (subject && told !== undefined && isCondition(subject)) {
    return conditionDemands(subject, reading, told === isNegated);
  }
  const examined = reading
    .normal(subject)
    .replace(/^(?:(?:async )?\( \) => )?(?:await )?/, (start) =>
      names.includes("poll") ? "" : start.replace("await ", ""),
    );
  const prefix = names.includes("rejects") ? "rejected " : "";
  return [demandOf(matcher, prefix + examined, expected, isNegated)];
}

/** Whether a matcher asks for true or false, and for which. */
function truthOf(matcher: string, expected: readonly string[]): boolean | undefined {
  if (/^(?:toBeTruthy|true|toBeTrue|ok)$/.test(matcher)) return true;
  if (/^(?:toBeFalsy|false|toBeFalse)$/.test(matcher)) return false;
  if (!/^(?:toBe|toEqual|toStrictEqual|equal|eql)$/.test(matcher)) return undefined;
  return expected[0] === "true" ? true : expected[0] === "false" ? false : undefined;
}

function isCondition(node: Node): boolean {
  const kind = kindOf(node);
  if (kind === "parenthesized_expression") return isCondition(partsOf(node)[0] ?? node);
  if (kind === "unary_expression") return node.field("operator")?.text() === "!";
  if (kind === "call_expression")
    return node.field("function")?.field("property")?.text() === "includes";
  return (
    kind === "binary_expression" && !/^(?:\|\||\?\?)$/.test(node.field("operator")?.text() ?? "")
  );
}

function should({ root, rootArgs, links }: Chain, reading: Reading): Demand[] {
  const at = links.findIndex(isShould);
  const after = links.slice(at + 1);
  const matcher = after
    .map(({ name }) => name)
    .filter((name) => !FILLING.test(name))
    .join(".");
  const before = links.slice(0, at).map(({ name }) => name);
  const given = (rootArgs ?? []).map((one) => reading.normal(one)).join(" , ");
  const subject = [`${reading.normal(root)} ${given}`, ...before].join(" . ");
  const expected = (after.at(-1)?.args ?? []).map((one) => reading.normal(one));
  return [
    demandOf(
      matcher,
      subject,
      expected,
      after.some(({ name }) => name === "not"),
    ),
  ];
}

/** `assert.equal(a, b, "message")`: the message demands nothing. */
function assertDemands(name: string, args: readonly Node[], reading: Reading): Demand[] {
  const [first, second, third] = args;
  if (first && /^(?:assert|ok|truthy|isTrue|isOk|assertExists)$/.test(name)) {
    return conditionDemands(first, reading);
  }
  if (first && /^(?:isFalse|notOk|falsy|false)$/.test(name)) {
    return conditionDemands(first, reading, true);
  }
  const isCompared =
    /equal|same|match|include|contain|close|above|below|least|most|like|regex/i.test(name);
  const takes = isCompared ? [second, /close/i.test(name) ? third : undefined] : args.slice(1);
  const expected = takes.flatMap((one) => (one ? [reading.normal(one)] : []));
  const isThrown = /throw|reject|raise/i.test(name);
  const told = isThrown ? expected.filter((one) => !/^["'`]/.test(one)) : expected;
  const subject = first ? reading.normal(first) : "";
  return [demandOf(name, subject, told)];
}

/** Whether nobody waits for an assertion that takes time, or its failure is caught and dropped. */
function isDropped(node: Node, { links }: Chain): boolean {
  const caught = links.find(({ name, args }) => name === "catch" && args !== undefined);
  if (
    caught &&
    !/\b(?:throw|expect|assert|fail|reject)\b/.test(caught.args?.[0]?.text().slice(0, 2_000) ?? "")
  ) {
    return isFunction(caught.args?.[0]);
  }
  const takesTime = links.some(({ name }) => /^(?:resolves|rejects)$/.test(name));
  return takesTime && kindOf(node.parent()) === "expression_statement";
}
