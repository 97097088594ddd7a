/** The public interface of the package: record sessions, read them, verify them. */
export { SwornError } from "./base/index.ts";
export { type KeyChange, revokeKey, rotateKey } from "./flow/keys.ts";
export { Place, type PlaceOptions } from "./flow/place.ts";
export { Recorder, type RecordOutcome } from "./flow/record/recorder.ts";
export { readTrace, summarize } from "./flow/trace/look.ts";
export { EventRequest } from "./schema/index.ts";
