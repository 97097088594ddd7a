import { join } from "node:path";
import type { Place } from "../place.ts";

/** Where the renderings of a session lie. */
export function sessionFolder({ store }: Place, id: string): string {
  return join(store, "session", id);
}
