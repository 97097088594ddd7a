import { type ExecFileException, execFile } from "node:child_process";
import { messageOf } from "../../base/index.ts";
import type { HostOwner } from "../engine.ts";

const TRIAL_MS_MAX = 10_000;

/** How a program ended that was only tried. */
export interface Trial {
  /** Undefined when it could not be started, or was ended. */
  readonly code: number | undefined;
  /** Why there is no code; empty where there is one. */
  readonly why: string;
  /** Whether there is no program of that name. */
  readonly isMissing: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts a program to see whether it works, as who tasks will be. It never throws: several are tried at
 * once, before anybody waits for one of them.
 */
export async function tryProgram(
  program: string,
  args: readonly string[],
  owner?: HostOwner,
  msMax = TRIAL_MS_MAX,
): Promise<Trial> {
  const options = {
    encoding: "utf8",
    timeout: msMax,
    // One that does not heed a milder one would be waited for without end.
    killSignal: "SIGKILL",
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    cwd: "/",
    ...owner,
  } as const;
  try {
    return await new Promise<Trial>((resolve) => {
      execFile(program, args, options, (failure, stdout, stderr) => {
        resolve({ ...endOf(failure, msMax), stdout, stderr });
      });
    });
  } catch (error) {
    // Some reasons why a program cannot be started are thrown at once, others are told later.
    return { ...notStarted(error), stdout: "", stderr: "" };
  }
}

type End = Pick<Trial, "code" | "why" | "isMissing">;

function endOf(failure: ExecFileException | null, msMax: number): End {
  if (failure === null) return { code: 0, why: "", isMissing: false };
  const { code, signal, killed } = failure;
  if (typeof code === "number") return { code, why: "", isMissing: false };
  if (killed) return ended(`it did not end within ${msMax} ms`);
  return signal ? ended(`it was ended by ${signal}`) : notStarted(failure);
}

function ended(why: string): End {
  return { code: undefined, why, isMissing: false };
}

function notStarted(error: unknown): End {
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
  return { code: undefined, why: `it could not be started: ${messageOf(error)}`, isMissing };
}
