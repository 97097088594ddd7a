import { expect, test } from "vitest";
import { survivesFlood } from "../egress/flood.ts";
import { fuzzFor } from "../egress/fuzz.ts";

const HOUR_MS = 3_600_000;
/** Less for a look in between; the seed is new each time and named where something fails. */
const FUZZ_MS = Number(process.env["SWORN_FUZZ_SECONDS"] ?? 3_600) * 1_000;

test(
  "five thousand connections from the inside take bounded memory, and others are served",
  () => survivesFlood(5_000),
  HOUR_MS,
);

test(
  "an hour of generated requests gets nothing out that no rule allows",
  async () => {
    expect(await fuzzFor(FUZZ_MS, Date.now() % 2 ** 31)).toBeGreaterThan(0);
  },
  2 * HOUR_MS,
);
