import type { Content } from "../../schema/packet.ts";

/** How many bytes of a file's beginning are looked at; a tar says what it is at 257. */
export const HEAD_BYTES = 512;
const TAR_MAGIC_AT = 257;

/** What archives and compressed files begin with. */
const ARCHIVES = [
  [0x1f, 0x8b],
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
  [0x42, 0x5a, 0x68],
  [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x04, 0x22, 0x4d, 0x18],
  [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
  [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07],
  [0xed, 0xab, 0xee, 0xdb],
  [...Buffer.from("!<arch>\n")],
  [...Buffer.from("070701")],
].map((magic) => Buffer.from(magic));

/** What programs begin with that could be without a zero byte. */
const PROGRAMS = [
  [0x7f, 0x45, 0x4c, 0x46],
  [0x00, 0x61, 0x73, 0x6d],
  [0xca, 0xfe, 0xba, 0xbe],
  [0xfe, 0xed, 0xfa, 0xce],
  [0xfe, 0xed, 0xfa, 0xcf],
  [0xce, 0xfa, 0xed, 0xfe],
  [0xcf, 0xfa, 0xed, 0xfe],
].map((magic) => Buffer.from(magic));

/**
 * What a file is. `hasZero` says whether a zero byte is anywhere in it: text has none, and a script
 * with a program behind its last line has one, however harmless it begins.
 */
export function contentOf(head: Buffer, hasZero: boolean): Content {
  const begins = (magic: Buffer) => head.subarray(0, magic.length).equals(magic);
  const isTar = head.toString("latin1", TAR_MAGIC_AT, TAR_MAGIC_AT + 5) === "ustar";
  if (isTar || ARCHIVES.some(begins)) return "archive";
  return hasZero || PROGRAMS.some(begins) ? "binary" : "text";
}
