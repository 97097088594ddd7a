import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { RunInfo } from "../../schema/run-info.ts";

const STDERR_BYTES = 4_096;
const COMPLAINT_CHARS_MAX = 300;
/** What Node.js itself adds below an error that nobody caught. */
const NODE_VERSION = /^Node\.js v\d+\.\d+\.\d+\S*$/;
const NAMED_ERROR = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/;
const STACK_FRAME = /^at /;

/**
 * Why a run did not end well. A code alone says nothing: what its program complained about last stands behind it, on
 * one line and without what a terminal would obey.
 */
export function whyFailed({ error_summary: why, stderr_path: path }: RunInfo): string | undefined {
  // A model's own message says more than what its program printed around it.
  if (why === undefined || !/^exit code -?\d+$/.test(why)) return why;
  const words = complaintIn(path).replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ");
  const last = words.trim().slice(0, COMPLAINT_CHARS_MAX).toWellFormed();
  return last === "" ? why : `${why}; its last words on stderr: ${last}`;
}

/** The line of a failed agent's stderr that says what went wrong; empty when it said nothing. */
export function complaintIn(path: string): string {
  return complaintOf(endOf(path));
}

/** The last line, or the error itself where Node.js ended with it and then named its version. */
export function complaintOf(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const last = lines.at(-1) ?? "";
  if (!NODE_VERSION.test(last)) return last;
  const above = lines.slice(0, -1);
  const error = above.findLast((line) => NAMED_ERROR.test(line));
  return error ?? above.findLast((line) => !STACK_FRAME.test(line)) ?? last;
}

/** An agent can print as much as its limit allows; only the end of it is read. */
function endOf(path: string): string {
  const opened = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(STDERR_BYTES);
    const from = Math.max(0, fstatSync(opened).size - STDERR_BYTES);
    return bytes.toString("utf8", 0, readSync(opened, bytes, 0, STDERR_BYTES, from));
  } finally {
    closeSync(opened);
  }
}
