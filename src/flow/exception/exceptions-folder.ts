import { join } from "node:path";
import type { Place } from "../place.ts";
import { projectIdentity } from "../project-identity.ts";

/**
 * Names the traces that hold a project's exceptions. It lies with the user's keys and not in the
 * project: whoever records the session of an agent signs all of it, and in it an exception that nobody
 * approved, so that the agent must not be able to say that this trace is one.
 */
export function exceptionsFolder(place: Pick<Place, "state" | "store">): string {
  return join(place.state, "exceptions", projectIdentity(place));
}
