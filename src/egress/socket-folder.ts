import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SwornError } from "../base/index.ts";

/** The name of the proxy's socket in its folder. */
export const SOCKET_NAME = "egress.sock";

/** A folder that is held open, so that a socket can be bound in it whatever the length of its path. */
export interface SocketFolder {
  /** Where the socket is for others. */
  readonly socketPath: string;
  /** A short way to the same place: the kernel takes 107 bytes. */
  readonly bindPath: string;
  close(): void;
}

/**
 * Opens the folder a socket is to lie in.
 *
 * @throws SwornError `NOT_FOUND` for no folder, `KEY_EXPOSED` when others on this machine could
 * reach the socket: the folder or the one it lies in must be closed to them (0700).
 */
export function openSocketFolder(path: string): SocketFolder {
  const folder = resolve(path);
  const fd = openFolder(folder);
  const isClosed = (mode: number) => (mode & 0o077) === 0;
  if (!isClosed(fstatSync(fd).mode) && !isClosed(statSync(dirname(folder)).mode)) {
    closeSync(fd);
    throw new SwornError(
      "KEY_EXPOSED",
      `${folder} is open to other users of this machine; make it or its parent 0700`,
    );
  }
  let isOpen = true;
  return {
    socketPath: join(folder, SOCKET_NAME),
    bindPath: `/proc/self/fd/${fd}/${SOCKET_NAME}`,
    // Closed a second time, the number may be somebody else's by then.
    close: () => {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

function openFolder(folder: string): number {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (cause) {
    throw new SwornError("NOT_FOUND", `${folder}: expected a folder for the proxy's socket`, {
      cause,
    });
  }
}

/**
 * Removes a socket that a crashed run left.
 *
 * @throws SwornError `ALREADY_EXISTS` when something else has that name.
 */
export function removeStaleSocket(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new SwornError("ALREADY_EXISTS", `${path} is there and is no socket; remove it`);
  }
  unlinkSync(path);
}
