export type { Severity } from "./personal-hit.ts";
export { findPersonal, type PersonalHit, scanPersonal } from "./scan-personal.ts";
