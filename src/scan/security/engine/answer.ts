import { type Mask, NO_CONSTRUCTOR_KEY, NO_PROTO_KEY } from "../category.ts";
import { type Definition, type Expression, parameterName, type Statement } from "../program.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Scope } from "./scope.ts";
import { type Fact, from, type Proof } from "./value.ts";

/** What a yes and a no show of parameters, by their position. */
export interface Answer {
  readonly yes: readonly Mask[];
  readonly no: readonly Mask[];
}

const REFUSED = NO_PROTO_KEY | NO_CONSTRUCTOR_KEY;

/**
 * What the answers of a function show that asks one condition after the other; undefined for others,
 * of which it is not known which answer is the good one.
 */
export function answerOf(
  definition: Definition,
  scope: Scope,
  machine: Interpreter,
): Answer | undefined {
  const { parameters, body } = definition;
  const inner = scope.fork();
  parameters.forEach(({ target }, index) => {
    const flow = from({ kind: "parameter", of: definition, index, at: target.at });
    if (target.kind === "name") inner.declare(target.name, { flows: [flow] });
  });
  const ways = new Ways();
  if (!body.every((statement, at) => ways.take(statement, at === body.length - 1, inner, machine)))
    return undefined;
  const names = parameters.map((parameter) => parameterName(parameter));
  const sides = { yes: masksOf(names, ways.yes), no: masksOf(names, ways.no) };
  return names.length > 0 && ways.isComplete ? sides : undefined;
}

/** The masks that are let through for one parameter: what was shown, and refusals of any shape. */
export function allowedBy(answer: Answer, side: "yes" | "no", index: number): Mask {
  const shown = (answer.yes[index] ?? 0) | (answer.no[index] ?? 0);
  return (answer[side][index] ?? 0) | ((shown & REFUSED) === 0 ? REFUSED : 0);
}

/** The ways to a yes and to a no, each with what is known of the variables then. */
class Ways {
  readonly yes: (readonly Fact[])[] = [];
  readonly no: (readonly Fact[])[] = [];
  isComplete = false;
  #passed: readonly Fact[] = [];

  /** False when the statement is none that is understood here. */
  take(statement: Statement, isLast: boolean, scope: Scope, machine: Interpreter): boolean {
    if (statement.kind === "expression") return statement.value.kind === "assign";
    if (statement.kind === "return" && statement.value !== undefined && isLast) {
      this.#end(statement.value, [], scope, machine);
      this.isComplete = true;
      return true;
    }
    const given = statement.kind === "if" ? onlyReturn(statement) : undefined;
    if (statement.kind !== "if" || given === undefined) return false;
    const { yes, no } = machine.proofOf(statement.test, scope);
    this.#end(given, yes, scope, machine);
    this.#passed = [...this.#passed, ...no];
    return true;
  }

  #end(value: Expression, known: readonly Fact[], scope: Scope, machine: Interpreter): void {
    const here = [...this.#passed, ...known];
    const constant = value.kind === "constant" ? value.value : undefined;
    const { yes, no }: Proof = machine.proofOf(value, scope);
    if (constant !== "false") this.yes.push([...here, ...yes]);
    if (constant !== "true") this.no.push([...here, ...no]);
  }
}

/** What `if (…) return x` gives. */
function onlyReturn({ body, otherwise }: Extract<Statement, { kind: "if" }>) {
  const [first] = body;
  const inner = first?.kind === "block" ? first.body : body;
  const [only] = inner;
  if (inner.length !== 1 || only?.kind !== "return" || otherwise !== undefined) return undefined;
  return only.value;
}

/** What all ways show of each name. */
const masksOf = (names: readonly string[], ways: readonly (readonly Fact[])[]): Mask[] =>
  names.map((name) =>
    ways.length === 0
      ? 0
      : ways.map((facts) => maskFor(name, facts)).reduce((all, one) => all & one),
  );

const maskFor = (name: string, facts: readonly Fact[]): Mask =>
  facts
    .filter(({ path }) => path.split(/[.[]/)[0] === name)
    .reduce((mask, { safe }) => mask | safe, 0);
