// Looks, from outside and some hundred times a second, whether a process has a child that is at work.
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** A git that waits to be asked is not at work, and a child that has ended is none any more. */
const WAITING = ["cat-file", "update-ref --stdin"];

/**
 * Milliseconds from now until the process ends in which none of its children was at work.
 *
 * @param isOver tells whether the process has ended
 */
export async function timeAlone(pid, isOver) {
  const known = new Map();
  let alone = 0;
  let before = performance.now();
  while (!isOver()) {
    const isAlone = !childrenOf(pid).some((child) => isAtWork(child, known));
    await wait(2);
    const now = performance.now();
    if (isAlone) alone += now - before;
    before = now;
  }
  return alone;
}

function childrenOf(pid) {
  return read(`/proc/${pid}/task/${pid}/children`).trim().split(" ").filter(Boolean);
}

/** Its command is read once it is its own: until then it is still a copy of its parent. */
function isAtWork(pid, known) {
  const state = read(`/proc/${pid}/stat`).replace(/^.*\) /s, "")[0];
  if (state === undefined || state === "Z" || state === "X") return false;
  if (known.get(pid) === undefined) {
    const words = read(`/proc/${pid}/cmdline`).split("\0").filter(Boolean);
    if (words.length === 0 || words.includes("--import")) return true;
    known.set(
      pid,
      WAITING.some((command) => words.join(" ").includes(` ${command}`)),
    );
  }
  return !known.get(pid);
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It is gone.
    return "";
  }
}
