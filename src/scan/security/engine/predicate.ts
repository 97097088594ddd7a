import { type Mask, maskOf, SAFE_BUT_LONG } from "../category.ts";
import { type Definition, type Expression, parameterName, type Statement } from "../program.ts";
import { containsMask, listCheck, patternCheck } from "../rules/guard.ts";
import { subjects } from "./access-path.ts";
import type { Interpreter } from "./interpreter.ts";
import { isBound, measuredBy } from "./length.ts";
import type { Scope } from "./scope.ts";

const NODES_MAX = 400;

/**
 * What a function checks of each of its parameters, wherever it does so in its body. Whether true
 * means good or bad is left open: the caller acts on the answer one way or the other.
 */
export function predicateMasks(
  definition: Definition,
  scope: Scope,
  machine: Interpreter,
  mustThrow = false,
): Mask[] {
  const search = new Search(definition, scope, machine);
  for (const statement of definition.body) search.statement(statement);
  if (mustThrow && !search.throws) return [];
  return search.masks;
}

class Search {
  readonly masks: Mask[];
  throws = false;
  readonly #names: Map<string, number>;
  readonly #scope: Scope;
  readonly #machine: Interpreter;
  #nodes = 0;

  constructor(definition: Definition, scope: Scope, machine: Interpreter) {
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
    if (side.kind === "call") this.#call(side);
    const measured = measuredBy(side);
    if (measured !== undefined && isBound(other)) this.#note(subjects(measured), maskOf("redos"));
    if (other.kind === "text") this.#note(subjects(side), containsMask(other.value));
    else if (side.kind !== "call" && other.kind === "name") {
      const table = this.#scope.get(other.name);
      if (table?.words) this.#note(subjects(side), listCheck(table).no | listCheck(table).yes);
    }
  }

  #call({ callee, args }: Extract<Expression, { kind: "call" }>): void {
    const [first] = args;
    if (callee.kind === "member") this.#methodCall(callee.object, callee.property, first);
    for (const argument of args) this.expression(argument);
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
    if (/^(?:startsWith|startswith|indexOf)$/.test(name))
      this.#note(subjects(object), maskOf("path-traversal", "ssrf"));
    else if (/^(?:has|includes)$/.test(name)) this.#note(subjects(first), SAFE_BUT_LONG);
  }
}
