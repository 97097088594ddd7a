import { SCHEME, whyNotCitable } from "../schema/address.ts";

/** A hash or a commit: what it names can never be something else. */
const BY_HASH = /^(?:sha256:[0-9a-f]{64}|git:[0-9a-f]{40}(?:[0-9a-f]{24})?)$/;

/** Whether an address always means the same bytes. Only such stand in a proposal. */
export function isImmutableAddress(address: string): boolean {
  return address.startsWith(SCHEME) ? whyNotCitable(address) === undefined : BY_HASH.test(address);
}
