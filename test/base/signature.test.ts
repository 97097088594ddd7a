import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { isSignedBy, toPublicKey } from "../../src/base/index.ts";

function makeKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  const signBytes = (bytes: Buffer) => sign(null, bytes, privateKey);
  return { text: raw.toString("base64"), sign: signBytes };
}

test("what was signed once is signed the next time, and nothing else is", () => {
  const [one, other] = [makeKey(), makeKey()];
  const bytes = Buffer.from("what was said");
  const signature = one.sign(bytes);
  for (let round = 0; round < 2; round += 1) {
    const key = toPublicKey(one.text);
    expect(isSignedBy(key, bytes, signature)).toBe(true);
    expect(isSignedBy(key, Buffer.from("what was Said"), signature)).toBe(false);
    expect(isSignedBy(key, bytes, other.sign(bytes))).toBe(false);
    expect(isSignedBy(toPublicKey(other.text), bytes, signature)).toBe(false);
    expect(isSignedBy(key, bytes, signature.subarray(1))).toBe(false);
  }
});

test("a key is refused each time, however often it is asked for", () => {
  const zero = Buffer.alloc(32).toString("base64");
  for (let round = 0; round < 2; round += 1) {
    expect(() => toPublicKey(zero)).toThrow("small-order");
    expect(() => toPublicKey("AAAA")).toThrow("32 bytes");
  }
});

test("more keys and signatures than are remembered are judged all the same", () => {
  const { text, sign: signBytes } = makeKey();
  const key = toPublicKey(text);
  for (let at = 0; at < 1_100; at += 1) {
    const bytes = Buffer.from(String(at));
    if (!isSignedBy(key, bytes, signBytes(bytes))) expect.fail(`${at} was signed`);
  }
  for (let at = 0; at < 300; at += 1) toPublicKey(makeKey().text);
  expect(isSignedBy(toPublicKey(text), Buffer.from("1"), signBytes(Buffer.from("1")))).toBe(true);
});
