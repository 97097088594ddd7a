import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ensureFolder, readPlainFile, sha256Hex, writeFileDurably } from "../../base/index.ts";
import {
  isLockfilePath,
  isSbomDue,
  leaveSbom,
  packagesOfLockfile,
  packagesOfRoot,
  toSpdx,
} from "../../run/sbom/index.ts";
import { Digest } from "../../schema/index.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { Place } from "../place.ts";
import type { ExecScene } from "./exec.ts";

const LOCKFILE_BYTES_MAX = 64 * (1 << 20);
const SEEN_BYTES_MAX = 4 * (1 << 20);
const Seen = z.strictObject({
  environments: z.array(z.string()),
  lockfiles: z.record(z.string(), Digest),
});

/**
 * Leaves a list of parts among the output when the environment is seen for the first time in this
 * project or a lockfile changed since. What was seen is remembered with the user, not in the project.
 */
export function takeSbom(
  {
    place,
    environment,
    input,
    inputFolder,
  }: Pick<ExecScene, "place" | "environment" | "input" | "inputFolder">,
  copies: string,
): Manifest["sbom"] {
  const lockfiles = lockfilesIn(inputFolder, input.paths);
  const hashes = new Map([...lockfiles].map(([path, text]) => [path, sha256Hex(text)]));
  const seen = readSeen(place);
  if (!isSbomDue(seen, environment.digest, hashes)) return null;
  const root = environment.root.kind === "folder" ? environment.root.path : "/";
  const subject = {
    name: environment.name,
    digest: environment.digest,
    sourceDateEpoch: input.seconds,
  };
  const document = toSpdx(subject, [
    ...packagesOfRoot(root),
    ...[...lockfiles].flatMap(([path, text]) => packagesOfLockfile(path, text)),
  ]);
  const path = leaveSbom(copies, environment.digest, document);
  remember(place, {
    environments: [...seen.environments, environment.digest],
    lockfiles: { ...Object.fromEntries(seen.lockfiles), ...Object.fromEntries(hashes) },
  });
  return { path, sha256: sha256Hex(document) };
}

/** The lockfiles among the input, by their paths. */
export function lockfilesIn(folder: string, paths: readonly string[]): Map<string, string> {
  const found = paths.filter(isLockfilePath);
  return new Map(
    found.map((path) => [
      path,
      readPlainFile(join(folder, path), LOCKFILE_BYTES_MAX, "refuse").toString(),
    ]),
  );
}

function seenPath({ state, store }: Place): string {
  return join(state, "sbom", `${sha256Hex(store)}.json`);
}

function readSeen(place: Place) {
  const path = seenPath(place);
  const nothing = { environments: new Set<string>(), lockfiles: new Map<string, string>() };
  if (!existsSync(path)) return nothing;
  const parsed = Seen.safeParse(JSON.parse(readPlainFile(path, SEEN_BYTES_MAX).toString()));
  // What cannot be read was not seen: one list too many does no harm.
  if (!parsed.success) return nothing;
  const { environments, lockfiles } = parsed.data;
  return { environments: new Set(environments), lockfiles: new Map(Object.entries(lockfiles)) };
}

function remember(place: Place, seen: z.infer<typeof Seen>): void {
  ensureFolder(join(place.state, "sbom"));
  writeFileDurably(seenPath(place), `${JSON.stringify(seen)}\n`);
}
