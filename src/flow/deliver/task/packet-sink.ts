import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import {
  assert,
  ensureFolder,
  removeQuietly,
  sha256Hex,
  syncFolder,
  writeFileDurably,
} from "../../../base/index.ts";
import type { ExecRefusal } from "../../exec/exec-outcome.ts";
import { chunksOf } from "../compare-output.ts";
import type { OpenSink } from "../deliver-facts.ts";
import { putHttps } from "../put-https.ts";
import { sealPacket } from "../seal-packet.ts";
import type { PackedTask } from "./pack-task.ts";
import type { SinkEffect } from "./task-sink.ts";
import { measureFile } from "./write-member.ts";

const NAMED_CHARS = 16;
const STORES: readonly string[] = ["artifact-store", "package-registry", "vcs-release"];

/** How a packet is handed to a folder or an address. */
export interface PacketHandover {
  readonly sink: OpenSink;
  readonly packed: PackedTask;
  readonly token: string | undefined;
  readonly isSent: boolean;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
  /** More authorities than the system's own. */
  readonly ca?: string | undefined;
}

/** Puts the tar where it is to go, encrypted unless it stays on this machine and the list says so. */
export async function toStore(handover: PacketHandover): Promise<SinkEffect | ExecRefusal> {
  const { sink, packed, isSent } = handover;
  const refused = refusalOf(sink);
  if (refused !== undefined) return refused;
  const recipients = sink.listed.recipients ?? [];
  const ending = recipients.length > 0 ? ".packet.tar.age" : ".packet.tar";
  const name = `${packed.head.work}-${packed.digest.slice(0, NAMED_CHARS)}${ending}`;
  const where = `${sink.place.destination}/${name}`;
  if (!isSent) return { status: "planned", where };
  return sink.folder === undefined
    ? await toAddress(handover, name, where)
    : await toFolder(handover, sink.folder, name, where);
}

function refusalOf({ listed, place, isLocal, name }: OpenSink): ExecRefusal | undefined {
  if (!STORES.includes(place.sink)) {
    return { rule: "U.1", reason: `${name} is a ${place.sink}, and results never go to one` };
  }
  const staysHere = listed.kind === "folder" && listed.plain === true && isLocal;
  return staysHere || listed.recipients !== undefined
    ? undefined
    : {
        rule: "U.4.encrypted",
        reason: `results travel encrypted, and ${name} lists no recipients`,
      };
}

async function toFolder(
  { packed, sink, signal }: PacketHandover,
  folder: string,
  name: string,
  where: string,
): Promise<SinkEffect | ExecRefusal> {
  const path = join(folder, name);
  const recipients = sink.listed.recipients ?? [];
  if (existsSync(path)) {
    // An encrypted packet cannot be looked into; its name holds the digest of what it was made from.
    if (recipients.length > 0 || measureFile(path).sha256 === measureFile(packed.tar).sha256) {
      return { status: "present", where };
    }
    return { rule: "U.6", reason: `${where} is there and holds something else; look at it` };
  }
  const temporary = join(folder, `.${name}.tmp`);
  removeQuietly(temporary);
  try {
    const mode = recipients.length > 0 ? 0o644 : 0o600;
    await sealPacket(temporary, chunksOf(packed.tar), recipients, {
      mode,
      signal,
      onBytes: () => {},
    });
    renameSync(temporary, path);
    syncFolder(folder);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  return { status: "sent", where };
}

/** A store that was given it once is not given it again: that it was stands beside the packet. */
async function toAddress(
  { packed, sink, token, signal, onStep, ca }: PacketHandover,
  name: string,
  where: string,
): Promise<SinkEffect> {
  assert(sink.listed.kind === "https", "what is no folder is an address");
  const sent = join(packed.folder, "..", "sent");
  const agreement = join(sent, sha256Hex(`${sink.listed.url}\n${name}`));
  if (existsSync(agreement)) return { status: "present", where };
  ensureFolder(sent);
  const temporary = join(sent, `.${name}.tmp`);
  removeQuietly(temporary);
  try {
    const sealing = { mode: 0o600, signal, onBytes: () => {} };
    await sealPacket(temporary, chunksOf(packed.tar), sink.listed.recipients ?? [], sealing);
    const url = new URL(`${sink.listed.url.replace(/\/+$/, "")}/${name}`);
    await putHttps({ url, path: temporary, token, ca, signal, onStep, onBytes: () => {} });
    writeFileDurably(agreement, `${where}\n`, 0o600);
  } finally {
    removeQuietly(temporary);
  }
  return { status: "sent", where };
}
