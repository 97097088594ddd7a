import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { SwornError } from "../../base/index.ts";

const FILE_BYTES_MAX = 1 << 30;
const PIECE_BYTES = 1 << 20;

/**
 * What a task may have as its standard input. A descriptor can be opened again from inside: a folder
 * would lead out of the sandbox, and a file could be written to. So a pipe is handed on, of a file a
 * copy that has no name, and nothing else.
 *
 * @throws SwornError `LIMIT_EXCEEDED` for a file that is too large to be copied.
 */
export function taskInput(given: number | undefined, folder: string): number | undefined {
  if (given === undefined) return undefined;
  const found = fstatSync(given);
  if (found.isFIFO()) return given;
  return found.isFile() ? copyOf(given, folder) : undefined;
}

/** Whether somebody may have meant to hand something over and did not: Node gives its children sockets. */
export function isSocket(given: number | undefined): boolean {
  return given !== undefined && fstatSync(given).isSocket();
}

function copyOf(given: number, folder: string): number {
  const path = join(folder, "stdin");
  const { O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;
  const copy = openSync(path, O_WRONLY | O_CREAT | O_EXCL, 0o444);
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    let total = 0;
    for (let read = readSync(given, piece); read > 0; read = readSync(given, piece)) {
      total += read;
      if (total > FILE_BYTES_MAX) {
        throw new SwornError("LIMIT_EXCEEDED", `stdin: expected at most ${FILE_BYTES_MAX} bytes`);
      }
      writeSync(copy, piece, 0, read);
    }
    return openSync(path, O_RDONLY);
  } finally {
    closeSync(copy);
    rmSync(path);
  }
}
