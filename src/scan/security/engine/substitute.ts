import type { Definition, Place } from "../program.ts";
import { type Flow, mergeFlows, through, type Value } from "./value.ts";

/** What a value of a function's body is for one call: its parameters are what the call gives them. */
export function substituted(
  value: Value,
  definition: Definition,
  args: readonly Value[],
  at: Place,
): Value {
  const flows = value.flows.reduce<readonly Flow[]>((all, flow) => {
    const { origin } = flow;
    if (origin.kind !== "parameter" || origin.of !== definition) return mergeFlows(all, [flow]);
    const carried = (args[origin.index]?.flows ?? []).map((one) =>
      through({ ...one, safe: one.safe | flow.safe, shape: one.shape | flow.shape }, at),
    );
    return mergeFlows(all, carried);
  }, []);
  return { ...value, flows };
}
