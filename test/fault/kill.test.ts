import { test } from "vitest";
import { survivesKills } from "./kill.ts";

test("a writer killed at any moment loses nothing that was acknowledged", () => survivesKills(25));
