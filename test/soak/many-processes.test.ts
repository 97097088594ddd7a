import { test } from "vitest";
import { appendTogether } from "../fault/many-processes.ts";

/** A guard against hanging. */
const HANG_GUARD_MS = 1_200_000;

test(
  "eight processes appending five hundred entries each lose nothing and fork nothing",
  () => appendTogether(8, 500),
  HANG_GUARD_MS,
);
