/** All of them, to their ends: one that fails must not leave the others running behind its back. */
export async function together<T>(all: readonly Promise<T>[]): Promise<T[]> {
  const values: T[] = [];
  for (const settled of await Promise.allSettled(all)) {
    if (settled.status === "rejected") throw settled.reason;
    values.push(settled.value);
  }
  return values;
}
