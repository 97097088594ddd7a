export { type GateReason, type LicencePolicy, licenceGate } from "./licence-gate.ts";
export {
  isLockfilePath,
  isUnreadLockfile,
  packagesOfLockfile,
  packagesOfRoot,
} from "./packages-of.ts";
export { isSbomDue, leaveSbom, type SbomSeen, whySbomDue } from "./sbom-due.ts";
export type { SbomPackage } from "./sbom-package.ts";
export { type SbomSubject, toSpdx } from "./spdx.ts";
