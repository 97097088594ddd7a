import { copyFileSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Mount } from "../../sandbox/index.ts";
import type { MountKind } from "../../schema/admission.ts";
import { TOOLING } from "../../schema/execution.ts";
import { RunSocket, type RunSocketOptions } from "./run-socket.ts";

/**
 * All that `sworn` is inside a run: one file that needs nothing but Node.js. The store, the keys and every
 * other part of this package stay outside.
 */
const BUILT = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/joined/inside.mjs" : "../../joined/inside.mjs",
    import.meta.url,
  ),
);

/** The tooling of one run, there until it is closed. */
export interface RunTooling {
  readonly socket: RunSocket;
  readonly close: () => Promise<void>;
}

/** What the sandbox of a run sees of its tooling; none of it can be changed from inside. */
export function toolingMount(folder: string): Mount & { readonly kind: MountKind } {
  return { source: folder, target: TOOLING.folder, isWritable: false, kind: "system" };
}

/**
 * Makes ready what a run needs to speak to the runtime: a socket of its own, and a `sworn` that
 * knows no other way.
 *
 * @throws SwornError when the socket cannot be made.
 */
export async function openRunTooling(options: RunSocketOptions): Promise<RunTooling> {
  layOut(options.folder);
  const socket = await RunSocket.listen(options);
  return { socket, close: () => socket.close() };
}

function layOut(folder: string): void {
  const bin = join(folder, "bin");
  mkdirSync(bin, { mode: 0o755 });
  copyFileSync(BUILT, join(folder, "inside.mjs"));
  const start = `#!${nodeInside()}\nimport("${TOOLING.folder}/inside.mjs");\n`;
  writeFileSync(join(bin, "sworn"), start, { mode: 0o755 });
}

/** Where the machine's root puts the Node.js that runs us. */
function nodeInside(): string {
  const program = realpathSync(process.execPath);
  return program.startsWith("/usr/") ? program : "/opt/node/bin/node";
}
