import { assert, canonicalize, type Signer } from "../../base/index.ts";
import type { Sidecar } from "../../schema/manifest.ts";
import { type Content, Packet, type PacketFile } from "../../schema/packet.ts";
import { memberNames } from "./member-names.ts";
import { signDetached, toMinisignKey } from "./minisign.ts";

/** A file that was compared with its manifest and is to be delivered. */
export interface ComparedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** BLAKE2b-512, which is what minisign signs. */
  readonly blake2b: Buffer;
  readonly mode: number;
  readonly content: Content;
  readonly sidecar: Sidecar;
}

/** What a packet says beside its files. */
export type PacketHead = Omit<Packet, "v" | "created_at" | "files" | "minisign"> & {
  readonly createdMs: number;
};

/** `packet.json`, and the detached signatures that it names. */
export interface MadePacket {
  readonly packet: Packet;
  /** The text of each signature, by the name of its member. */
  readonly signatures: ReadonlyMap<string, string>;
}

/** Puts a packet together, and signs each file in it that is a binary or an archive. */
export function makePacket(
  { createdMs, ...head }: PacketHead,
  files: readonly ComparedFile[],
  signer: Signer,
): MadePacket {
  const signatures = new Map<string, string>();
  const listed = files.map((file, at): PacketFile => {
    const names = memberNames(file.path, at, file.content !== "text");
    if (names.signature !== null) {
      const trusted = commentOf(file, head.run, createdMs);
      signatures.set(names.signature, signDetached(signer, file.blake2b, trusted));
    }
    const { path, bytes, sha256, mode, content, sidecar } = file;
    return {
      path,
      member: names.member,
      bytes,
      sha256,
      mode,
      content,
      sidecar,
      sidecar_member: names.sidecar,
      signature: names.signature,
    };
  });
  const parsed = Packet.safeParse({
    ...head,
    v: 1,
    created_at: new Date(createdMs).toISOString(),
    minisign: toMinisignKey(signer.public),
    files: listed,
  });
  assert(parsed.success, `a packet agrees with itself: ${parsed.error?.issues[0]?.message}`);
  return { packet: parsed.data, signatures };
}

/** The one byte sequence of a packet (RFC 8785). */
export function packetBytes(packet: Packet): Buffer {
  return Buffer.from(canonicalize(packet));
}

/** Binds a signature to the file's name and to the run that made it, in minisign's own form. */
function commentOf({ path, sha256 }: ComparedFile, run: string, createdMs: number): string {
  const seconds = Math.floor(createdMs / 1_000);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return `timestamp:${seconds}\tfile:${name}\tsha256:${sha256}\trun:${run}\thashed`;
}
