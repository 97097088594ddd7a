import type { Node } from "../syntax/index.ts";
import { argumentsOf, type Chain, chainOf, isFunction } from "./javascript-chain.ts";
import { kindOf, lineOf, partsOf } from "./reading.ts";
import { isNothing } from "./run-later.ts";
import type { Mark } from "./test-case.ts";

/** A test or a suite as it is announced to the runner. */
export interface Announced {
  readonly isSuite: boolean;
  readonly runner: string;
  /** Whether it is a word that we know of a runner. */
  readonly isKnown: boolean;
  readonly title: string;
  readonly callback: Node | undefined;
  readonly marks: readonly Mark[];
  readonly table: Node | undefined;
  readonly timeoutMs?: number;
  readonly retries?: number;
}

const TESTS = /^[xf]?(?:it|test|specify)$/;
const SUITES = /^[xf]?(?:describe|suite|context)$/;
const TITLE_CHARS_MAX = 500;
/** Calls with a name and a function that are no tests. */
const OTHER_CALLS =
  /^(?:before|after|setup|teardown|on|once|use|define|require|mock|set[A-Z]|add[A-Z]|create[A-Z]|make[A-Z]|register|declare)/;

/** Reads the announcement of a test or a suite, where a call is one. */
export function announcedBy(call: Node, isTestFile: boolean): Announced | undefined {
  if (kindOf(call) !== "call_expression") return undefined;
  const chain = chainOf(call.field("function") ?? call);
  const args = argumentsOf(call);
  const word = wordOf(chain);
  const isSuite = SUITES.test(word) || chain.links.some(({ name }) => name === "describe");
  const isKnown = TESTS.test(word) || isSuite;
  const callback = args.findLast((one) => isFunction(one));
  const how = howOf(chain, word);
  if (!isKnown && !isOwnRunner(call, chain, args, isTestFile)) return undefined;
  const titled = titleOf(args, isKnown);
  const isWaiting = callback === undefined && /\b(?:todo|skip|x)/.test(how);
  const isHanded = args.length > 1 && kindOf(args.at(-1)) === "identifier";
  if (titled === undefined || !(callback || isWaiting || isHanded)) return undefined;
  const table = chain.links.find(({ name }) => /^(?:each|for)$/.test(name))?.args?.[0];
  const line = lineOf(call);
  const marks = [
    ...markOf(chain, how, line),
    ...optionMarks(args, line),
    ...noRows(table, how, line),
  ];
  return { isSuite, runner: word, isKnown, title: titled, callback, marks, table, ...limits(args) };
}

/** Without a row there is no test. */
function noRows(table: Node | undefined, how: string, line: number): Mark[] {
  return isNothing(table ?? null) ? [{ kind: "skip", how, line }] : [];
}

/** The word that a runner is known by: `test` of `test.skip`, of `Deno.test` and of `t.test`. */
function wordOf({ root, links }: Chain): string {
  const name = kindOf(root) === "identifier" ? root.text() : "";
  const isHome = /^(?:Deno|QUnit|t|tap|bun|vitest)$/.test(name);
  const [first] = links;
  return isHome && first !== undefined && (TESTS.test(first.name) || SUITES.test(first.name))
    ? first.name
    : name;
}

function howOf({ links }: Chain, word: string): string {
  return [
    word,
    ...links.map(({ name }) => name).filter((name) => name !== word && name !== ""),
  ].join(".");
}

/** A function of the project's own that wraps a runner's: `verifies("001-4", "title", () => {…})`. */
function isOwnRunner(
  call: Node,
  { root, rootArgs, links }: Chain,
  args: readonly Node[],
  isTestFile: boolean,
): boolean {
  if (!isTestFile || kindOf(root) !== "identifier" || rootArgs !== undefined) return false;
  if (links.length > 1 || kindOf(call.parent()) !== "expression_statement") return false;
  if (links.length === 1 && !/^(?:skip|only|todo|fails)$/.test(links[0]?.name ?? "")) return false;
  const isNamed = /^(?:string|template_string|array)$/.test(kindOf(args[0]));
  return isNamed && args.some((one) => isFunction(one)) && !OTHER_CALLS.test(root.text());
}

function titleOf(args: readonly Node[], isKnown: boolean): string | undefined {
  const [first] = args;
  if (first === undefined || isFunction(first)) return undefined;
  const named = isKnown ? [first] : args.filter((one) => /string|array/.test(kindOf(one)));
  if (kindOf(first) === "object") {
    const pair = partsOf(first).find((one) => one.field("key")?.text() === "name");
    return pair === undefined ? undefined : plain(pair.field("value")?.text() ?? "");
  }
  return named.map((one) => plain(one.text())).join(" ");
}

function plain(text: string): string {
  return text
    .slice(0, TITLE_CHARS_MAX)
    .replace(/^["'`]|["'`]$/g, "")
    .replaceAll(/\s+/g, " ");
}

function markOf({ links }: Chain, how: string, line: number): Mark[] {
  const names = links.map(({ name }) => name);
  const has = (...words: string[]) => words.some((word) => names.includes(word));
  if (has("skip", "todo", "fixme") || /^x(?:it|test|describe|specify|context|suite)\b/.test(how)) {
    return [{ kind: "skip", how, line }];
  }
  if (has("fails", "failing")) return [{ kind: "fails", how, line }];
  if (has("skipIf", "runIf", "if")) return [{ kind: "sometimes", how, line }];
  if (has("only") || /^f(?:it|test|describe|specify|context|suite)\b/.test(how)) {
    return [{ kind: "only", how, line }];
  }
  return [];
}

/** `test("title", { skip: true }, …)`. */
function optionMarks(args: readonly Node[], line: number): Mark[] {
  return optionsIn(args).flatMap(([key, value]): Mark[] => {
    const how = `{ ${key}: ${value?.text().slice(0, 40) ?? ""} }`;
    if (value === null || /^(?:false|undefined|null)$/.test(value.text())) return [];
    if (key === "only") return [{ kind: "only", how, line }];
    if (key === "fails") return [{ kind: "fails", how, line }];
    if (!/^(?:skip|todo|ignore)$/.test(key)) return [];
    const isSure = /^(?:true|string|template_string)$/.test(kindOf(value));
    return [{ kind: isSure ? "skip" : "sometimes", how, line }];
  });
}

function optionsIn(args: readonly Node[]): (readonly [string, Node | null])[] {
  return args
    .filter((one) => kindOf(one) === "object")
    .flatMap((one) => partsOf(one).filter((part) => kindOf(part) === "pair"))
    .map((pair) => [pair.field("key")?.text() ?? "", pair.field("value")] as const);
}

function limits(args: readonly Node[]): Pick<Announced, "timeoutMs" | "retries"> {
  const options = new Map(optionsIn(args));
  const number = (node: Node | null | undefined) => {
    const value = Number(node?.text().slice(0, 40).replaceAll("_", "") ?? "");
    return kindOf(node) === "number" && Number.isFinite(value) ? value : undefined;
  };
  const last = args.at(-1);
  const timeoutMs = number(options.get("timeout")) ?? number(last);
  const retries = number(options.get("retry")) ?? number(options.get("retries"));
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(retries === undefined ? {} : { retries }),
  };
}
