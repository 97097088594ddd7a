import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Clock, ownedBy, systemClock } from "../../base/index.ts";
import { makeRepository } from "../../repo/index.ts";
import { Place } from "../place.ts";

/** How often a folder is tried to be removed while something that was ended still lets go of it. */
const REMOVE_TRIES = 5;

/** A folder of its own for one attempt: project, keys and home are in it, and nothing of the user's. */
export class Ground {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly state: string;
  /** The user's search path and nothing else: no credential, no setting of git's. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;

  constructor(folder: string, path: string | undefined, signal: AbortSignal) {
    this.folder = folder;
    this.project = join(folder, "project");
    this.home = join(folder, "home");
    this.state = join(folder, "state");
    this.signal = signal;
    this.env = {
      ...(path === undefined ? {} : { PATH: path }),
      HOME: this.home,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
    };
    for (const made of [this.project, this.home]) mkdirSync(made, { recursive: true });
  }

  place(clock: Clock = systemClock): Place {
    return new Place({ store: join(this.project, ".sworn"), state: this.state, clock });
  }

  /** Writes files into the project and commits everything there. */
  async commit(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.project, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    await makeRepository(this.project, { env: this.env });
  }
}

/** A temporary folder while it is used; it is gone afterwards, however that ends. */
export async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), `sworn-prove-${ownedBy()}`));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: REMOVE_TRIES });
  }
}
