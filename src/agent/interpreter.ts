import { closeSync, existsSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { ProgramMissing } from "./driver.ts";

/** What runs a script. */
export interface Interpreter {
  readonly path: string;
  readonly args: readonly string[];
}

/** As much of a first line as Linux itself looks at. */
const FIRST_LINE_BYTES = 256;

/**
 * What the first line of a script asks for, found now: inside a sandbox the PATH is another one.
 * Undefined for a program that is none.
 */
export function interpreterOf(
  path: string,
  lookUp: (name: string) => string | undefined,
): Interpreter | ProgramMissing | undefined {
  const line = firstLineOf(path);
  if (!line.startsWith("#!")) return undefined;
  const words = line
    .slice(2)
    .split(/[ \t]+/)
    .filter((word) => word !== "");
  const rest = basename(words[0] ?? "") === "env" ? words.slice(words[1] === "-S" ? 2 : 1) : words;
  const [name, ...args] = rest;
  if (name === undefined || name.startsWith("-") || name.includes("=")) {
    return { missing: `${path} begins with "${line}", which is not understood` };
  }
  const found = lookUp(name);
  if (found === undefined) return { missing: `${path} needs ${name}, which was not found` };
  // A virtual environment of Python is known by the path of the link, not of the file behind it.
  const isVirtual = isAbsolute(name) && existsSync(join(dirname(dirname(name)), "pyvenv.cfg"));
  return { path: isVirtual ? name : realpathSync(found), args };
}

function firstLineOf(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(FIRST_LINE_BYTES);
    const size = readSync(descriptor, bytes, 0, bytes.length, 0);
    return bytes.toString("latin1", 0, size).split("\n", 1)[0]?.trimEnd() ?? "";
  } finally {
    closeSync(descriptor);
  }
}
