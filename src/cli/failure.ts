import { type ErrorCode, messageOf, SwornError } from "../base/index.ts";
import type { Answer, Io } from "./io.ts";
import { roomWords } from "./room-words.ts";

/** The exit code of every operating error. */
const EXIT_CODES: Readonly<Record<ErrorCode, 1 | 2 | 3 | 4>> = {
  INPUT_INVALID: 2,
  LIMIT_EXCEEDED: 2,
  NOT_FOUND: 2,
  ALREADY_EXISTS: 3,
  PATH_ESCAPES: 3,
  KEY_EXPOSED: 3,
  KEY_LOCKED: 3,
  KEY_UNUSABLE: 3,
  LEDGER_BUSY: 1,
  LEDGER_CORRUPT: 4,
  LEDGER_BEHIND: 4,
  LEDGER_WRITE_FAILED: 1,
  LEDGER_COMMIT_UNKNOWN: 1,
  ARTIFACT_WRITE_FAILED: 1,
  STORE_UNREADABLE: 4,
  STORE_READ_ONLY: 1,
  BUNDLE_MALFORMED: 4,
  SANDBOX_FAILED: 1,
  SANDBOX_REFUSED: 3,
  ENVIRONMENT_CHANGED: 4,
  AGENT_UNHEARD: 1,
  DELIVERY_FAILED: 1,
};

/** Turns anything thrown into an answer. What we did not foresee is an operating error, never a pass. */
export function toAnswer(error: unknown, io?: Io): Answer {
  if (error instanceof Error && error.name === "AbortError") return interrupted();
  const code = error instanceof SwornError ? error.code : systemCode(error);
  const exit = error instanceof SwornError ? EXIT_CODES[error.code] : 1;
  const room = io && roomWords(error, io);
  const message = room === undefined ? messageOf(error) : `${messageOf(error)}; ${room}`;
  return { exit, json: { error: { code, message } }, words: `sworn: ${message} [${code}]` };
}

function interrupted(): Answer {
  const message = "stopped before the end; nothing was decided";
  return {
    exit: 1,
    json: { error: { code: "INTERRUPTED", message } },
    words: `sworn: ${message} [INTERRUPTED]`,
  };
}

function systemCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "UNEXPECTED";
}
