import { SwornError } from "../../base/index.ts";
import {
  BUILDABLE,
  type BuildOptions,
  buildEnvironment,
  type LockedEnvironment,
} from "../../sandbox/environment/index.ts";
import type { Place } from "../place.ts";

/**
 * Builds one of the ready environments for this user and writes down its digest.
 *
 * @throws SwornError `INPUT_INVALID` for a name that is none of them; what building throws otherwise.
 */
export async function buildNamedEnvironment(
  place: Place,
  name: string,
  options: Pick<BuildOptions, "install" | "signal" | "onStep" | "proxy"> = {},
): Promise<LockedEnvironment> {
  const buildable = BUILDABLE.find((one) => one === name);
  if (buildable === undefined) {
    const why =
      name === "host" ? "the machine's own tools need no building" : "there is no such one";
    const message = `the environment "${name}" cannot be built: ${why}; expected one of ${BUILDABLE.join(", ")}`;
    throw new SwornError("INPUT_INVALID", message);
  }
  return buildEnvironment(buildable, { ...options, state: place.state, clock: place.clock });
}
