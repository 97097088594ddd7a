/**
 * Numbers that look random and come back with the same seed: always the same one in the gate, so
 * that it is red or green for a reason; another one each time in the soak. A test that fails names
 * its seed, and SWORN_SEED makes it run again with that one.
 */
export function seeded(): { readonly seed: number; below(limit: number): number } {
  const fresh = process.env["SWORN_SOAK"] ? Date.now() % 1_000_000 : 1;
  const seed = Number(process.env["SWORN_SEED"] ?? fresh);
  let state = seed;
  // The generator "mulberry32": small, and good enough to spread positions over a file.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { seed, below: (limit) => Math.floor(next() * limit) };
}

/** Every second of these, the first or the second by turns: over a few runs all of them. */
export function everySecond<T>(items: readonly T[]): T[] {
  const offset = seeded().below(2);
  return items.filter((_, at) => at % 2 === offset);
}
