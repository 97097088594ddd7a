import type { SeenProcess } from "../../schema/observation.ts";

/** Not to have seen how something ended is no proof that it ended badly. */
export function isUnseenEnd({ exit, signal }: SeenProcess): boolean {
  return exit === null && signal === null;
}

export function endOf({ exit, signal }: SeenProcess): string {
  if (exit !== null) return `ended with ${exit}`;
  return signal === null ? "nobody saw how it ended" : `was ended by ${signal}`;
}
