import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

const REPORT_BYTES_MAX = 16 * (1 << 20);

/**
 * A file that something inside left for us; undefined when there is none. Whatever ran may have put
 * anything in its place: a link, a pipe, or more than can be held.
 */
export function readReport(path: string): string | undefined {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch {
    // Not there, or no file: then there is no report.
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > REPORT_BYTES_MAX) return undefined;
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}
