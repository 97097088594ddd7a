import { SAFE_BUT_LONG } from "../category.ts";
import type { Expression, Statement } from "../program.ts";
import { containsMask } from "../rules/guard.ts";
import { accessPath } from "./access-path.ts";
import { assertedBy, proofOf } from "./check.ts";
import { applyFacts, facts, settleMembers } from "./fact.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Scope } from "./scope.ts";
import { UndecidedCheck } from "./undecided-check.ts";
import { type Fact, KEY, shaped, UNKNOWN, type Value } from "./value.ts";

type Of<K extends Statement["kind"]> = Extract<Statement, { kind: K }>;
/** Loops inside deeper ones are run once: twice each would be exponential. */
const REPEATED_DEPTH_MAX = 2;
const EXITS_MAX = 20;

/** Runs statements in their order; true when none of the ways through them goes on behind. */
export function runStatements(
  statements: readonly Statement[],
  scope: Scope,
  machine: Interpreter,
  loops = 0,
): boolean {
  const run = new Runner(machine, loops);
  const left = run.all(statements, scope);
  // Function declarations are hoisted, and see the variables as they are in the end.
  for (const statement of statements)
    if (statement.kind === "define") machine.enter(statement.definition, scope);
  return left;
}

class Runner {
  readonly #machine: Interpreter;
  #loops: number;
  /** Where the innermost loop is left or gone on with early. */
  #exits: Scope[] = [];

  constructor(machine: Interpreter, loops: number) {
    this.#machine = machine;
    this.#loops = loops;
  }

  all(statements: readonly Statement[], scope: Scope): boolean {
    for (const statement of statements)
      if (statement.kind === "define") this.#define(statement, scope);
    let left = false;
    for (const statement of statements) left = this.#one(statement, scope) || left;
    return left;
  }

  #define({ definition }: Of<"define">, scope: Scope): void {
    scope.declare(definition.name, { flows: [], definition });
  }

  #nested(statements: readonly Statement[], scope: Scope): boolean {
    const left = this.all(statements, scope);
    for (const statement of statements)
      if (statement.kind === "define") this.#machine.enter(statement.definition, scope);
    return left;
  }

  #one(statement: Statement, scope: Scope): boolean {
    const machine = this.#machine;
    switch (statement.kind) {
      case "expression":
        return this.#expression(statement, scope);
      case "return":
        if (statement.value) machine.give(machine.evaluate(statement.value, scope));
        return true;
      case "throw":
        if (statement.value) machine.evaluate(statement.value, scope);
        return true;
      case "leave":
        this.#exits.push(scope);
        return true;
      case "block":
        return this.#nested(statement.body, scope);
      case "if":
        return this.#if(statement, scope);
      case "loop":
        return this.#loop(statement, scope);
      case "switch":
        return this.#switch(statement, scope);
      case "try":
        return this.#try(statement, scope);
      case "export":
        machine.publish(machine.evaluate(statement.value, scope), true);
        return false;
      case "define":
        return false;
      default:
        return false;
    }
  }

  #expression({ value }: Of<"expression">, scope: Scope): boolean {
    const machine = this.#machine;
    machine.evaluate(value, scope);
    if (value.kind === "call") applyFacts(assertedBy(value, scope, machine), scope, machine);
    // `a && b()` and `ok || fail()` are conditions written as expressions.
    if (value.kind === "either" && value.how === "or") {
      const [first, last] = [value.options[0], value.options.at(-1)];
      const fails = last?.kind === "call" && this.#endsHere(last, scope);
      if (first !== undefined && fails)
        applyFacts(proofOf(first, scope, machine).yes, scope, machine);
    }
    return value.kind === "call" && this.#endsHere(value, scope);
  }

  /** A call behind which nothing comes: the program ends, or a function of this file throws. */
  #endsHere(call: Extract<Expression, { kind: "call" }>, scope: Scope): boolean {
    const { definition } = scope.get(accessPath(call.callee) ?? "") ?? {};
    return definition === undefined
      ? endsHere(call)
      : this.#machine.stateOf(definition).alwaysThrows;
  }

  #if({ test, body, otherwise }: Of<"if">, scope: Scope): boolean {
    const machine = this.#machine;
    const proof = proofOf(test, scope, machine);
    machine.evaluate(test, scope);
    settleMembers([...proof.yes, ...proof.no], scope, machine);
    const [first, second] = [scope.fork(), scope.fork()];
    applyFacts(proof.yes, first, machine);
    applyFacts(proof.no, second, machine);
    const undecided = new UndecidedCheck(proof, scope, [first, second]);
    const leftFirst = this.#nested(body, first);
    const leftSecond = otherwise === undefined ? false : this.#nested(otherwise, second);
    if (leftFirst && leftSecond) return true;
    // Checks that only one way shows are kept when the other way ends here.
    scope.join(leftFirst ? [second] : leftSecond ? [first] : [first, second]);
    if (!leftFirst && !leftSecond) undecided.forget();
    applyFacts(proof.always, scope, machine);
    return false;
  }

  #loop(statement: Of<"loop">, scope: Scope): boolean {
    const machine = this.#machine;
    this.all(statement.before, scope);
    const over = statement.over === undefined ? undefined : machine.evaluate(statement.over, scope);
    const outerExits = this.#exits;
    const times = this.#loops < REPEATED_DEPTH_MAX ? 2 : 1;
    this.#loops += 1;
    for (let round = 0; round < times; round += 1) {
      const body = scope.fork();
      this.#exits = [];
      if (statement.target && over)
        machine.assign(statement.target, elementOf(over, statement), body, true);
      this.#loopBody(statement, body);
      // As if it ran at least once: a check of every element is a check of the whole.
      scope.join([body]);
      for (const exit of this.#exits.slice(0, EXITS_MAX)) scope.joinExit(exit);
    }
    this.#loops -= 1;
    this.#exits = outerExits;
    return false;
  }

  #loopBody({ test, update, body: statements }: Of<"loop">, body: Scope): void {
    const machine = this.#machine;
    if (test !== undefined) {
      machine.evaluate(test, body);
      applyFacts(proofOf(test, body, machine).yes, body, machine);
    }
    this.#nested(statements, body);
    if (update !== undefined) machine.evaluate(update, body);
  }

  #switch({ subject, cases }: Of<"switch">, scope: Scope): boolean {
    const machine = this.#machine;
    machine.evaluate(subject, scope);
    const path = accessPath(subject);
    const branches: Scope[] = [];
    const outerExits = this.#exits;
    for (const { tests, body } of cases) {
      const branch = scope.fork();
      this.#exits = [];
      const isConstant =
        tests.length > 0 && tests.every(({ kind }) => kind === "text" || kind === "constant");
      if (isConstant && path !== undefined)
        applyFacts([{ path, safe: SAFE_BUT_LONG }], branch, machine);
      if (tests.length === 0) applyFacts(excludedBy(cases, path), branch, machine);
      const left = this.#nested(body, branch);
      // Whoever breaks goes on behind the switch, other than whoever returns.
      if (!left || this.#exits.length > 0) branches.push(branch);
      outerExits.push(...this.#exits);
    }
    this.#exits = outerExits;
    if (cases.every(({ tests }) => tests.length > 0)) branches.push(scope.fork());
    if (branches.length === 0) return true;
    scope.join(branches);
    applyFacts(excludedBy(refusing(cases), path), scope, machine);
    return false;
  }

  #try({ body, rescue, after }: Of<"try">, scope: Scope): boolean {
    const tried = scope.fork();
    const left = this.#nested(body, tried);
    const machine = this.#machine;
    const { around } = machine;
    machine.around = `${around} fallback`;
    const rescued = rescue.map((statements) => {
      const branch = scope.fork();
      return { branch, left: this.#nested(statements, branch) };
    });
    machine.around = around;
    const open = [
      ...(left ? [] : [tried]),
      ...rescued.filter((one) => !one.left).map((one) => one.branch),
    ];
    scope.join(open.length > 0 ? open : [tried]);
    const leftAfter = this.#nested(after, scope);
    return leftAfter || (left && rescued.every((one) => one.left));
  }
}

/** The program ends here, or the request is answered with a refusal. */
function endsHere({ callee }: Extract<Expression, { kind: "call" }>): boolean {
  const path = accessPath(callee);
  if (path !== undefined) return EXITS.test(path) || REFUSES.test(path);
  if (callee.kind !== "member" || !/^(?:send|end|json)$/.test(callee.property)) return false;
  const { object } = callee;
  const isStatus = object.kind === "call" && /\.status$/.test(accessPath(object.callee) ?? "");
  const code = isStatus ? object.args[0] : undefined;
  return code?.kind === "constant" && /^[45]\d\d$/.test(code.value);
}

const REFUSES = /^(?:res|response|reply)\.sendStatus$/;
type Cases = Of<"switch">["cases"];

/** What the subject of a switch is not, behind these cases. */
function excludedBy(cases: Cases, path: string | undefined): Fact[] {
  const tests = cases.flatMap((one) => one.tests);
  const texts = tests.flatMap((test) => (test.kind === "text" ? [test.value] : []));
  const safe = texts.reduce((mask, text) => mask | containsMask(text), 0);
  return path === undefined ? [] : facts([path], safe);
}

/** The cases after which nothing behind the switch is run, with those that fall through to them. */
function refusing(cases: Cases): Cases {
  let leaves = false;
  return cases.toReversed().filter(({ body }) => {
    if (body.length > 0) leaves = leavesAll(body);
    return leaves;
  });
}

function leavesAll(body: readonly Statement[]): boolean {
  const last = body.at(-1);
  if (last?.kind === "block") return leavesAll(last.body);
  if (last?.kind === "leave") return last.goesOn;
  return last?.kind === "return" || last?.kind === "throw";
}

const EXITS = /^(?:process\.exit|sys\.exit|exit|abort|os\._exit|flask\.abort)$/;

function elementOf(list: Value, { how, over }: Of<"loop">): Value {
  const held = [...(list.members?.values() ?? [])].find(({ pattern }) => pattern !== undefined);
  if (how === "items" && held !== undefined) return held;
  if (list.flows.length === 0 && list.words === undefined) return UNKNOWN;
  const flows = how === "keys" ? shaped(list.flows, KEY) : list.flows;
  const object = how === "keys" && over !== undefined ? accessPath(over) : undefined;
  const owner = object === undefined ? {} : { keyOf: object };
  const text = flows.length === 0 ? list.words?.[0] : undefined;
  const first = text === undefined ? {} : { text };
  return { flows, from: list.from?.slice(-2) ?? [], ...owner, ...first };
}
