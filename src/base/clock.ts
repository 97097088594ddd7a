/** Wall time in milliseconds; passed in so that tests can make it jump. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** The largest count within one millisecond. */
const COUNT_MAX = 0xffff;

/**
 * The next hybrid logical time: 48 bits of milliseconds and 16 of counter, in hex. It never goes
 * back, also when the wall clock does; it annotates, `seq` alone orders.
 */
export function nextHlc(last: string | undefined, nowMs: number): string {
  const lastMs = Number.parseInt(last?.slice(0, 12) ?? "0", 16);
  if (last === undefined || nowMs > lastMs) return toHlc(nowMs, 0);
  const count = Number.parseInt(last.slice(12), 16);
  return count < COUNT_MAX ? toHlc(lastMs, count + 1) : toHlc(lastMs + 1, 0);
}

function toHlc(ms: number, count: number): string {
  return ms.toString(16).padStart(12, "0") + count.toString(16).padStart(4, "0");
}
