import { type Mask, maskOf, PLAIN_OBJECT, SAFE_BUT_LONG } from "../category.ts";
import { type Definition, type Expression, parameterName, type Statement } from "../program.ts";
import { containsMask, listCheck, patternCheck, typeMask } from "../rules/guard.ts";
import { subjects } from "./access-path.ts";
import type { Interpreter } from "./interpreter.ts";
import { isBound, measuredBy } from "./length.ts";
import type { Scope } from "./scope.ts";

const NODES_MAX = 400;
const DEPTH_MAX = 2;
const TELLS_TYPE = /^(?:typeOf|kindOf|kind|type|getType|toString|call)$/i;

const nameOf = ({ callee }: Extract<Expression, { kind: "call" }>) =>
  callee.kind === "member" ? callee.property : callee.kind === "name" ? callee.name : "";

/**
 * What a function checks of each of its parameters, wherever it does so in its body. Whether true
 * means good or bad is left open: the caller acts on the answer one way or the other.
 */
export function predicateMasks(
  definition: Definition,
  scope: Scope,
  machine: Interpreter,
  mustThrow = false,
  depth = 0,
): readonly Mask[] {
  const known = machine.checks.get(definition) ?? [];
  machine.checks.set(definition, known);
  const found = known[depth] ?? searched(definition, scope, machine, depth);
  known[depth] = found;
  return mustThrow && !found.throws ? [] : found.masks;
}

/** What a function was found to check, and whether it can throw. */
export interface Checks {
  readonly masks: readonly Mask[];
  readonly throws: boolean;
}

function searched(
  definition: Definition,
  scope: Scope,
  machine: Interpreter,
  depth: number,
): Checks {
  const search = new Search(definition, scope, machine, depth);
  for (const statement of definition.body) search.statement(statement);
  const { throws, takesFunctions } = search;
  return {
    throws,
    masks: search.masks.map((mask) => (takesFunctions ? mask & ~PLAIN_OBJECT : mask)),
  };
}

class Search {
  readonly masks: Mask[];
  throws = false;
  /** Asked for functions as well, so that an object it lets through may be one. */
  takesFunctions = false;
  readonly #depth: number;
  readonly #names: Map<string, number>;
  readonly #scope: Scope;
  readonly #machine: Interpreter;
  #nodes = 0;
  /** A position is compared with one before the start: found anywhere, or not at all. */
  #isPosition = false;

  constructor(definition: Definition, scope: Scope, machine: Interpreter, depth: number) {
    this.#depth = depth;
    this.masks = definition.parameters.map(() => 0);
    this.#names = new Map(definition.parameters.map((one, at) => [parameterName(one), at]));
    this.#scope = scope;
    this.#machine = machine;
  }

  statement(statement: Statement): void {
    switch (statement.kind) {
      case "expression":
      case "export":
        this.expression(statement.value);
        return;
      case "throw":
        this.throws = true;
        return;
      case "return":
        if (statement.value) this.expression(statement.value);
        return;
      case "if":
        this.expression(statement.test);
        this.#all([...statement.body, ...(statement.otherwise ?? [])]);
        return;
      case "loop":
        this.#loop(statement);
        return;
      case "block":
        this.#all(statement.body);
        return;
      case "try":
        this.#all([...statement.body, ...statement.after]);
        return;
      case "switch":
        this.#switch(statement);
        return;
      default:
        return;
    }
  }

  expression(expression: Expression): void {
    this.#nodes += 1;
    if (this.#nodes > NODES_MAX) return;
    switch (expression.kind) {
      case "compare":
        this.#compare(expression.left, expression.right);
        this.#compare(expression.right, expression.left);
        return;
      case "not":
      case "spread":
        this.expression(expression.value);
        return;
      case "either":
        if (expression.test) this.expression(expression.test);
        for (const option of expression.options) this.expression(option);
        return;
      case "assign":
        if (expression.target.kind === "name")
          this.#alias(expression.target.name, expression.value);
        this.expression(expression.value);
        return;
      case "call":
        this.#call(expression);
        return;
      case "function":
        this.#all(expression.definition.body);
        return;
      case "other":
        for (const part of expression.parts) this.expression(part);
        return;
      default:
        return;
    }
  }

  #loop({ target, over, test, body }: Extract<Statement, { kind: "loop" }>): void {
    if (target?.kind === "name" && over) this.#alias(target.name, over);
    if (test) this.expression(test);
    this.#all(body);
  }

  #switch({ subject, cases }: Extract<Statement, { kind: "switch" }>): void {
    for (const { tests, body } of cases) {
      for (const test of tests)
        if (test.kind === "text") this.#note(subjects(subject), containsMask(test.value));
      this.#all(body);
    }
  }

  #all(statements: readonly Statement[]): void {
    for (const statement of statements) this.statement(statement);
  }

  /** A local name for something computed from a parameter stands for the parameter. */
  #alias(name: string, value: Expression): void {
    const index = subjects(value)
      .map((one) => this.#indexOf(one))
      .find((one) => one !== undefined);
    if (index !== undefined) this.#names.set(name, index);
  }

  #indexOf(path: string): number | undefined {
    return this.#names.get(path) ?? this.#names.get(path.split(/[.[]/)[0] ?? "");
  }

  #note(paths: readonly string[], mask: Mask): void {
    for (const path of paths) {
      const index = this.#indexOf(path);
      if (index !== undefined) this.masks[index] = (this.masks[index] ?? 0) | mask;
    }
  }

  #compare(side: Expression, other: Expression): void {
    this.#isPosition = other.kind === "arithmetic";
    if (side.kind === "call") this.#call(side);
    this.#isPosition = false;
    if (other.kind === "text") this.#type(side, other.value);
    const measured = measuredBy(side);
    if (measured !== undefined && isBound(other)) this.#note(subjects(measured), maskOf("redos"));
    if (other.kind === "text") this.#note(subjects(side), containsMask(other.value));
    else if (side.kind !== "call" && other.kind === "name") {
      const table = this.#scope.get(other.name);
      if (table?.words) this.#note(subjects(side), listCheck(table).no | listCheck(table).yes);
    }
  }

  /** `typeof x === "object"`, and its like with functions that tell a type. */
  #type(side: Expression, type: string): void {
    const isAsked =
      side.kind === "typeof" || (side.kind === "call" && TELLS_TYPE.test(nameOf(side)));
    if (!isAsked) return;
    if (type === "function") this.takesFunctions = true;
    const asked = side.kind === "typeof" ? subjects(side.value) : subjects(side);
    this.#note(asked, typeMask(type) & PLAIN_OBJECT);
  }

  #call({ callee, args }: Extract<Expression, { kind: "call" }>): void {
    const [first] = args;
    if (callee.kind === "member") {
      if (first?.kind === "function") this.#aliasElement(first.definition, callee.object);
      this.#methodCall(callee.object, callee.property, first);
    } else if (callee.kind === "name") this.#localCall(callee.name, args);
    for (const argument of args) this.expression(argument);
  }

  /** What is asked of each element of a list is asked of the list. */
  #aliasElement({ parameters }: Definition, list: Expression): void {
    const [element] = parameters;
    if (element?.target.kind === "name") this.#alias(element.target.name, list);
  }

  /** A check that is made by another function of this file. */
  #localCall(name: string, args: readonly Expression[]): void {
    const { definition } = this.#scope.get(name) ?? {};
    if (definition === undefined || this.#depth >= DEPTH_MAX) return;
    const masks = predicateMasks(definition, this.#scope, this.#machine, false, this.#depth + 1);
    args.forEach((argument, at) => {
      this.#note(subjects(argument), masks[at] ?? 0);
    });
  }

  #methodCall(object: Expression, name: string, first: Expression | undefined): void {
    if (object.kind === "call") this.#call(object);
    const receiver =
      object.kind === "pattern" || object.kind === "name"
        ? this.#machine.evaluate(object, this.#scope)
        : undefined;
    const listed =
      object.kind === "list"
        ? object.items.flatMap((item) => (item.kind === "text" ? [item.value] : []))
        : receiver?.words;
    if (first === undefined) return;
    if (receiver?.pattern !== undefined) {
      const { yes, no } = patternCheck(receiver.pattern.source, name);
      this.#note(subjects(first), yes | no);
      return;
    }
    if (listed !== undefined) {
      const { yes, no } = listCheck({ flows: [], words: listed });
      this.#note(subjects(first), yes | no);
      return;
    }
    if (first.kind === "text") {
      this.#note(subjects(object), containsMask(first.value));
      return;
    }
    if (first.kind === "pattern") {
      const { yes, no } = patternCheck(first.source, name);
      this.#note(subjects(object), yes | no);
      return;
    }
    if (/^(?:startsWith|startswith|indexOf)$/.test(name) && !this.#isPosition)
      this.#note(subjects(object), maskOf("path-traversal", "ssrf"));
    else if (/^(?:has|includes)$/.test(name)) this.#note(subjects(first), SAFE_BUT_LONG);
  }
}
