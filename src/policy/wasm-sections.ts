const HEADER = Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
/** A 32-bit number in LEB128 has at most this many bytes. */
const NUMBER_BYTES_MAX = 5;

/** The ids of the sections of a WebAssembly module, in order; undefined for what is none. */
export function sectionsOf(bytes: Uint8Array): number[] | undefined {
  if (!HEADER.equals(bytes.subarray(0, HEADER.length))) return undefined;
  const ids: number[] = [];
  let at = HEADER.length;
  while (at < bytes.length) {
    const size = numberAt(bytes, at + 1);
    if (size === undefined) return undefined;
    ids.push(bytes[at] ?? 0);
    at = size.end + size.value;
  }
  return at === bytes.length ? ids : undefined;
}

function numberAt(bytes: Uint8Array, from: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < NUMBER_BYTES_MAX; index += 1) {
    const byte = bytes[from + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: from + index + 1 };
  }
  return undefined;
}
