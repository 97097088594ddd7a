import { createHash } from "node:crypto";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, counted, removeQuietly, SwornError, syncFolder } from "../../base/index.ts";
import {
  type ComparedFile,
  makePacket,
  packetBytes,
  type TarMember,
  tarOf,
  toMinisignKeyFile,
} from "../../deliver/packet/index.ts";
import { sidecarBytes } from "../../scan/classify/index.ts";
import { signerOf } from "../record/draft.ts";
import { chunksOf } from "./compare-output.ts";
import type { ConcludedRun } from "./concluded-run.ts";
import type { DeliverRequest } from "./deliver.ts";
import type { OpenSink } from "./deliver-facts.ts";
import { DELIVERY, type DeliverRecord } from "./deliver-record.ts";
import { putHttps } from "./put-https.ts";
import { sealPacket } from "./seal-packet.ts";
import { PACKET_FOLDER, sweepPackets } from "./sweep-packets.ts";

/** A delivery that was admitted. */
export interface Handover extends Omit<DeliverRequest, "run"> {
  readonly record: DeliverRecord;
  readonly run: ConcludedRun;
  readonly files: readonly ComparedFile[];
  readonly sink: OpenSink;
  readonly token: string | undefined;
}

/** What arrived. */
export interface HandedOver {
  /** What the packet is called where it lies. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly isEncrypted: boolean;
  readonly files: number;
  /** How many of them carry a detached signature. */
  readonly signed: number;
  /** How long the files are together. */
  readonly fileBytes: number;
}

/** Makes the packet and puts it where it is to go: whole and under its name, or not at all. */
export async function handOver(handover: Handover): Promise<HandedOver> {
  const { sink, record, files, signal, onProgress } = handover;
  const recipients = sink.listed.recipients ?? [];
  const isEncrypted = recipients.length > 0;
  const name = `${record.trace}.packet.tar${isEncrypted ? ".age" : ""}`;
  const { members, signed } = await membersOf(handover);
  handover.onStep(
    `packing ${counted(files.length, "file")}, ${signed} with a signature of their own`,
  );
  const seal = (path: string) =>
    // Others may fetch what they cannot read; what they could, they may not.
    sealPacket(path, tarOf(members), recipients, {
      mode: isEncrypted ? 0o644 : 0o600,
      signal,
      onBytes: (bytes) => onProgress("packed", bytes),
    });
  const sealed =
    sink.folder === undefined
      ? await putAway(handover, name, seal)
      : await renameInto(sink.folder, name, seal);
  const fileBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return { name, ...sealed, isEncrypted, files: files.length, signed, fileBytes };
}

type Seal = (path: string) => ReturnType<typeof sealPacket>;

async function renameInto(folder: string, name: string, seal: Seal) {
  const temporary = join(folder, `.${name}.tmp`);
  const path = join(folder, name);
  sweepPackets(folder, "sink");
  try {
    const sealed = await seal(temporary);
    renameSync(temporary, path);
    syncFolder(folder);
    return sealed;
  } catch (error) {
    // The name is this delivery's own: what is told as failed does not lie there all the same.
    for (const left of [temporary, path]) removeQuietly(left);
    throw error;
  }
}

/** What is sent is whole before its first byte leaves, so that nothing half-made arrives. */
async function putAway(
  { sink, token, signal, onStep, onProgress }: Handover,
  name: string,
  seal: Seal,
) {
  assert(sink.listed.kind === "https", "what is no folder is an address");
  sweepPackets(tmpdir(), "temporary");
  const folder = mkdtempSync(join(tmpdir(), PACKET_FOLDER));
  try {
    const path = join(folder, name);
    const sealed = await seal(path);
    const base = sink.listed.url.replace(/\/+$/, "");
    const onBytes = (bytes: number) => onProgress("sent", bytes);
    await putHttps({ url: new URL(`${base}/${name}`), path, token, signal, onStep, onBytes });
    return sealed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function membersOf(handover: Handover) {
  const { place, run, sink, record, files, out } = handover;
  const { key } = await place.keyring.ensure(DELIVERY.agent);
  const signer = await signerOf(place, DELIVERY.agent, key);
  const { packet, signatures } = makePacket(
    {
      trace: record.trace,
      run: run.trace,
      task_id: run.manifest.task_id,
      createdMs: place.clock(),
      sink: { name: sink.name, kind: sink.listed.kind, destination: sink.place.destination },
      manifest: { sha256: run.digest, note: run.note, signer: run.signer },
      sbom: run.manifest.sbom?.path ?? null,
    },
    files,
    signer,
  );
  const members: TarMember[] = [
    whole("packet.json", packetBytes(packet)),
    whole("manifest.json", run.manifestBytes),
    whole("manifest.note", Buffer.from(run.note)),
    whole("minisign.pub", Buffer.from(toMinisignKeyFile(signer.public))),
    ...packet.files.flatMap(({ path, member, bytes, sha256, sidecar, sidecar_member }) => [
      { name: member, bytes, chunks: sameChunks(join(out, path), path, { bytes, sha256 }) },
      whole(sidecar_member, sidecarBytes(sidecar)),
    ]),
    ...[...signatures].map(([name, text]) => whole(name, Buffer.from(text))),
  ];
  return { members, signed: signatures.size };
}

function whole(name: string, bytes: Buffer): TarMember {
  return { name, bytes: bytes.length, chunks: [bytes] };
}

/** A file could have been changed since it was compared, so its bytes are hashed on their way out. */
function* sameChunks(path: string, shown: string, expected: { bytes: number; sha256: string }) {
  const hash = createHash("sha256");
  let given = 0;
  for (const chunk of chunksOf(path)) {
    hash.update(chunk);
    given += chunk.length;
    if (given > expected.bytes) break;
    yield chunk;
  }
  if (given === expected.bytes && hash.digest("hex") === expected.sha256) return;
  const message = `${shown} changed while it was packed; nothing was handed over`;
  throw new SwornError("DELIVERY_FAILED", message);
}
