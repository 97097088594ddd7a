import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SwornError } from "../../base/index.ts";
import { makeFolderIn } from "../../repo/index.ts";
import type { Plan } from "../../schema/plan.ts";
import type { Sentinel } from "../../schema/work.ts";
import { judgeSentinel, SENTINEL_NAME, type SentinelVerdict, writeSentinel } from "./sentinel.ts";

/** The folder that all staging folders lie in, at the top of a tree. */
export const STAGING_ROOT = ".forge-staging";
const BUILD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const OUTPUT_CHARS_MAX = 500;
const RETRIES_MAX = 20;
const IN_THE_WAY = ["EEXIST", "ENOTEMPTY", "ENOTDIR"];

/** The staging folder of one subtask, seen from the top of whatever tree it is in. */
export interface Staging {
  readonly folder: string;
  /** The output's name in it. */
  readonly output: string;
}

/** A file that a worker left in its staging folder. */
export interface StagedFile {
  /** Seen from the staging folder. */
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Where a subtask stages. Plans name absolute folders; of them only the build's name and the output's
 * name are taken, so that no plan decides where on this machine anything is written.
 *
 * @throws SwornError `INPUT_INVALID` for a path that is none of these.
 */
export function stagingOf({ staging_paths }: Pick<Plan, "staging_paths">, id: string): Staging {
  const named = staging_paths[id];
  if (named === undefined) throw wrong(id, "there is none");
  const parts = named.staging_dir.split("/").filter((part) => part !== "");
  const at = parts.lastIndexOf(STAGING_ROOT);
  const [build = "", own, ...more] = at < 0 ? [] : parts.slice(at + 1);
  if (!BUILD.test(build) || own !== `polecat_${id}` || more.length > 0) {
    throw wrong(id, named.staging_dir);
  }
  const output = nameIn(named.staging_dir, named.output_file);
  const sentinel = nameIn(named.staging_dir, named.sentinel_file);
  if (output === undefined || !isPlainPath(output) || output === SENTINEL_NAME) {
    throw wrong(id, named.output_file);
  }
  if (sentinel !== SENTINEL_NAME) throw wrong(id, named.sentinel_file);
  return { folder: [STAGING_ROOT, build, own].join("/"), output };
}

function isPlainPath(path: string): boolean {
  return (
    path.length <= OUTPUT_CHARS_MAX &&
    !/[\p{C}\\]/u.test(path) &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

function nameIn(folder: string, file: string): string | undefined {
  const base = folder.replace(/\/+$/, "");
  return file.startsWith(`${base}/`) ? file.slice(base.length).replace(/^\/+/, "") : undefined;
}

function wrong(id: string, found: string): SwornError {
  const form = `${STAGING_ROOT}/<build>/polecat_${id}/ with an output file and ${SENTINEL_NAME} in it`;
  return new SwornError(
    "INPUT_INVALID",
    `staging_paths of ${id}: expected an absolute path that ends in ${form}, found ${JSON.stringify(found.slice(0, 200))}`,
  );
}

/** The staging folders in the project itself: copies of what was recorded, which nothing reads back. */
export class ProjectStaging {
  readonly #root: string;
  #isIgnored = false;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Makes a subtask's folder anew and says whether an older sentinel was in it; nothing of an earlier
   * build or try is left that somebody could take for this one's.
   *
   * @throws SwornError `INPUT_INVALID` when the project has a link in its place.
   */
  clear({ folder }: Staging): { readonly hadSentinel: boolean } {
    makeFolderIn(this.#root, STAGING_ROOT);
    this.#ignore();
    makeFolderIn(this.#root, folder);
    const path = join(this.#root, folder);
    const names = readdirSync(path);
    if (names.length > 0) {
      rmSync(path, { recursive: true, force: true, maxRetries: RETRIES_MAX });
      // Another work on the same plan may have made it meanwhile.
      mkdirSync(path, { recursive: true });
    }
    return { hadSentinel: names.includes(SENTINEL_NAME) };
  }

  /** Copies of outputs are no source: they must not end in a commit by accident. */
  #ignore(): void {
    if (this.#isIgnored) return;
    writeFileSync(join(this.#root, STAGING_ROOT, ".gitignore"), "*\n");
    this.#isIgnored = true;
  }

  /** Puts what a subtask handed in where the plan says it lies, with its sentinel: all of it at once. */
  publish(staging: Staging, files: readonly StagedFile[], sentinel: Sentinel): void {
    makeFolderIn(this.#root, STAGING_ROOT);
    this.#ignore();
    makeFolderIn(this.#root, staging.folder);
    const folder = join(this.#root, staging.folder);
    const aside = join(dirname(folder), `.${basename(folder)}-${randomUUID()}`);
    try {
      mkdirSync(aside);
      for (const { path, bytes } of files) {
        const target = join(aside, path);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, bytes, { flag: "wx" });
      }
      writeSentinel(join(aside, SENTINEL_NAME), sentinel);
      putInPlace(aside, folder);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  }

  /** Holds the sentinel that lies there against the recorded one. */
  judge({ folder }: Staging, expected: Sentinel): SentinelVerdict {
    return judgeSentinel(join(this.#root, folder, SENTINEL_NAME), expected);
  }
}

/** Two works on one plan share a folder: the one that comes last is seen, and neither sees half of the other. */
function putInPlace(aside: string, folder: string): void {
  for (let tries = 0; ; tries += 1) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: RETRIES_MAX });
      renameSync(aside, folder);
      return;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (!IN_THE_WAY.includes(code) || tries >= RETRIES_MAX) throw error;
    }
  }
}
