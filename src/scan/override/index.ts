export { findBroken, findOverrides, mayOverride, type OverrideHit } from "./find-overrides.ts";
