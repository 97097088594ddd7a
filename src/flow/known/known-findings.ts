import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  assert,
  canonicalize,
  ensureFolder,
  isSignedBy,
  readPlainFile,
  SwornError,
  syncFolder,
  toPublicKey,
  writeAll,
} from "../../base/index.ts";
import { KNOWN_IDENTITIES_MAX, KnownFindings } from "../../schema/review.ts";
import type { Place } from "../place.ts";
import { projectIdentity } from "../project-identity.ts";

/** Who says that a finding is known. */
const PERSON = "operator";
const FILE_BYTES_MAX = 64 << 20;
/** Stands before what is signed, so that no other signature of this key can be passed off as one. */
const SIGNED_AS = "sworn known findings v1\n";

type Unsigned = Omit<KnownFindings, "signature">;
/** What a person says about some findings. */
export type Saying = Pick<KnownFindings, "kind" | "identities" | "why" | "about">;

/** What is known of one finding, as it was last said. */
export interface Known {
  readonly identity: string;
  readonly kind: KnownFindings["kind"];
  readonly why: string;
  readonly about: string;
  readonly at: string;
}

/** The known findings of a project. */
export interface KnownList {
  readonly known: ReadonlyMap<string, Known>;
  /** Lines that nobody here signed, or that cannot be read; they silence nothing. */
  readonly ignored: number;
}

/** Whether a finding is not to be raised again, by the last word on it. */
export function isSilenced(
  known: ReadonlyMap<string, Pick<Known, "kind">>,
  identity: string,
): boolean {
  return (known.get(identity)?.kind ?? "restored") !== "restored";
}

/** Reads what was said so far. The last word on a finding counts, by time and not by place. */
export function readKnownFindings(place: Place): KnownList {
  const known = new Map<string, Known>();
  let ignored = 0;
  const isOwn = ownSignatures(place);
  for (const text of linesOf(pathOf(place))) {
    const line = parseLine(text);
    if (line === undefined || !isOwn(line)) {
      ignored += 1;
      continue;
    }
    const { kind, why, about, at } = line;
    for (const identity of line.identities) {
      // An old line put in again at the end must not undo what was said since.
      if ((known.get(identity)?.at ?? "") <= at) {
        known.set(identity, { identity, kind, why, about, at });
      }
    }
  }
  return { known, ignored };
}

/** Remembers what a person says, signed with the person's key. Durable when it returns. */
export async function addKnownFindings(place: Place, saying: Saying): Promise<void> {
  const { keyring } = place;
  const { key } = await keyring.ensure(PERSON);
  const signer = await keyring.signer(PERSON, key);
  assert(signer, "a key that is current can sign");
  const at = new Date(place.clock()).toISOString();
  const lines: string[] = [];
  for (let from = 0; from < saying.identities.length; from += KNOWN_IDENTITIES_MAX) {
    const identities = saying.identities.slice(from, from + KNOWN_IDENTITIES_MAX);
    const unsigned: Unsigned = { v: 1, ...saying, identities, at, key };
    const signature = signer.sign(signedBytes(unsigned)).toString("base64");
    lines.push(`${canonicalize(KnownFindings.parse({ ...unsigned, signature }))}\n`);
  }
  const path = pathOf(place);
  ensureFolder(dirname(path), 0o700);
  appendDurably(path, lines.join(""));
}

/**
 * Outside the project, by the place where the project lies. Whoever can write into a project could
 * otherwise bring along what was said of another one, or take the last word out again.
 */
function pathOf(place: Place): string {
  return join(place.state, "known", `${projectIdentity(place)}.jsonl`);
}

function signedBytes(unsigned: Unsigned): Buffer {
  return Buffer.from(`${SIGNED_AS}${canonicalize(unsigned)}`);
}

function ownSignatures(place: Place): (line: KnownFindings) => boolean {
  const usable = place.keyring
    .list()
    .filter(({ agent, status }) => agent === PERSON && status !== "revoked")
    .map((record) => [record.key, toPublicKey(record.public)] as const);
  const keys = new Map(usable);
  return ({ signature, ...unsigned }) => {
    const key = keys.get(unsigned.key);
    return (
      key !== undefined && isSignedBy(key, signedBytes(unsigned), Buffer.from(signature, "base64"))
    );
  };
}

function linesOf(path: string): string[] {
  try {
    return readPlainFile(path, FILE_BYTES_MAX, "refuse")
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    if (isLink(cause)) throw linked(path);
    if (cause instanceof SwornError) throw cause;
    throw new SwornError("STORE_UNREADABLE", `${path} cannot be read`, { cause });
  }
}

function parseLine(text: string): KnownFindings | undefined {
  try {
    return KnownFindings.safeParse(JSON.parse(text)).data;
  } catch {
    // A line that a crash cut short, or that somebody else wrote: it is counted as ignored.
    return undefined;
  }
}

/** Adds to the end of a file in one write, so that two processes do not mix their lines. */
function appendDurably(path: string, text: string): void {
  const fd = openForAppending(path);
  try {
    writeAll(fd, Buffer.from(endsMidLine(fd) ? `\n${text}` : text));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  syncFolder(dirname(path));
}

/** What a person says must not end up in a file that a link leads to. */
function openForAppending(path: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  try {
    return openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (cause) {
    throw isLink(cause) ? linked(path) : cause;
  }
}

function isLink(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).code === "ELOOP";
}

function linked(path: string): SwornError {
  const message = `${path} is a link, and links are not followed; put a file in its place`;
  return new SwornError("INPUT_INVALID", message);
}

/** A crash may have cut the last line short; the next one must not be lost with it. */
function endsMidLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] !== "\n".charCodeAt(0);
}
