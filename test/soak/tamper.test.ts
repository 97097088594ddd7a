import { test } from "vitest";
import { findsEveryChange } from "../fault/byte-tamper.ts";

/** A guard against hanging: each verifies a whole session some forty thousand times. */
const HANG_GUARD_MS = 3_600_000;

for (const mask of [0x01, 0x20, 0x80]) {
  test(
    `every byte of a bundle that was changed by ${mask} is found`,
    () => findsEveryChange(mask, 1),
    HANG_GUARD_MS,
  );
}
