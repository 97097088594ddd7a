import type { Mask } from "../category.ts";
import { type Definition, parameterName } from "../program.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Scope } from "./scope.ts";
import { type Fact, from } from "./value.ts";

/** What a yes and a no show of parameters, by their position. */
export interface Answer {
  readonly yes: readonly Mask[];
  readonly no: readonly Mask[];
}

/** What the answers of a function show that consists of one condition; undefined for others. */
export function answerOfReturn(
  definition: Definition,
  scope: Scope,
  machine: Interpreter,
): Answer | undefined {
  const { parameters, body } = definition;
  const [only] = body;
  if (body.length !== 1 || only?.kind !== "return" || only.value === undefined) return undefined;
  const inner = scope.fork();
  parameters.forEach(({ target }, index) => {
    const flow = from({ kind: "parameter", of: definition, index, at: target.at });
    if (target.kind === "name") inner.declare(target.name, { flows: [flow] });
  });
  const { yes, no } = machine.proofOf(only.value, inner);
  if (yes.length + no.length === 0) return undefined;
  const names = parameters.map((parameter) => parameterName(parameter));
  return {
    yes: names.map((name) => maskFor(name, yes)),
    no: names.map((name) => maskFor(name, no)),
  };
}

const maskFor = (name: string, facts: readonly Fact[]): Mask =>
  facts
    .filter(({ path }) => path.split(/[.[]/)[0] === name)
    .reduce((mask, { safe }) => mask | safe, 0);
