import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const HALF_MADE = /^\.trace_[0-9A-Z]{26}\.packet\.tar(?:\.age)?\.tmp$/;
/** Begins the name of the folder in which a packet is made that is sent. */
export const PACKET_FOLDER = "sworn-packet-";
/** No packet takes as long to be sent, at the slowest that is waited for and as often as it is tried. */
const STALE_MS = 2 * 86_400_000;

/**
 * Takes away what a delivery left that was ended before it could: half a packet in a folder, and
 * folders in which one waited to be sent. What others own or still write is left alone.
 */
export function sweepPackets(folder: string, kind: "sink" | "temporary"): void {
  const uid = process.getuid?.();
  const isOurs = (name: string) =>
    kind === "sink" ? HALF_MADE.test(name) : name.startsWith(PACKET_FOLDER);
  for (const name of namesIn(folder).filter(isOurs)) {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    const isKind = kind === "sink" ? found?.isFile() : found?.isDirectory();
    if (found?.uid !== uid || !isKind || !isStale(path)) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

/** A sink that may be written to and not listed is a sink all the same. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isStale(path: string): boolean {
  const { mtimeMs } = lstatSync(path);
  const inside = lstatSync(path).isDirectory() ? readdirSync(path) : [];
  const times = inside.map((name) => lstatSync(join(path, name)).mtimeMs);
  return Date.now() - Math.max(mtimeMs, ...times) > STALE_MS;
}
