export { findOverrides, type OverrideHit } from "./find-overrides.ts";
