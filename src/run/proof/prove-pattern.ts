import { inAMoment } from "../../base/index.ts";
import { ambiguityOf } from "../../scan/security/pattern/index.ts";
import { readCommitFile } from "./commit-file.ts";
import { inThread } from "./in-thread.ts";
import { fail, pass, quoted, unproven } from "./outcome.ts";
import type { Prove } from "./scene.ts";

const MATCH_MS_MAX = 2_000;
const LINE_CHARS_SHOWN = 300;

/** The number of the first line that matches, and zero when none does; all that it needs is in it. */
function firstMatch(pattern: string, lines: readonly string[]): number {
  const expression = new RegExp(pattern, "u");
  return lines.findIndex((line) => expression.test(line)) + 1;
}

const FIND = `
const { parentPort, workerData } = require("node:worker_threads");
${firstMatch}
parentPort.postMessage(firstMatch(workerData.pattern, workerData.lines));
`;

/** A regular expression matches some line of a file, or none. */
export const provePattern: Prove<"pattern"> = async (proof, { repository, after }) => {
  const { path, pattern, present } = proof;
  const shown = quoted(pattern);
  const wrong = problemOf(pattern);
  if (wrong !== undefined) return unproven(proof, `${shown} ${wrong}`);
  const file = await readCommitFile(repository, after, path);
  // Also when nothing must match: a file that is not there shows nothing about its content.
  if (file.state === "absent") return fail(proof, `expected ${path}, found no such file`);
  if (file.state === "unread") return unproven(proof, file.why);
  const lines = file.text.split(/\r\n|\n|\r/);
  const found =
    inAMoment(() => firstMatch(pattern, lines)) ??
    (await inThread(FIND, { pattern, lines }, MATCH_MS_MAX));
  if (typeof found !== "number") {
    return unproven(proof, `${shown} on ${path} took more than ${MATCH_MS_MAX} ms and was ended`);
  }
  if (found === 0) {
    return present
      ? fail(proof, `expected a line of ${path} that matches ${shown}, found none`)
      : pass(proof, `no line of ${path} matches ${shown}`);
  }
  const line = (lines[found - 1] ?? "").slice(0, LINE_CHARS_SHOWN);
  return present
    ? pass(proof, `line ${found} of ${path} matches ${shown}`, line)
    : fail(proof, `expected no line of ${path} that matches ${shown}, found line ${found}`, line);
};

/** Why a pattern is not tried at all. */
function problemOf(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
  } catch {
    return "is no regular expression (of JavaScript, with the flag u)";
  }
  // What could take exponential time is refused by what it is, whatever this file holds today.
  return ambiguityOf(pattern, "u")?.growth === "exponential"
    ? "could take exponential time, and is refused; write it without nested repetitions"
    : undefined;
}
