import { existsSync } from "node:fs";
import { parseVerifierKey } from "../base/index.ts";
import type { Io } from "./io.ts";

/** What a key is to the user of this machine, where their keyring knows it. */
export type OwnKey = "active" | "rotated" | "revoked" | undefined;

/** Whether a record's signer is a key of this user. Creates nothing: verifying never writes. */
export async function ownKey(io: Io, signer: string | null): Promise<OwnKey> {
  const { openPlace } = await import("./config.ts");
  const place = openPlace(io);
  if (signer === null || !existsSync(place.keyFolder)) return undefined;
  try {
    const { name, public: publicText } = parseVerifierKey(signer);
    const isIt = (key: { agent: string; public: string }) =>
      key.agent === name && key.public === publicText;
    return place.keyring.list().find(isIt)?.status;
  } catch {
    // Keys that cannot be read make nothing here one's own, and say nothing about the record.
    return undefined;
  }
}

const WHOSE = {
  active: "your own key",
  rotated: "an earlier key of yours",
  revoked: "a key of yours that is revoked",
} as const;

/** How the line that names a signer goes on. */
export function whoseKey(own: OwnKey): string {
  return own === undefined ? "" : `, ${WHOSE[own]}`;
}
