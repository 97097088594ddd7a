export { ARTIFACT_PREFIX, type OpenBundle, openBundle, SMALL_MEMBER_BYTES_MAX } from "./bundle.ts";
export { isBetter } from "./evidence.ts";
export { type ProofVerdict, verifyProof } from "./proof.ts";
export { salvageLines } from "./salvage.ts";
export type { TraceSource, VerifyOptions } from "./source.ts";
export type { FileWindow } from "./tar-members.ts";
export { keysDocument, verifyBundle, verifyTrace } from "./verify.ts";
