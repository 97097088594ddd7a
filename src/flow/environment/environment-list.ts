import { SwornError } from "../../base/index.ts";
import { openEnvironment, readLocked } from "../../sandbox/environment/index.ts";
import type { Place } from "../place.ts";

/** An environment that was built here, and whether its files are still the ones that were built. */
export interface ListedEnvironment {
  readonly name: string;
  readonly digest: string;
  readonly built_at: string;
  readonly packages: number;
  /** `sound` by its seal, `verified` by all of its content, or `changed`. */
  readonly state: "sound" | "verified" | "changed";
  readonly problem?: string;
}

/**
 * All environments of this user. A thorough look reads every file; otherwise the seal is believed
 * while it holds.
 */
export async function listEnvironments(
  place: Place,
  options: {
    readonly isThorough?: boolean;
    readonly signal?: AbortSignal;
    readonly onFiles?: (count: number) => void;
  } = {},
): Promise<ListedEnvironment[]> {
  const listed: ListedEnvironment[] = [];
  for (const { name, digest, built_at, packages } of readLocked(place.state)) {
    const found = { name, digest, built_at, packages: packages.length };
    try {
      await openEnvironment(place.state, digest, options);
      listed.push({ ...found, state: options.isThorough ? "verified" : "sound" });
    } catch (error) {
      // One that was changed is listed as that; what else went wrong is not ours to judge.
      if (!(error instanceof SwornError) || error.code !== "ENVIRONMENT_CHANGED") throw error;
      listed.push({ ...found, state: "changed", problem: error.message });
    }
  }
  return listed;
}
