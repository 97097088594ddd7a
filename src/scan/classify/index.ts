export {
  CLASSIFY_BYTES_MAX,
  type ClassFinding,
  type ClassifyOptions,
  classify,
  type Judgement,
  notLookedInto,
  stricter,
} from "./classify.ts";
export { awaitingReview, type Clearance, type Held } from "./clearance.ts";
export { isSecretName, type SearchOptions } from "./find-all.ts";
export { findInUrl } from "./find-in-url.ts";
export { type Redaction, redact, redactJson } from "./redact.ts";
export { secretFileRule } from "./secret-file.ts";
export { raisedBy, sidecarBytes, sidecarPathOf, sidecarsAmong } from "./sidecar.ts";
