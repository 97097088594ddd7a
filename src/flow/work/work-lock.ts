import { randomUUID } from "node:crypto";
import { existsSync, linkSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile, SwornError, sha256Hex } from "../../base/index.ts";
import { isOwnerGone, ownerOf } from "../../sandbox/index.ts";

const OWNER = "owner";
/** The first owner's file, and those of others who came after one that was gone. */
const OWNERS = /^owner(?:-[0-9a-f]{64})?$/;
const CANCEL = "cancel";
const BYTES_MAX = 4_096;
const TAKINGS_MAX = 1_000;
const LOOK_MS = 200;

/** One process at a time works on a work, and others can ask it to stop. */
export class WorkLock {
  readonly #folder: string;
  readonly #path: string;

  private constructor(folder: string, path: string) {
    this.#folder = folder;
    this.#path = path;
  }

  /** @throws SwornError `LEDGER_BUSY` when another process that is still there works on it. */
  static take(folder: string): WorkLock {
    // Written whole before it has its name: nobody reads half of it.
    const own = join(folder, `taking-${randomUUID()}`);
    writeFileSync(own, ownerOf(), { flag: "wx", mode: 0o600 });
    try {
      let path = join(folder, OWNER);
      for (let tries = 0; tries < TAKINGS_MAX; tries += 1) {
        if (isLinked(own, path)) {
          rmSync(join(folder, CANCEL), { force: true });
          return new WorkLock(folder, path);
        }
        const holder = holderIn(path);
        // It was released just now.
        if (holder === undefined) continue;
        if (!isOwnerGone(holder)) break;
        // Named after the one that is gone: of several who find it gone, one takes its place.
        path = join(folder, `${OWNER}-${sha256Hex(holder)}`);
      }
    } finally {
      rmSync(own, { force: true });
    }
    throw new SwornError(
      "LEDGER_BUSY",
      `another process works on it (${folder}); wait for it, or end it with sworn cancel`,
    );
  }

  /** Fires when the signal does, or somebody asked for it with {@link cancelWork}. */
  watch(signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
    const asked = new AbortController();
    const timer = setInterval(() => {
      if (existsSync(join(this.#folder, CANCEL))) asked.abort();
    }, LOOK_MS);
    return {
      signal: AbortSignal.any([signal, asked.signal]),
      end: () => clearInterval(timer),
    };
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }
}

/**
 * Asks whoever works on a work to stop.
 *
 * @throws SwornError `NOT_FOUND` when nobody does.
 */
export function cancelWork(folder: string): void {
  let isFree = false;
  try {
    WorkLock.take(folder).release();
    isFree = true;
  } catch (error) {
    if (!(error instanceof SwornError && error.code === "LEDGER_BUSY")) throw error;
  }
  if (isFree) {
    throw new SwornError("NOT_FOUND", `nobody works on ${folder}; "sworn resume" goes on with it`);
  }
  writeFileSync(join(folder, CANCEL), "");
}

/** Whether a process that is still there works on a work. Looks only, and may be over the next moment. */
export function isWorkedOn(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder)
    .filter((name) => OWNERS.test(name))
    .slice(0, TAKINGS_MAX)
    .some((name) => {
      const holder = holderIn(join(folder, name));
      return holder !== undefined && !isOwnerGone(holder);
    });
}

function holderIn(path: string): string | undefined {
  try {
    return readPlainFile(path, BYTES_MAX, "refuse").toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
