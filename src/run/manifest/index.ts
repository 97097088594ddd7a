export { type Comparison, compareManifests, type Difference } from "./compare-manifests.ts";
export { type Instant, makeManifest, type RunRecord } from "./make-manifest.ts";
export {
  type ManifestVerdict,
  manifestBytes,
  manifestDigest,
  signManifest,
  summaryOf,
  verifyManifest,
} from "./sign-manifest.ts";
