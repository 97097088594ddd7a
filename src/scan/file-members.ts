import type { FileMember } from "./reviewer.ts";
import { isReadable } from "./syntax/readable.ts";

/** What is said of the built-in security reviewer. */
export const SECURITY: FileMember = {
  name: "security",
  role: "follows values from outside to where they do harm",
  prefix: "SEC",
  doubtsMarks: true,
  covers: isReadable,
};

/** What is said of the built-in reviewer for secrets. */
export const SECRET: FileMember = {
  name: "secret",
  role: "looks for keys, tokens and passwords in the source",
  prefix: "KEY",
  doubtsMarks: true,
  covers: () => true,
};

/** What is said of the built-in reviewer for correctness. */
export const CORRECTNESS: FileMember = {
  name: "correctness",
  role: "looks for code that cannot do what it says",
  prefix: "COR",
  covers: isReadable,
};

/**
 * Who judges each file by itself. They work on threads of their own, and only there are they and
 * their parsers loaded.
 */
export const FILE_MEMBERS: readonly FileMember[] = [SECURITY, SECRET, CORRECTNESS];
