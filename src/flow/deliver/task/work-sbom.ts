import * as z from "zod";
import { counted, messageOf, parseJson, SwornError } from "../../../base/index.ts";
import type { Repository } from "../../../repo/index.ts";
import {
  isLockfilePath,
  isUnreadLockfile,
  packagesOfLockfile,
  packagesOfRoot,
  type SbomPackage,
  toSpdx,
} from "../../../run/sbom/index.ts";
import type { Entry } from "../../../schema/index.ts";
import { findExecEnvironment } from "../../exec/exec-environment.ts";
import type { Place } from "../../place.ts";
import { soundText } from "../../trace/artifact-bytes.ts";

const LOCKFILES_MAX = 1_000;
const LOCKFILE_BYTES_MAX = 64 << 20;
const START_BYTES_MAX = 1 << 20;
const Start = z.looseObject({ environment: z.string().optional() });

/** The list of parts of a work, and what its packet says of it. */
export interface WorkSbom {
  /** Undefined where none is due. */
  readonly document: Buffer | undefined;
  readonly words: string;
}

/** What a list of parts is made from. */
export interface SbomSource {
  readonly place: Place;
  readonly repository: Repository;
  readonly commit: string;
  readonly entries: readonly Entry[];
  /** Whether the change carries files that are no text. */
  readonly hasBinaries: boolean;
}

/**
 * The list of parts (SPDX) of what is delivered: due where its files pin packages, or the change carries
 * binaries, which were made in some environment. It names the packages of every lockfile, and those of
 * the environment that the proofs ran in, as long as that is still the same; another one is never
 * listed in its place.
 *
 * @throws SwornError when a lockfile cannot be read: a list that silently lacks one would lie.
 */
export async function workSbom(source: SbomSource): Promise<WorkSbom> {
  const { read, unread } = await lockfilesOf(source);
  if (read.size === 0 && unread.length === 0 && !source.hasBinaries) {
    return { document: undefined, words: "none is due: no lockfile, no binaries in the change" };
  }
  const used = usedEnvironment(source);
  const root = await packagesOfEnvironment(source.place, used);
  const pinned = [...read].flatMap(([path, text]) => packagesOfLockfile(path, text));
  const [name = "unknown", digest = "unknown"] = used?.split("@") ?? [];
  const seconds = Math.floor(Date.parse(source.entries.at(-1)?.at ?? "") / 1_000);
  const subject = { name, digest, sourceDateEpoch: seconds };
  const from = [...read.keys()].join(", ");
  const words = [
    `\`sbom.spdx.json\`: ${counted(pinned.length, "package")} pinned by ${from === "" ? "no lockfile" : from}`,
    root.words,
    ...unread.map((path) => `${path} is of a kind that is not read: what it pins is not listed`),
  ];
  return { document: toSpdx(subject, [...root.packages, ...pinned]), words: words.join("; ") };
}

async function lockfilesOf({ repository, commit }: SbomSource) {
  const blobs = repository.openBlobs({ bytesMax: LOCKFILE_BYTES_MAX });
  const read = new Map<string, string>();
  const unread: string[] = [];
  try {
    for await (const { path, blob, size, kind } of repository.listTree(commit)) {
      if (kind !== "file") continue;
      if (isUnreadLockfile(path)) unread.push(path);
      if (!isLockfilePath(path)) continue;
      if (read.size >= LOCKFILES_MAX) throw unlisted(path, `more than ${LOCKFILES_MAX} lockfiles`);
      const content = await blobs.read(blob, size);
      if (content.state !== "content") throw unlisted(path, content.state);
      read.set(path, content.bytes.toString("utf8"));
    }
  } finally {
    await blobs.close();
  }
  return { read, unread: unread.slice(0, LOCKFILES_MAX) };
}

/** What the record says its proofs ran in; works from before that was recorded do not say. */
function usedEnvironment({ place, entries }: SbomSource): string | undefined {
  const [start] = entries
    .flatMap(({ artifacts }) => artifacts)
    .filter(({ name, bytes }) => name === "start" && bytes <= START_BYTES_MAX);
  if (start === undefined) return undefined;
  const text = soundText(place, start.hash);
  return Start.parse(parseJson(text, START_BYTES_MAX)).environment;
}

async function packagesOfEnvironment(
  { state }: Place,
  used: string | undefined,
): Promise<{ readonly packages: SbomPackage[]; readonly words: string }> {
  const none = (why: string) => ({ packages: [], words: `of the environment nothing: ${why}` });
  if (used === undefined) return none("the record does not say which it was");
  try {
    const { reference, root } = await findExecEnvironment(used.split("@")[0] ?? "", "bwrap", state);
    if (reference !== used) return none(`${used} has changed since`);
    const packages = packagesOfRoot(root.kind === "folder" ? root.path : "/");
    return { packages, words: `${counted(packages.length, "package")} of the environment ${used}` };
  } catch (error) {
    // Not there any more, or without a package database: the page says that it is not listed.
    return none(messageOf(error));
  }
}

function unlisted(path: string, why: string): SwornError {
  return new SwornError("INPUT_INVALID", `the lockfile ${path} cannot be listed: ${why}`);
}
