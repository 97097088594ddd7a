import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { SwornError } from "../../base/index.ts";

/** What a task prints to: the ends it gets, and ours. */
export interface OutputPipes {
  /** File descriptors for the task: output, errors. */
  readonly inside: readonly number[];
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Lets go of the task's ends, so that they close when it does. */
  closeInside(): void;
}

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/**
 * Pipes as a shell makes them. Node gives children sockets instead, and a task that opens
 * `/dev/stderr` finds that a socket cannot be opened.
 *
 * @throws SwornError `SANDBOX_FAILED`.
 */
export function openOutputPipes(): OutputPipes {
  const folder = mkdtempSync(join(tmpdir(), "sworn-pipes-"));
  const open: number[] = [];
  const openPipe = (path: string, flags: number): number => {
    const fd = openSync(path, flags);
    open.push(fd);
    return fd;
  };
  try {
    // A task may open its own streams again, by name and as another user; the folder keeps others out.
    const paths = ["out", "err"].map((name) => join(folder, name));
    const made = spawnSync("mkfifo", ["-m", "666", ...paths], { env: { PATH: process.env.PATH } });
    if (made.status !== 0) {
      throw new SwornError("SANDBOX_FAILED", "the pipes of the task could not be made by mkfifo");
    }
    // Reading first: a pipe opens for writing at once only while somebody reads it.
    const ours = paths.map((path) => openPipe(path, O_RDONLY | O_NONBLOCK));
    const inside = paths.map((path) => openPipe(path, O_WRONLY));
    const [stdout, stderr] = ours.map((fd) => new Socket({ fd, readable: true, writable: false }));
    if (!stdout || !stderr) throw new SwornError("SANDBOX_FAILED", "a pipe is missing");
    const closeInside = () => {
      for (const fd of inside) closeSync(fd);
    };
    return { inside, stdout, stderr, closeInside };
  } catch (error) {
    for (const fd of open) closeSync(fd);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
