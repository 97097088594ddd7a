import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import {
  isSignedBy,
  keyIdOf,
  openNote,
  parseVerifierKey,
  type Signer,
  signNote,
  toPublicKey,
  toVerifierKey,
} from "../../src/base/index.ts";

function freshSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const publicText = publicKey
    .export({ format: "der", type: "spki" })
    .subarray(-32)
    .toString("base64");
  return {
    key: keyIdOf(publicText),
    public: publicText,
    sign: (bytes) => sign(null, bytes, privateKey),
  };
}
const invalid = expect.objectContaining({ code: "INPUT_INVALID" });
const TEXT = "sworn.trace/x\n3\nabc\n";

test("a note opens with the key that signed it, under the name it was signed with", () => {
  const [signer, other] = [freshSigner(), freshSigner()];
  const note = signNote(TEXT, "sworn", signer);
  const open = (name: string, publicText: string) => () =>
    openNote(note, { name, public: publicText });
  expect(open("sworn", signer.public)()).toEqual({ text: TEXT });
  expect(open("swurn", signer.public)).toThrow(invalid);
  expect(open("sworn", other.public)).toThrow(invalid);
});

test("a note that was changed anywhere does not open", () => {
  const signer = freshSigner();
  const note = signNote(TEXT, "sworn", signer);
  const key = { name: "sworn", public: signer.public };
  for (let at = 0; at < note.length; at += 1) {
    const character = note[at] === "A" ? "B" : "A";
    const changed = note.slice(0, at) + character + note.slice(at + 1);
    expect(() => openNote(changed, key)).toThrow(invalid);
  }
  for (const changed of ["", "\n\n", note.slice(0, -1), `${note}x`, note.replace("\n\n", "\n")])
    expect(() => openNote(changed, key)).toThrow(invalid);
});

test("other signatures beside the right one are passed over, a wrong one by the same key is not", () => {
  const [signer, witness] = [freshSigner(), freshSigner()];
  const key = { name: "sworn", public: signer.public };
  const note = signNote(TEXT, "sworn", signer);
  const cosigned = note + (signNote(TEXT, "witness", witness).split("\n\n")[1] ?? "");
  expect(openNote(cosigned, key)).toEqual({ text: TEXT });
  const wrong = signNote("something else\n", "sworn", signer).split("\n\n")[1] ?? "";
  expect(() => openNote(note + wrong, key)).toThrow(invalid);
});

test("a verifier key carries name, hash and key, which must belong together", () => {
  const { public: publicText } = freshSigner();
  const text = toVerifierKey({ name: "sworn", public: publicText });
  expect(text).toMatch(/^sworn\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/);
  expect(parseVerifierKey(` ${text}\n`)).toEqual({ name: "sworn", public: publicText });
  const hash = text.slice(6, 14);
  const other = hash.startsWith("0") ? hash.replace("0", "1") : hash.replace(/^./, "0");
  for (const changed of [
    "",
    "sworn",
    text.replace(/^sworn/, "swurn"),
    text.replace(hash, other),
    text.slice(0, -4),
    text.replace(/[A-Za-z0-9+/]$/, (last) => (last === "A" ? "B" : "A")),
  ]) {
    expect(() => parseVerifierKey(changed)).toThrow(invalid);
  }
});

test("a verifier key has one spelling", () => {
  const text = toVerifierKey({ name: "sworn", public: freshSigner().public });
  for (const changed of [`${text}x`, `${text}=`, `${text}==`])
    expect(() => parseVerifierKey(changed)).toThrow(invalid);
});

test("keys of small order, of another spelling or of the wrong length are unusable", () => {
  const unusable = expect.objectContaining({ code: "KEY_UNUSABLE" });
  const hex = [
    "01".padEnd(64, "0"),
    "00".repeat(32),
    `ec${"ff".repeat(30)}7f`,
    `ec${"ff".repeat(31)}`,
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    `ed${"ff".repeat(30)}7f`,
    `ee${"ff".repeat(30)}7f`,
    "ff".repeat(32),
    "11".repeat(31),
    "11".repeat(33),
  ];
  for (const bytes of hex)
    expect(() => toPublicKey(Buffer.from(bytes, "hex").toString("base64"))).toThrow(unusable);
  const { public: publicText } = freshSigner();
  expect(() => toPublicKey(publicText.replace("=", ""))).toThrow(unusable);
  expect(() => toPublicKey(` ${publicText}`)).toThrow(unusable);
});

test("a signature fits its bytes and its key, and bad input is a no", () => {
  const signer = freshSigner();
  const [key, bytes] = [toPublicKey(signer.public), Buffer.from("said")];
  const signature = signer.sign(bytes);
  expect(isSignedBy(key, bytes, signature)).toBe(true);
  expect(isSignedBy(key, Buffer.from("sung"), signature)).toBe(false);
  expect(isSignedBy(toPublicKey(freshSigner().public), bytes, signature)).toBe(false);
  for (const wrong of [Buffer.alloc(0), Buffer.alloc(64), signature.subarray(1), Buffer.alloc(65)])
    expect(isSignedBy(key, bytes, wrong)).toBe(false);
});
