import type { SealedEnd } from "./sealed-run.ts";

/** What `env` ends with when there is no such program, or none that may be started. */
const NOT_FOUND = [126, 127];
/** What is said when the runner itself is not installed, or lies where a sandbox cannot look. */
const RUNNER_MISSING =
  /Cannot find module '[^'\n]{0,200}\/node_modules\/(?:vitest|jest|mocha)\/[^'\n]{0,200}'|No module named '?pytest\b|could not determine executable to run|(?:vitest|jest|mocha|pytest): (?:command )?not found/;

/** What a command said of a test runner that is not there. */
export function missingRunner(output: string): string | undefined {
  return RUNNER_MISSING.exec(output)?.[0];
}

/** Why a command's end decides nothing; undefined when it ended by itself. */
export function undecided(
  { limit, signal, code }: SealedEnd,
  argv: readonly string[],
): string | undefined {
  const what = argv[0] ?? "";
  if (limit === "step_seconds" || limit === "job_seconds") return `${what} ran out of time`;
  if (limit !== undefined) return `${what} was ended by ${limit}`;
  if (signal !== undefined) return `${what} was ended by ${signal}`;
  return code === undefined ? `${what} ended in an unknown way` : undefined;
}

/** Whether the program itself is missing in the environment, rather than something that it looked for. */
export function isMissing({ code, stderr, stdout }: SealedEnd, argv: readonly string[]): boolean {
  if (code === undefined || !NOT_FOUND.includes(code) || stdout !== "") return false;
  const name = argv[0] ?? "";
  return (
    /^\S{0,40}env: /.test(stderr) && stderr.includes(name) && stderr.trim().split("\n").length === 1
  );
}

/** What a command printed, both streams, for a report. */
export function printedBy({ stdout, stderr }: SealedEnd): string {
  return stderr === "" || stdout === "" ? stdout + stderr : `${stdout}\n[stderr]\n${stderr}`;
}
