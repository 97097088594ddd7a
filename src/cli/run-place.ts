import { execRoot } from "../flow/exec/exec-root.ts";
import type { Place } from "../flow/place.ts";
import { openPlace } from "./config.ts";
import type { Io } from "./io.ts";

/** The place that `sworn exec` records in, from anywhere inside of the repository. */
export async function openRunPlace(io: Io): Promise<Place> {
  return openPlace({ ...io, cwd: await execRoot(io.cwd, io.env) }, "here");
}
