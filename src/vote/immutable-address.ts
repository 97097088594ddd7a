import { isImmutable, parseAddress, SCHEME, whyNotCitable } from "../schema/address.ts";

/** A hash or a commit: what it names can never be something else. */
const BY_HASH = /^(?:sha256:[0-9a-f]{64}|git:[0-9a-f]{40}(?:[0-9a-f]{24})?)$/;
/** What could be an address in a text, up to what none can hold. */
const IN_TEXT = /ucxl:\/\/[^\s"\\<>]+/g;
/** What ends a sentence or a bracket, and would be taken for the address's own. */
const AT_END = /[)\]}'`.,;:!?]+$/;

/** Whether an address always means the same bytes. Only such stand in a proposal. */
export function isImmutableAddress(address: string): boolean {
  return address.startsWith(SCHEME) ? whyNotCitable(address) === undefined : BY_HASH.test(address);
}

/** The addresses in a text that may come to mean something else. */
export function floatingIn(text: string): string[] {
  return [...text.matchAll(IN_TEXT)].flatMap(([found]) => {
    const parsed = parseAddress(found.replace(AT_END, ""));
    return parsed.ok && !isImmutable(parsed.address) ? [found] : [];
  });
}
