import type { Definition, Place } from "../program.ts";
import type { Call } from "../rule.ts";
import type { Interpreter } from "./interpreter.ts";
import { substituted } from "./substitute.ts";
import { either, UNKNOWN, type Value } from "./value.ts";

/** Remembers what a function calls one of its own parameters with: `done(null, name)`. */
export function noteHanded(target: Value, args: readonly Value[], machine: Interpreter): void {
  if (target.definition !== undefined) return;
  for (const { origin, shape } of target.flows) {
    if (origin.kind !== "parameter" || shape !== 0) continue;
    const { handed } = machine.stateOf(origin.of);
    const known = handed.get(origin.index) ?? [];
    const count = Math.max(known.length, args.length);
    const merged = Array.from({ length: count }, (_, at) =>
      either(known[at] ?? UNKNOWN, plain(args[at])),
    );
    handed.set(origin.index, merged);
  }
}

const plain = (value: Value | undefined): Value =>
  value === undefined
    ? UNKNOWN
    : { flows: value.flows, ...(value.from ? { from: value.from } : {}) };

/** What a callback gets from a function of this file that calls it; undefined when that is not seen. */
export function handedBy(
  local: Definition,
  at: number,
  call: Call,
  place: Place,
  machine: Interpreter,
): readonly Value[] | undefined {
  return machine
    .stateOf(local)
    .handed.get(at)
    ?.map((value) => substituted(value, local, call.args, place));
}

/** What a promise becomes: what its maker calls the first parameter with. */
export function promised({ args: [maker] }: Call, machine: Interpreter): Value | undefined {
  if (maker?.definition === undefined) return undefined;
  return machine.stateOf(maker.definition).handed.get(0)?.[0];
}
