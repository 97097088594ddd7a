import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockOwner, removeQuietly, SwornError, takeLock } from "../../base/index.ts";
import { isOwnerGone, ownerOf } from "../../sandbox/index.ts";

const OWNER = "owner";
/** The first owner's file, and those of others who came after one that was gone. */
const OWNERS = /^owner(?:-[0-9a-f]{64})?$/;
const CANCEL = "cancel";
const OWNERS_MAX = 1_000;
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
    const path = takeLock(folder, OWNER, ownerOf(), isOwnerGone);
    if (path !== undefined) {
      rmSync(join(folder, CANCEL), { force: true });
      return new WorkLock(folder, path);
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

  /** One that cannot be removed is taken over when this process is gone; what it was taken for is done. */
  release(): void {
    removeQuietly(this.#path);
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
    .slice(0, OWNERS_MAX)
    .some((name) => {
      const holder = lockOwner(join(folder, name));
      return holder !== undefined && !isOwnerGone(holder);
    });
}
