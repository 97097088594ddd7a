import { parseVerifierKey } from "../../base/index.ts";
import type { Place } from "../place.ts";

/** Whether a verifier key is one of this user's own that was not revoked. */
export function isOwnSigner(place: Place, signer: string): boolean {
  const { name, public: publicText } = parseVerifierKey(signer);
  return place.keyring
    .list()
    .some((key) => key.agent === name && key.public === publicText && key.status !== "revoked");
}
