import { type ExecFileException, execFile } from "node:child_process";
import type { HostOwner } from "../engine.ts";

const TRIAL_MS_MAX = 10_000;

/** How a program ended that was only tried. */
export interface Trial {
  /** Undefined when it could not be started, or was ended because it took too long. */
  readonly code: number | undefined;
  readonly error: ExecFileException | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a program to see whether it works, as who tasks will be. It never throws. */
export function tryProgram(
  program: string,
  args: readonly string[],
  owner?: HostOwner,
): Promise<Trial> {
  const options = {
    encoding: "utf8",
    timeout: TRIAL_MS_MAX,
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    cwd: "/",
    ...owner,
  } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (failure, stdout, stderr) => {
      const error = failure ?? undefined;
      const code = error === undefined ? 0 : error.code;
      resolve({ code: typeof code === "number" ? code : undefined, error, stdout, stderr });
    });
  });
}
