/**
 * An operating error: expected in production, and the caller's to handle. A verdict is never one of
 * these; a refusal is a value, because it is an answer and not an accident.
 */
export class SwornError extends Error {
  override readonly name = "SwornError";
  /** Stable across releases; messages are not. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The closed list of operating errors; surfaces map them to exit codes. */
export type ErrorCode =
  | "INPUT_INVALID"
  | "LIMIT_EXCEEDED"
  | "NOT_FOUND"
  | "ALREADY_EXISTS"
  | "PATH_ESCAPES"
  | "KEY_EXPOSED"
  | "KEY_LOCKED"
  | "KEY_UNUSABLE"
  | "LEDGER_BUSY"
  | "LEDGER_CORRUPT"
  | "LEDGER_BEHIND"
  | "LEDGER_WRITE_FAILED"
  | "LEDGER_COMMIT_UNKNOWN"
  | "ARTIFACT_WRITE_FAILED"
  | "STORE_UNREADABLE"
  | "STORE_READ_ONLY"
  | "BUNDLE_MALFORMED"
  | "SANDBOX_FAILED"
  | "SANDBOX_REFUSED"
  | "ENVIRONMENT_CHANGED"
  | "AGENT_UNHEARD"
  | "DELIVERY_FAILED";

/** A broken invariant is our bug: stop before anything is written on top of it. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${why}`);
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
