import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { keyIdOf, type Signer, sha256Hex, signNote } from "../../src/base/index.ts";
import {
  openCheckpoint,
  readCheckpoint,
  sealEntry,
  signCheckpoint,
  signedText,
  type UnsignedEntry,
} from "../../src/ledger/index.ts";

const TRACE = "trace_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const ROOT = sha256Hex("root");
const invalid = expect.objectContaining({ code: "INPUT_INVALID" });

function freshSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const publicText = publicKey
    .export({ format: "der", type: "spki" })
    .subarray(-32)
    .toString("base64");
  const key = keyIdOf(publicText);
  return { key, public: publicText, sign: (bytes) => sign(null, bytes, privateKey) };
}

test("a checkpoint is three lines and a signature", () => {
  const signer = freshSigner();
  const note = signCheckpoint({ trace: TRACE, size: 12, root: ROOT }, signer);
  const lines = note.split("\n");
  expect(lines.slice(0, 4)).toEqual([
    `sworn.trace/${TRACE}`,
    "12",
    Buffer.from(ROOT, "hex").toString("base64"),
    "",
  ]);
  expect(lines[4]).toMatch(/^— sworn [A-Za-z0-9+/]+=*$/);
  expect(openCheckpoint(note, TRACE, signer.public)).toEqual({
    trace: TRACE,
    size: 12,
    root: ROOT,
  });
});

test("a checkpoint opens with its own key and for its own trace only", () => {
  const signer = freshSigner();
  const note = signCheckpoint({ trace: TRACE, size: 12, root: ROOT }, signer);
  const other = TRACE.replace("01A", "01B");
  expect(() => openCheckpoint(note, other, signer.public)).toThrow(invalid);
  expect(() => openCheckpoint(note, TRACE, freshSigner().public)).toThrow(invalid);
});

test.each([
  ["a leading zero", "012", Buffer.from(ROOT, "hex").toString("base64")],
  ["no number", "x", Buffer.from(ROOT, "hex").toString("base64")],
  ["a fraction", "1.5", Buffer.from(ROOT, "hex").toString("base64")],
  ["a number too large", "99999999999999999999", Buffer.from(ROOT, "hex").toString("base64")],
  [
    "a root with spare bits",
    "12",
    Buffer.from(ROOT, "hex").toString("base64").replace(/.=$/, "B="),
  ],
])("a checkpoint with %s is not read", (_, size, root) => {
  const signer = freshSigner();
  const text = `sworn.trace/${TRACE}\n${size}\n${root}\n`;
  expect(() => readCheckpoint(text, TRACE)).toThrow(invalid);
  expect(() => openCheckpoint(signNote(text, "sworn", signer), TRACE, signer.public)).toThrow(
    invalid,
  );
});

/** A message as it stands before it is signed. */
function unsigned(signer: Signer, text: string): UnsignedEntry {
  return {
    v: 1,
    trace: TRACE,
    seq: 0,
    type: "message_posted",
    at: "2024-01-01T00:00:00.000Z",
    hlc: "0".repeat(16),
    actor: { agent: "mara", role: "operator", key: signer.key },
    parents: [],
    artifacts: [],
    prev: "0".repeat(64),
    body: { text },
  };
}

test("a sealed entry is canonical, and its signature covers all the rest of it", () => {
  const signer = freshSigner();
  const { line, hash, seq } = sealEntry(unsigned(signer, 'with ,"sig":"in it'), signer);
  expect([hash, seq]).toEqual([sha256Hex(line), 0]);
  const { sig, ...rest } = JSON.parse(line) as Record<string, unknown> & { sig: string };
  expect(Object.keys({ ...rest, sig }).sort()).toEqual(Object.keys(JSON.parse(line) as object));
  const bytes = Buffer.from(signedText(line, sig));
  expect(JSON.parse(bytes.toString())).toEqual(rest);
  expect(signer.sign(bytes).toString("base64")).toBe(sig);
});

test("an entry that is longer than a line may be is refused", () => {
  const signer = freshSigner();
  expect(() => sealEntry(unsigned(signer, "x".repeat(1_048_576)), signer)).toThrow(
    expect.objectContaining({ code: "LIMIT_EXCEEDED" }),
  );
  expect(() => sealEntry(unsigned(freshSigner(), "x"), signer)).toThrow("invariant");
});
