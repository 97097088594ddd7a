import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { decodeUtf8, SwornError } from "../base/index.ts";
import { ARTIFACT_BYTES_MAX } from "../schema/index.ts";
import type { TraceSource } from "./source.ts";
import { type ClaimedMember, type FileWindow, notAsWritten, TarMembers } from "./tar-members.ts";

/** Longest checkpoint and list of keys. */
export const SMALL_MEMBER_BYTES_MAX = 1 << 20;
const MEMBERS_MAX = 1_000_000;

/** The fixed members of a bundle, in their order; artifacts follow. */
const BUNDLE_MEMBERS = ["checkpoint", "keys.json", "entries.jsonl"] as const;
export const ARTIFACT_PREFIX = "artifacts/";

/** A bundle that is open for reading. Close it when the verification is done. */
export interface OpenBundle extends TraceSource {
  close(): void;
}

/**
 * Opens a bundle and checks its packaging: exactly the members a bundle has, in their one order and
 * spelling, nothing before, between or behind them. Content is only read later, piece by piece.
 *
 * @throws SwornError `BUNDLE_MALFORMED` naming what was found, `NOT_FOUND` when there is no such file.
 */
export function openBundle(path: string, window?: FileWindow): OpenBundle {
  const fd = openFile(path);
  try {
    const members = new TarMembers(fd, "bundle", assertExpected, window);
    const { windows } = members;
    const entries = windowOf(members, "entries.jsonl");
    assertEnded(members, entries);
    const artifactHashes = [...windows.keys()]
      .slice(BUNDLE_MEMBERS.length)
      .map((name) => name.slice(ARTIFACT_PREFIX.length));
    return {
      checkpoint: textOf(members, "checkpoint"),
      keys: textOf(members, "keys.json"),
      entriesBytes: entries.bytes,
      lines: () => members.chunks(entries),
      artifactHashes,
      artifact: (hash) => {
        const found = windows.get(ARTIFACT_PREFIX + hash);
        return found && members.chunks(found);
      },
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openFile(path: string): number {
  try {
    // Without waiting: a queue in place of a file would otherwise never open.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (cause) {
    throw new SwornError("NOT_FOUND", `there is no bundle at ${path}`, { cause });
  }
  throw new SwornError("NOT_FOUND", `${path} is not a file`);
}

/** The fixed members first, then artifacts by rising hash: one order, so one byte sequence per content. */
function assertExpected({ name, bytes, position, previous }: ClaimedMember): void {
  const fixed = BUNDLE_MEMBERS[position];
  if (position >= MEMBERS_MAX) throw malformed(`more than ${MEMBERS_MAX} members`);
  const fits =
    fixed !== undefined
      ? name === fixed
      : /^artifacts\/[0-9a-f]{64}$/.test(name) &&
        !(position > BUNDLE_MEMBERS.length && name <= previous);
  if (!fits) {
    const expected = fixed ?? "an artifact with a higher hash than the one before it";
    throw malformed(`found the member ${JSON.stringify(name)} where ${expected} was expected`);
  }
  if (bytes > ARTIFACT_BYTES_MAX && name !== "entries.jsonl") {
    throw malformed(`${name} claims ${bytes} bytes, more than ${ARTIFACT_BYTES_MAX}`);
  }
}

/** Every line of a ledger ends with a newline, the last one too. */
function assertEnded(members: TarMembers, { offset, bytes }: FileWindow): void {
  const last = members.read({ offset: offset + Math.max(0, bytes - 1), bytes: Math.min(1, bytes) });
  if (last[0] !== 10) throw malformed("entries.jsonl does not end with a newline");
}

function windowOf({ windows }: TarMembers, name: (typeof BUNDLE_MEMBERS)[number]): FileWindow {
  const found = windows.get(name);
  if (found === undefined) throw malformed(`${name} is missing`);
  return found;
}

function textOf(members: TarMembers, name: "checkpoint" | "keys.json"): string {
  const found = windowOf(members, name);
  if (found.bytes > SMALL_MEMBER_BYTES_MAX)
    throw malformed(`${name} is larger than ${SMALL_MEMBER_BYTES_MAX} bytes`);
  try {
    return decodeUtf8(members.read(found));
  } catch (cause) {
    throw new SwornError("BUNDLE_MALFORMED", `${name} is not UTF-8 text`, { cause });
  }
}

function malformed(what: string): SwornError {
  return notAsWritten("bundle", what);
}
