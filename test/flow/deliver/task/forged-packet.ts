import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  canonicalize,
  keyIdOf,
  parseVerifierKey,
  type Signer,
  sha256Hex,
  signNote,
} from "../../../../src/base/index.ts";
import { signDetached, toMinisignKey } from "../../../../src/deliver/packet/index.ts";
import { Keyring } from "../../../../src/keyring/index.ts";
import { packetNoteText } from "../../../../src/verify/packet/index.ts";
import { temporaryFolder } from "../../../fake/sandbox.ts";
import type { DoneWork } from "./delivery-world.ts";

/** A signer that nobody knows. */
export async function strangersSigner(): Promise<Signer> {
  const keyring = new Keyring(join(temporaryFolder(), "keys"), {
    clock: () => 1_700_000_000_000,
    passphrase: () => undefined,
  });
  const { key } = await keyring.ensure("delivery");
  const signer = await keyring.signer("delivery", key);
  if (signer === undefined) throw new Error("no signer");
  return signer;
}

/**
 * The members of a packet after somebody changed them who has the keys of the runtime as well: all that
 * is left to show it is what the members say about each other.
 */
export async function resealed(
  { place }: Pick<DoneWork, "place">,
  changed: ReadonlyMap<string, Buffer>,
  more: { readonly head?: object } = {},
): Promise<Map<string, Buffer>> {
  const { key } = await place.keyring.ensure("delivery");
  const signer = await place.keyring.signer("delivery", key);
  if (signer === undefined) throw new Error("no signer");
  const members = signed(changed, signer, more.head);
  const head = members.get("packet.json") ?? Buffer.alloc(0);
  const { name, public: publicText } = parseVerifierKey(JSON.parse(head.toString()).signer);
  const runtime = await place.keyring.signer(name, keyIdOf(publicText));
  if (runtime === undefined) throw new Error("no runtime");
  const note = signNote(packetNoteText(sha256Hex(head)), name, runtime);
  return members.set("packet.note", Buffer.from(note));
}

/**
 * The members of a packet after somebody changed them, as good as he can make them without the
 * runtime's key: digests and sizes fit, and the minisign signature is right, by a key of his own.
 */
export async function resigned(
  changed: ReadonlyMap<string, Buffer>,
  more: { readonly head?: object } = {},
): Promise<Map<string, Buffer>> {
  return signed(changed, await strangersSigner(), more.head);
}

function signed(changed: ReadonlyMap<string, Buffer>, signer: Signer, more: object = {}) {
  const members = new Map(changed);
  const minisign = toMinisignKey(signer.public);
  members.set("minisign.pub", Buffer.from(`untrusted comment: x\n${minisign}\n`));
  const head = { ...JSON.parse(members.get("packet.json")?.toString() ?? ""), ...more };
  head.minisign = minisign;
  for (const one of head.members) {
    const bytes = members.get(one.name) ?? Buffer.alloc(0);
    Object.assign(one, { bytes: bytes.length, sha256: sha256Hex(bytes) });
  }
  const bytes = Buffer.from(canonicalize(head));
  members.set("packet.json", bytes);
  const digest = createHash("blake2b512").update(bytes).digest();
  members.set("packet.json.minisig", Buffer.from(signDetached(signer, digest, "timestamp:1")));
  return members;
}
