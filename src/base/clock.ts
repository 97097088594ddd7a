/** Wall time in milliseconds; passed in so that tests can make it jump. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/**
 * The next hybrid logical time: 48 bits of milliseconds and 16 of counter, in hex. It never goes
 * back, also when the wall clock does; it annotates, `seq` alone orders.
 */
export function nextHlc(last: string | undefined, nowMs: number): string {
  const now = BigInt(nowMs) << 16n;
  const after = last === undefined ? 0n : BigInt(`0x${last}`) + 1n;
  return (now > after ? now : after).toString(16).padStart(16, "0");
}
