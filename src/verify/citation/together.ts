/** Findings that wait for their files at the same time; fewer would leave git waiting for questions. */
const TOGETHER = 1_000;

/**
 * Works through a list, several items at once: git need not be asked for one file after the other.
 * What needs no waiting for is done at once, because waiting for nothing takes time too.
 */
export async function together<T>(
  items: readonly T[],
  work: (item: T, at: number) => void | Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const workOff = async () => {
    for (const [at, item] of queue) {
      const working = work(item, at);
      if (working !== undefined) await working;
    }
  };
  await Promise.all(Array.from({ length: Math.min(TOGETHER, items.length) }, workOff));
}
