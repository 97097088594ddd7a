import { constants, createReadStream, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";

/**
 * Leads a descriptor into a connection until it ends; the end of the connection ends the reading.
 * The descriptor is handed over, as it would be to a process of our own.
 */
export function feed(descriptor: number, to: Duplex): void {
  const from = readerOf(descriptor);
  // What cannot be read any further is an input that has ended.
  from.once("error", () => to.end());
  to.once("close", () => from.destroy());
  from.pipe(to);
}

/**
 * A pipe is opened once more, without waiting: reading it like a file would keep a thread busy, and
 * with it the process, for as long as nobody writes.
 */
function readerOf(descriptor: number): Readable {
  const stat = fstatSync(descriptor);
  if (stat.isSocket()) return new Socket({ fd: descriptor, readable: true, writable: false });
  if (!stat.isFIFO()) return createReadStream("", { fd: descriptor, autoClose: false });
  const own = openSync(`/proc/self/fd/${descriptor}`, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd: own, readable: true, writable: false });
}
