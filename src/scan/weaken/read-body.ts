import type { Node } from "../syntax/index.ts";
import type { Said } from "./javascript-assertion.ts";
import { kindOf, lineOf, partsOf, type Reading, TooMuch } from "./reading.ts";
import { holdOfFunction, isFunctionNode, isGenerator, isNothing } from "./run-later.ts";
import { isFixed } from "./strength.ts";
import type { Assertion, Body, Hold, Mark } from "./test-case.ts";

/** How one language says the things that decide whether an assertion counts. */
export interface Dialect {
  /** Nodes whose children run one after the other. */
  readonly blocks: ReadonlySet<string>;
  /** What is demanded here, where something is. */
  said(node: Node): Said | undefined;
  /** A call that ends the test without failing it. */
  markOf(node: Node): Mark | undefined;
  calledName(node: Node): string | undefined;
  /** Whether what is caught in a `try` is never heard of again. */
  swallows(tried: Node): boolean;
  /** Whether a block lets no failure through: `with suppress(AssertionError)`. */
  muffles(node: Node): boolean;
  /** A name and the value that it is given, where it is given one. */
  assigned(node: Node): { readonly name: string; readonly value: Node } | undefined;
  /** The rows of the table that a loop goes through, where it is written down. */
  rowsOf(loop: Node): readonly string[];
}

const RANKS: readonly Hold[] = ["certain", "conditional", "swallowed", "unreachable"];
const LEAVING = /^(?:return|throw|raise|break|continue)_statement$/;
const GIVING_UP = /^(?:return|break|continue)_statement$/;
const CHOOSING =
  /^(?:ternary_expression|conditional_expression|switch_case|switch_default|case_clause)$/;
const LOOPS = /^(?:for_in_statement|for_statement|while_statement)$/;
const ROWS_MAX = 10_000;
const VALUE_CHARS_MAX = 2_000;
const TEXT_CHARS_MAX = 5_000;
const ASSERTIONS_MAX = 5_000;

/** Of two ways in which an assertion may not count, the worse. */
export function worse(one: Hold, other: Hold): Hold {
  return RANKS.indexOf(one) >= RANKS.indexOf(other) ? one : other;
}

/** Reads what a function demands, and whether each demand is reached and heard. */
export function readBody(root: Node, dialect: Dialect, reading: Reading): Body {
  const walk = new BodyWalk(dialect, reading);
  // A runner that is given a generator does not go through it.
  walk.visit(root, isGenerator(root) ? "unreachable" : "certain", 0);
  return walk;
}

class BodyWalk implements Body {
  readonly assertions: Assertion[] = [];
  readonly marks: Mark[] = [];
  readonly calls = new Set<string>();
  readonly rows: string[] = [];
  readonly #dialect: Dialect;
  readonly #reading: Reading;
  readonly #values = new Map<string, string>();
  #times = 1;

  constructor(dialect: Dialect, reading: Reading) {
    this.#dialect = dialect;
    this.#reading = reading;
  }

  visit(node: Node, hold: Hold, depth: number): void {
    this.#reading.enter(depth);
    const kind = kindOf(node);
    if (this.#dialect.blocks.has(kind)) this.#block(node, hold, depth);
    else if (kind === "if_statement") this.#choice(node, hold, depth);
    else if (kind === "try_statement") this.#tried(node, hold, depth);
    else if (kind === "binary_expression" || kind === "boolean_operator") {
      this.#short(node, hold, depth);
    } else if (CHOOSING.test(kind)) this.#children(node, worse(hold, "conditional"), depth);
    else this.#plain(node, kind, hold, depth);
  }

  #plain(node: Node, kind: string, hold: Hold, depth: number): void {
    if (LOOPS.test(kind)) {
      this.#loop(node, hold, depth);
      return;
    }
    this.#note(node, hold);
    const said = this.#dialect.said(node);
    const muffled = this.#dialect.muffles(node) ? worse(hold, "swallowed") : hold;
    const inner =
      isFunctionNode(kind) && depth > 0 ? worse(muffled, holdOfFunction(node)) : muffled;
    if (said === undefined) this.#children(node, inner, depth);
    else {
      this.#add(node, said, said.isDropped ? worse(hold, "swallowed") : hold);
      for (const one of said.inner) this.visit(one, inner, depth + 1);
    }
  }

  #loop(node: Node, hold: Hold, depth: number): void {
    const rows = this.#dialect.rowsOf(node);
    this.rows.push(...rows);
    if (neverRuns(node)) {
      this.#children(node, "unreachable", depth);
      return;
    }
    const times = this.#times;
    this.#times = Math.min(ROWS_MAX, times * Math.max(1, rows.length));
    this.#children(node, hold, depth);
    this.#times = times;
  }

  #note(node: Node, hold: Hold): void {
    const mark = this.#dialect.markOf(node);
    if (mark && hold !== "unreachable") {
      this.marks.push(hold === "certain" ? mark : { ...mark, kind: "sometimes" });
    }
    const name = this.#dialect.calledName(node);
    if (name !== undefined) this.calls.add(name);
    const assigned = this.#dialect.assigned(node);
    if (assigned) this.#keep(assigned.name, assigned.value);
  }

  /** A value that has a name is compared as if it stood where it is expected. */
  #keep(name: string, value: Node): void {
    const { start, end } = value.range();
    const text = end.index - start.index > VALUE_CHARS_MAX ? "" : this.#reading.normal(value);
    if (text !== "" && isFixed(text)) this.#values.set(name, text);
    else this.#values.delete(name);
  }

  #add(node: Node, { demands }: Said, hold: Hold): void {
    const normal = this.#reading.normal(node).replace(/^await /, "");
    const text = this.#reading.folded(node).slice(0, TEXT_CHARS_MAX);
    const place = { normal, text, line: lineOf(node), hold, times: this.#times };
    if (this.assertions.length + demands.length > ASSERTIONS_MAX) {
      throw new TooMuch(`it has more than ${ASSERTIONS_MAX} assertions`);
    }
    for (const demand of demands) {
      const expected = demand.expected.map((one) => this.#values.get(one) ?? one);
      this.assertions.push({ ...demand, ...place, expected });
    }
  }

  #children(node: Node, hold: Hold, depth: number): void {
    for (const child of partsOf(node)) this.visit(child, hold, depth + 1);
  }

  /** After a statement that leaves, nothing is reached; after one that may leave, not always. */
  #block(node: Node, hold: Hold, depth: number): void {
    let now = hold;
    for (const statement of partsOf(node)) {
      this.visit(statement, now, depth + 1);
      now = worse(now, leaves(statement));
    }
  }

  #choice(node: Node, hold: Hold, depth: number): void {
    const condition = node.field("condition");
    const taken = node.field("consequence");
    const truth = truthOf(condition);
    if (condition) this.visit(condition, hold, depth + 1);
    for (const part of partsOf(node)) {
      if (part.id() === condition?.id()) continue;
      const isTaken = part.id() === taken?.id();
      this.visit(part, worse(hold, branchHold(truth, isTaken)), depth + 1);
    }
  }

  #tried(node: Node, hold: Hold, depth: number): void {
    const body = node.field("body");
    const inside = this.#dialect.swallows(node) ? worse(hold, "swallowed") : hold;
    for (const part of partsOf(node)) {
      if (part.id() === body?.id()) this.visit(part, inside, depth + 1);
      else if (/^finally/.test(kindOf(part))) this.visit(part, hold, depth + 1);
      else this.visit(part, worse(hold, "conditional"), depth + 1);
    }
  }

  /** `ready && expect(x)`: the right side is not always reached. */
  #short(node: Node, hold: Hold, depth: number): void {
    const left = node.field("left");
    const isShort = /^(?:&&|\|\||\?\?|and|or)$/.test(node.field("operator")?.text() ?? "");
    for (const part of partsOf(node)) {
      const isSure = !isShort || part.id() === left?.id();
      const branch = branchHold(truthOf(left), true);
      this.visit(part, isSure ? hold : worse(hold, branch), depth + 1);
    }
  }
}

function branchHold(truth: boolean | undefined, isTaken: boolean): Hold {
  if (truth === undefined) return "conditional";
  return truth === isTaken ? "certain" : "unreachable";
}

/** A loop over nothing, or while what never holds. */
function neverRuns(loop: Node): boolean {
  return isNothing(loop.field("right")) || truthOf(loop.field("condition")) === false;
}

/** Whether a condition is written so that it always, or never, holds. */
function truthOf(condition: Node | null): boolean | undefined {
  if (!condition) return undefined;
  const { start, end } = condition.range();
  if (end.index - start.index > 200) return undefined;
  const text = condition.text().replaceAll(/[\s()]/g, "");
  if (/^(?:false|0|False|None|null|undefined|""|''|!true|!1|notTrue)$/.test(text)) return false;
  if (/^false&&|&&false$|^Falseand|andFalse$/.test(text)) return false;
  return /^(?:true|True|1|!0|!false|notFalse)$/.test(text) ? true : undefined;
}

/** `process.exit(0)`: the run ends, and nobody hears of what was left. */
function endsProcess(statement: Node, kind: string): boolean {
  const { start, end } = statement.range();
  if (kind !== "expression_statement" || end.index - start.index > 200) return false;
  return /^(?:process\.exit|sys\.exit|os\._exit|exit|quit)\(/.test(statement.text());
}

/** The parts of a file or block up to where the process ends: no test behind that is ever found. */
export function reachedOf(block: Node): Node[] {
  const parts = partsOf(block);
  const end = parts.findIndex((one) => endsProcess(one, kindOf(one)));
  return end < 0 ? parts : parts.slice(0, end);
}

function leaves(statement: Node): Hold {
  const kind = kindOf(statement);
  if (LEAVING.test(kind) || endsProcess(statement, kind)) return "unreachable";
  if (kind !== "if_statement") return "certain";
  const taken = statement.field("consequence");
  const truth = truthOf(statement.field("condition"));
  const inside = taken ? [taken, ...partsOf(taken)] : [];
  if (truth === false || !inside.some((one) => GIVING_UP.test(kindOf(one)))) return "certain";
  return truth === true ? "unreachable" : "conditional";
}
