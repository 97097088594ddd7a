import { SwornError } from "../../base/index.ts";
import { Repository } from "../../repo/index.ts";
import { type Address, isImmutable, parseAddress } from "../../schema/address.ts";
import { projectName } from "../address/project-name.ts";
import { type ResolvedEntry, resolveAddress } from "../address/resolve-address.ts";
import {
  isCommitAddress,
  isFileAddress,
  resolveCommitAddress,
  resolveFile,
} from "../address/resolve-file.ts";
import type { CheckSource } from "../check/check.ts";
import type { Place } from "../place.ts";
import { readArtifactText } from "../talk/artifact-text.ts";
import { artifactSidecars } from "./artifact-sidecars.ts";
import type { Quotable } from "./context-block.ts";
import { quotableOf } from "./recorded-statements.ts";

const BYTES_MAX = 1 << 20;

/** Where an address is looked up, and how far whoever asks may look. */
export interface AddressReach {
  readonly place: Place;
  readonly files: CheckSource | undefined;
  /** The traces that may be read; undefined for somebody who may read all of them. */
  readonly traces: readonly string[] | undefined;
}

/**
 * What an address names, to be shown. An agent reads its own task, the project's bus and the files of
 * its own commit; that there is more is not told to it.
 *
 * @throws SwornError `INPUT_INVALID` for what is no address, `NOT_FOUND`.
 */
export async function quotedAt(text: string, reach: AddressReach): Promise<Quotable[]> {
  const parsed = parseAddress(text);
  if (!parsed.ok) {
    throw new SwornError("INPUT_INVALID", `this is no address: ${parsed.wrong}`);
  }
  const { address } = parsed;
  if (isFileAddress(address) || isCommitAddress(address)) return [await quotedFile(address, reach)];
  const found = resolveAddress(reach.place, address, reach.traces);
  return found.map((one) => quotedEntry(reach.place, one));
}

function quotedEntry(place: Place, { entry, digest, trace, artifact, address }: ResolvedEntry) {
  const whole = quotableOf(place, { entry, digest }, { project: projectName(place), task: trace });
  if (artifact === undefined) return { ...whole, address };
  const bytes = entry.artifacts.find(({ hash }) => hash === artifact)?.bytes ?? 0;
  const text =
    bytes > BYTES_MAX
      ? `${bytes} bytes, which are too many to be shown; see "sworn trace show --artifact"`
      : readArtifactText(place, artifact);
  const sidecars = [...(whole.sidecars ?? []), ...artifactSidecars(place, entry, artifact)];
  return { ...whole, title: "artifact", text, brief: undefined, address, sidecars };
}

async function quotedFile(address: Address, { place, files, traces }: AddressReach) {
  if (files === undefined) throw new SwornError("NOT_FOUND", "there are no files to look at here");
  const { when } = address;
  const isOwn = when.kind === "latest" || (when.kind === "commit" && when.commit === files.at);
  if (traces !== undefined && !isOwn) {
    throw new SwornError("NOT_FOUND", `a run reads the files of its own commit, ${files.at}`);
  }
  const repository = await Repository.open(files.repository, files);
  try {
    const at = await repository.resolveCommit(files.at ?? "HEAD");
    const fixed: Address = isImmutable(address)
      ? address
      : { ...address, when: when.kind === "latest" ? { kind: "commit", commit: at } : when };
    if (isCommitAddress(fixed)) {
      const { commit: title, text, address: own } = await resolveCommitAddress(repository, fixed);
      return { title, text, address: own, sidecars: [] };
    }
    const found = await resolveFile(repository, fixed, projectName(place));
    const { path: title, text, sidecar } = found;
    return { title, text, address: found.address, sidecars: sidecar ? [sidecar] : [] };
  } finally {
    repository.close();
  }
}
