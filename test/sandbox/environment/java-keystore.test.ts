import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { settledKeystore } from "../../../src/sandbox/environment/java-keystore.ts";

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
};
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A list as Java writes it: the seal is a hash over password, a fixed word and content. */
function keystore(entries: readonly [name: string, atMs: number, certificate: string][]): Buffer {
  const parts = entries.map(([name, atMs, certificate]) => {
    const time = Buffer.alloc(8);
    time.writeBigInt64BE(BigInt(atMs));
    const body = Buffer.from(certificate);
    return Buffer.concat([number(2), text(name), time, text("X.509"), number(body.length), body]);
  });
  const content = Buffer.concat([
    ...[number(0xfeedfeed), number(2), number(entries.length)],
    ...parts,
  ]);
  const password = Buffer.from("\0c\0h\0a\0n\0g\0e\0i\0t", "latin1");
  const seal = createHash("sha1").update(password).update("Mighty Aphrodite").update(content);
  return Buffer.concat([content, seal.digest()]);
}

test("a list of authorities is the same whenever and in whichever order they were added", () => {
  const wanted = keystore([
    ["a", 5_000, "one"],
    ["b", 5_000, "two"],
  ]);
  const made = keystore([
    ["b", 1, "two"],
    ["a", 99, "one"],
  ]);
  expect(settledKeystore(made, 5_000).equals(wanted)).toBe(true);
});

test("a file that is no such list, is cut off, or was changed, is an error", () => {
  const sound = keystore([["a", 1, "one"]]);
  const changed = Buffer.from(sound);
  changed[20] = 7;
  for (const bytes of [Buffer.from("PKCS"), sound.subarray(0, 30), changed, Buffer.alloc(200)]) {
    expect(() => settledKeystore(bytes, 0)).toThrow("in a form that is not known");
  }
});
