import { test } from "vitest";
import { survivesKills } from "../fault/kill.ts";

/** A guard against hanging: each round checks a trace that has grown to thousands of entries. */
const HANG_GUARD_MS = 1_800_000;

test(
  "a writer killed two hundred times at any moment loses nothing that was acknowledged",
  () => survivesKills(200),
  HANG_GUARD_MS,
);
