import { setImmediate as turn } from "node:timers/promises";

const waiting = new Set<() => Promise<unknown>>();

/**
 * Names a part of the program that is not needed yet. It is read when somebody calls for it, or before
 * that, while something else is waited for. No file that is loaded with this one may import it as well:
 * it would be loaded at once.
 */
export function later<T>(load: () => Promise<T>): () => Promise<T> {
  waiting.add(load);
  return load;
}

/**
 * Reads what was named so far, and what that names in turn. For moments in which another program is at
 * work and this one has nothing to do.
 */
export async function readMeanwhile(): Promise<void> {
  for (const load of waiting) {
    waiting.delete(load);
    // Whoever calls for it hears why it cannot be read.
    await load().catch(() => {});
    // Reading a part holds everything else up for a moment, and two of them must not come in one.
    await turn();
  }
}
