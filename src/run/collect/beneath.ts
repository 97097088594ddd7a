import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { assert, SwornError } from "../../base/index.ts";

/** Linux's flag for a handle to a name itself: nothing is opened, no pipe waits, no device stirs. */
export const O_PATH = 0o10000000;

/** An open folder; everything below it is reached from here and never by a path from the root. */
export interface Folder {
  readonly fd: number;
}

/**
 * The way to one name in an open folder. Node has no `openat`; the kernel resolves the first part
 * to exactly the folder that is open, whatever its path leads to by now, and the name has no slash.
 */
export function nameIn({ fd }: Folder, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), name]);
}

/** The open thing itself, for calls that take a path. */
export function pathOf({ fd }: Folder): string {
  return `/proc/self/fd/${fd}`;
}

/** Opens the folder at the top. The way to it is the caller's; a link in its own place is an error. */
export function openTop(path: string): Folder {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return { fd };
}

/** Opens a folder inside another one; a link in its place is an error. */
export function openFolder(folder: Folder, name: Buffer): Folder {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  return { fd: openSync(nameIn(folder, name), flags) };
}

/** Takes hold of whatever has this name without opening it. */
export function holdName(folder: Folder, name: Buffer): Folder {
  return { fd: openSync(nameIn(folder, name), O_PATH | constants.O_NOFOLLOW) };
}

export function statOf({ fd }: Folder): Stats {
  return fstatSync(fd);
}

/**
 * The mount that an open thing is on. Something of the host that is mounted inside can be on the same
 * device, so that the device number alone does not tell.
 */
export function mountOf({ fd }: Folder): string {
  const info = readFileSync(`/proc/self/fdinfo/${fd}`, "latin1");
  const id = /^mnt_id:\s*(\d+)$/m.exec(info)?.[1];
  assert(id !== undefined, "the kernel says on which mount an open file is");
  return id;
}

/** Whether anything is mounted below an open folder, in the only view that counts: our own. */
export function hasMountsBeneath(folder: Folder): boolean {
  const top = readlinkSync(pathOf(folder), { encoding: "latin1" });
  const lines = readFileSync("/proc/self/mountinfo", "latin1").split("\n");
  return lines.some((line) => {
    const point = (line.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    return point.startsWith(`${top}/`);
  });
}

export function close({ fd }: Folder): void {
  closeSync(fd);
}

/** What stands in the way of reading or removing, as the system names it. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

/** @throws SwornError `STORE_UNREADABLE` where there is no `/proc`: nothing could be kept inside. */
export function assertProc(): void {
  try {
    const here = openTop("/proc/self/fd");
    close(here);
  } catch (cause) {
    throw new SwornError(
      "STORE_UNREADABLE",
      "the files of a task are reached through /proc/self/fd, which is not there; mount /proc",
      { cause },
    );
  }
}
