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
  const now = toHlc(nowMs, 0);
  // Of one length, so they compare as text as their numbers do.
  if (last === undefined || now.slice(0, 12) > last.slice(0, 12)) return now;
  const lastMs = Number.parseInt(last.slice(0, 12), 16);
  const count = Number.parseInt(last.slice(12), 16);
  return count < COUNT_MAX ? toHlc(lastMs, count + 1) : toHlc(lastMs + 1, 0);
}

// Scratch space: writing is synchronous, so nobody else sees it half-filled.
const hlcBytes = Buffer.alloc(8);

function toHlc(ms: number, count: number): string {
  hlcBytes.writeUIntBE(Math.max(0, ms), 0, 6);
  hlcBytes.writeUInt16BE(count, 6);
  return hlcBytes.toString("hex");
}
