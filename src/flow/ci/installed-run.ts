import { lstatSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import { readCommitFile } from "../../run/proof/index.ts";
import type { Place } from "../place.ts";
import type { CheckScene, Ended, InstalledRun } from "./run-check.ts";

const LOCKFILE = "package-lock.json";
const LOCKFILE_BYTES_MAX = 16 << 20;
const PRINTED_BYTES_MAX = 8 << 20;

/** Who runs, and where the runs that pull are recorded. */
export interface InstallScene {
  readonly repository: Repository;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly place: Place;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
  /** What the project says; by default it is looked at. */
  readonly isAsked: boolean | undefined;
}

/**
 * Finds out which commits need an installation first: those whose lockfile pins something, where the
 * clone has nothing installed. It is `sworn exec --install`, with all of its rules and its record.
 */
export function installer(scene: InstallScene): CheckScene["installed"] {
  const { repository, isAsked } = scene;
  const modules = join(repository.root, "node_modules");
  const hasModules = lstatSync(modules, { throwIfNoEntry: false })?.isDirectory() === true;
  return async (commit) => {
    if (!(isAsked ?? !hasModules)) return undefined;
    return (await pinsSomething(repository, commit)) ? runInstalled(scene) : undefined;
  };
}

async function pinsSomething(repository: Repository, commit: string): Promise<boolean> {
  const file = await readCommitFile(repository, commit, LOCKFILE);
  if (file.state !== "text") return false;
  try {
    const lock = parseJson(file.text, LOCKFILE_BYTES_MAX);
    const { packages, dependencies } = lock as Record<string, unknown>;
    const names = Object.keys((packages ?? dependencies ?? {}) as object);
    return names.some((name) => name !== "");
  } catch {
    // The installation then says what is wrong with it.
    return true;
  }
}

function runInstalled(scene: InstallScene): InstalledRun {
  return async (argv, commit): Promise<Ended> => {
    // Only such runs load the proxy and the policies.
    const { exec } = await import("../exec/exec.ts");
    const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let bytes = 0;
    const { place, seconds } = scene;
    const outcome = await exec({
      ...{ argv, folder: scene.repository.root, at: commit, env: scene.env, home: scene.home },
      ...{ environment: "host", rationale: "host: checks of a pull request", engine: "bwrap" },
      ...{ pull: ["npm"], isPinned: true, installs: true, out: undefined, seed: "0" },
      ...{ spendThousandths: 0, stdin: undefined, state: place.state },
      limits: { step_seconds: seconds },
      signal: scene.signal,
      placeFor: () => place,
      onStep: scene.onStep,
      onOutput: (stream, chunk) => {
        bytes += chunk.length;
        if (bytes <= PRINTED_BYTES_MAX) printed[stream].push(chunk);
      },
    });
    const [stdout = "", stderr = ""] = [printed.stdout, printed.stderr].map((chunks) =>
      Buffer.concat(chunks).toString("utf8"),
    );
    const output = `${stdout}\n${stderr}`;
    const { refused, isNotInstalled, exit: code, limit } = outcome;
    if (refused !== undefined) {
      return { undecided: `refused by ${refused.rule}: ${refused.reason}`, output };
    }
    if (isNotInstalled) return { undecided: `what ${LOCKFILE} pins cannot be installed`, output };
    const unseen = { signal: undefined, report: undefined, left: [], lacking: undefined };
    return { code, limit, stdout, stderr, ...unseen };
  };
}
