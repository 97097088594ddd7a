import * as z from "zod";
import { listEnvironments } from "../../flow/environment/environment-list.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { progress } from "../progress.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({ verify: z.boolean().default(false) });

export async function run({ verify }: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const shown = progress(io, "reading", "files");
  const environments = await listEnvironments(openPlace(io), {
    isThorough: verify,
    signal: io.signal,
    onFiles: shown.update,
  }).finally(shown.end);
  const rows = environments.map(({ name, digest, built_at, packages, state, problem }) => [
    name,
    digest,
    built_at,
    String(packages),
    problem ?? state,
  ]);
  const words =
    environments.length === 0
      ? 'No environments were built here yet; "sworn env build base" makes one.'
      : table(["NAME", "DIGEST", "BUILT", "PACKAGES", "STATE"], rows, io.columns);
  const isSound = environments.every(({ state }) => state !== "changed");
  return { exit: isSound ? 0 : 4, json: { environments }, words, isAnswered: true };
}
