import { expect, test } from "vitest";
import { survivesFlood } from "../egress/flood.ts";
import { fuzzFor } from "../egress/fuzz.ts";

const HOUR_MS = 3_600_000;
/** Less for a look in between; the seed is new each time and named where something fails. */
const FUZZ_MS = Number(process.env["SWORN_FUZZ_SECONDS"] ?? 3_600) * 1_000;
const SLOW_MS_MAX = 10_000;
/** After some hundred thousand connections, this is less than a hundred bytes for each of them. */
const LEAK_BYTES_MAX = 16 * 2 ** 20;

test(
  "five thousand connections from the inside take bounded memory, and others are served",
  () => survivesFlood(5_000),
  HOUR_MS,
);

test(
  "an hour of generated requests gets nothing out that no rule allows, and leaves no memory behind",
  async () => {
    const fuzzed = await fuzzFor(FUZZ_MS, Date.now() % 2 ** 31);
    console.log(JSON.stringify(fuzzed));
    expect(fuzzed.connections).toBeGreaterThan(0);
    // A connection that nobody ends is ended by the proxy after five seconds, and then by its sweep.
    expect(fuzzed.slowestMs).toBeLessThan(SLOW_MS_MAX);
    expect(fuzzed.heapEndBytes - fuzzed.heapEarlyBytes).toBeLessThan(LEAK_BYTES_MAX);
  },
  2 * HOUR_MS,
);
