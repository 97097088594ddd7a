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

/** So far ahead of the own clock another machine's logical time may be, in milliseconds. */
const REMOTE_AHEAD_MS_MAX = 300_000;

/**
 * The logical time after one that came from elsewhere was seen: not below it. One that lies too far
 * in the future is left alone, or a single message could move every later entry there.
 */
export function seenHlc(
  last: string | undefined,
  remote: string,
  nowMs: number,
): string | undefined {
  const isTooFar = Number.parseInt(remote.slice(0, 12), 16) > nowMs + REMOTE_AHEAD_MS_MAX;
  return isTooFar || (last !== undefined && remote <= last) ? last : remote;
}

// Scratch space: writing is synchronous, so nobody else sees it half-filled.
const hlcBytes = Buffer.alloc(8);

function toHlc(ms: number, count: number): string {
  hlcBytes.writeUIntBE(Math.max(0, ms), 0, 6);
  hlcBytes.writeUInt16BE(count, 6);
  return hlcBytes.toString("hex");
}
