import { lstatSync, realpathSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { EngineRefusal } from "../engine.ts";

/** Where the engine listens when nobody says otherwise. */
export const DEFAULT_SOCKET = "/var/run/docker.sock";

/** The longest path that fits into a socket's address, its final zero included. */
const SOCKET_PATH_BYTES_MAX = 107;

/**
 * The socket of the engine on this machine, from what `DOCKER_HOST` says. Tasks run on the node
 * that judges them: an address that leads elsewhere is refused, whatever runs behind it.
 */
export function engineSocket(host: string | undefined): string | EngineRefusal {
  const path = pathOf(host ?? `unix://${DEFAULT_SOCKET}`);
  if (typeof path !== "string") return path;
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) {
    return remote(`${path} is longer than a socket's address can be`);
  }
  return socketAt(path);
}

function pathOf(host: string): string | EngineRefusal {
  const path = host.startsWith("unix://") ? host.slice("unix://".length) : undefined;
  if (path !== undefined && isAbsolute(path) && !path.includes("\0")) return path;
  return remote(`the engine's address is ${JSON.stringify(host.slice(0, 200))}`);
}

function socketAt(path: string): string | EngineRefusal {
  try {
    const real = realpathSync(path);
    if (statSync(real).isSocket() && !lstatSync(real).isSymbolicLink()) return real;
    return { control: "engine", reason: `${path} is no socket; start the engine first` };
  } catch {
    // A path that cannot be looked at is one that nothing listens on for us.
    return {
      control: "engine",
      reason: `nothing listens at ${path}; start the engine, or name its socket in DOCKER_HOST`,
    };
  }
}

function remote(found: string): EngineRefusal {
  const expected = "expected unix:// and the absolute path of a socket on this machine";
  return { control: "same_node", reason: `${found}; ${expected}` };
}
