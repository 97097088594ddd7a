import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  canonicalize,
  ensureFolder,
  keyIdOf,
  parseVerifierKey,
  SwornError,
  sha256Hex,
  signNote,
  syncFolder,
  writeAll,
} from "../../../base/index.ts";
import {
  signDetached,
  type TarMember,
  tarOf,
  toMinisignKey,
} from "../../../deliver/packet/index.ts";
import type { Repository } from "../../../repo/index.ts";
import {
  NOTE_MEMBER,
  PACKET_MEMBER,
  SIGNATURE_MEMBER,
  TaskPacket,
} from "../../../schema/task-packet.ts";
import { packetNoteText, verifyPacket } from "../../../verify/packet/index.ts";
import { assertNoLink, type Place } from "../../place.ts";
import { signerOf } from "../../record/draft.ts";
import { chunksOf } from "../compare-output.ts";
import { DELIVERY } from "../deliver-record.ts";
import type { DeliveredWork } from "./delivered-work.ts";
import { packetHome } from "./in-turn.ts";
import { documentsOf } from "./packet-documents.ts";
import { measureFile, writeMember } from "./write-member.ts";

/** A packet that was made, and verified as a stranger would. */
export interface PackedTask {
  readonly head: TaskPacket;
  /** The SHA-256 of `packet.json`, by which a delivery is told from another. */
  readonly digest: string;
  readonly folder: string;
  readonly tar: string;
  readonly bytes: number;
}

/** What a packet is made from. */
export interface PackSetting {
  readonly place: Place;
  readonly repository: Repository;
  readonly signal: AbortSignal;
}

interface Whole {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Makes the packet of a work, as a folder and as one tar beside it, in the work's own folder. The same
 * work gives the same bytes. It is then verified from the tar alone: a report that says more than its
 * record never becomes a packet.
 *
 * @throws SwornError `DELIVERY_FAILED` when it does not verify.
 */
export async function packTask(setting: PackSetting, work: DeliveredWork): Promise<PackedTask> {
  const { place } = setting;
  const { report, entries, commit } = work;
  const home = packetHome(place, work);
  const folder = join(home, "packet");
  for (const path of [home, folder]) assertNoLink(path);
  rmSync(folder, { recursive: true, force: true });
  ensureFolder(join(folder, "statements"));
  const { key } = await place.keyring.ensure(DELIVERY.agent);
  const signer = await signerOf(place, DELIVERY.agent, key);
  const made = await documentsOf(setting, work, folder, signer);
  const members = made.names.map((name) => lookAt(folder, name));
  const head = TaskPacket.parse({
    ...{ v: 1, kind: work.kind, artifact: made.artifact, work: report.work, trace: report.trace },
    recorded_at: entries.at(-1)?.at,
    profile: report.profile,
    status: report.status,
    contract_digest: report.contract_digest,
    start: report.start,
    commit,
    tree: made.tree,
    consensus: work.consensus?.agreement ?? null,
    signer: made.signer,
    minisign: toMinisignKey(signer.public),
    members: members.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
  });
  const bytes = Buffer.from(canonicalize(head));
  const digest = sha256Hex(bytes);
  const blake = createHash("blake2b512").update(bytes).digest();
  const seconds = Math.floor(Date.parse(head.recorded_at) / 1_000);
  const comment = `timestamp:${seconds}\tfile:${PACKET_MEMBER}\tsha256:${digest}\thashed`;
  const vouching = [
    keep(folder, PACKET_MEMBER, bytes),
    keep(folder, SIGNATURE_MEMBER, Buffer.from(signDetached(signer, blake, comment))),
    keep(folder, NOTE_MEMBER, Buffer.from(await noteOf(place, made.signer, digest))),
  ];
  const tar = join(home, `${report.work}.packet.tar`);
  const size = writeTar(tar, [...vouching, ...members], setting.signal);
  await assertSound(tar, made.signer);
  return { head, digest, folder, tar, bytes: size };
}

/** The runtime whose key signed the record signs for the packet, too. */
async function noteOf(place: Place, signer: string, digest: string): Promise<string> {
  const { name, public: publicText } = parseVerifierKey(signer);
  const runtime = await signerOf(place, name, keyIdOf(publicText));
  return signNote(packetNoteText(digest), name, runtime);
}

async function assertSound(tar: string, trustedKey: string): Promise<void> {
  const options = { profile: "default", mode: "full", threads: 0, trustedKey } as const;
  const { status, checks } = await verifyPacket(tar, options);
  if (status !== "fail") return;
  const [wrong] = checks.filter((check) => check.status === "fail");
  rmSync(tar, { force: true });
  throw new SwornError(
    "DELIVERY_FAILED",
    `the packet does not verify, and is not handed over: ${wrong?.id}: ${wrong?.message}`,
  );
}

function keep(folder: string, name: string, bytes: Buffer): Whole {
  writeMember(join(folder, name), [bytes]);
  return lookAt(folder, name);
}

function lookAt(folder: string, name: string): Whole {
  const path = join(folder, name);
  return { name, path, ...measureFile(path) };
}

/** Whole under its name, or not there. */
function writeTar(path: string, members: readonly Whole[], signal: AbortSignal): number {
  const temporary = `${path}.tmp`;
  rmSync(temporary, { force: true });
  const fd = openSync(temporary, "wx", 0o600);
  let size = 0;
  try {
    const listed = members.map((one): TarMember => ({ ...one, chunks: chunksOf(one.path) }));
    for (const chunk of tarOf(listed)) {
      signal.throwIfAborted();
      writeAll(fd, chunk);
      size += chunk.length;
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
  syncFolder(join(path, ".."));
  return size;
}
