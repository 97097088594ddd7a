import {
  assert,
  BLOCK_BYTES,
  parseTarHeader,
  TAR_END,
  tarHeader,
  tarPadding,
} from "../../base/index.ts";

const ENTRIES = "entries.jsonl";

/** A copy of a bundle with one bit of the first place where this text stands turned over. */
export function flipByte(bundle: Buffer, text: string): Buffer {
  const at = bundle.indexOf(text);
  assert(at >= 0, `the bundle holds "${text}"`);
  const copy = Buffer.from(bundle);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

/** A copy of a bundle with other entries, well formed as a file, so that only its content lies. */
export function editEntries(bundle: Buffer, edit: (lines: string[]) => string[]): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; bundle[at] !== 0; ) {
    const { name, sizeBytes } = parseTarHeader(bundle.subarray(at, at + BLOCK_BYTES));
    const bytes = bundle.subarray(at + BLOCK_BYTES, at + BLOCK_BYTES + sizeBytes);
    const kept = name === ENTRIES ? edited(bytes, edit) : bytes;
    parts.push(tarHeader(name, kept.length), kept, Buffer.alloc(tarPadding(kept.length)));
    at += BLOCK_BYTES + sizeBytes + tarPadding(sizeBytes);
  }
  return Buffer.concat([...parts, TAR_END]);
}

function edited(bytes: Buffer, edit: (lines: string[]) => string[]): Buffer {
  const before = bytes.toString();
  const after = edit(before.trimEnd().split("\n"));
  assert(`${after.join("\n")}\n` !== before, "an edit changes something");
  return Buffer.from(`${after.join("\n")}\n`);
}
