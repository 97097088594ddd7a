import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Signer } from "../../../src/base/index.ts";
import {
  signDetached,
  toMinisignKey,
  toMinisignKeyFile,
} from "../../../src/deliver/packet/index.ts";
import { signerOf } from "../../../src/flow/record/draft.ts";
import { temporaryFolder, temporaryPlace } from "../../fake/sandbox.ts";
import { verifies } from "../../verifies.ts";

async function newSigner(): Promise<Signer> {
  const place = temporaryPlace();
  const { key } = await place.keyring.ensure("delivery");
  return signerOf(place, "delivery", key);
}

/** A file, its signature and the key, each where the real program finds it. */
async function signed(content: string, comment = "timestamp:1\tfile:f\thashed") {
  const folder = temporaryFolder();
  const signer = await newSigner();
  const [file, key] = [join(folder, "f"), join(folder, "key.pub")];
  writeFileSync(file, content);
  writeFileSync(key, toMinisignKeyFile(signer.public));
  const digest = createHash("blake2b512").update(content).digest();
  writeFileSync(`${file}.minisig`, signDetached(signer, digest, comment));
  return { file, key, signer };
}

/** What the real program says: 0 is a yes. */
const check = (...args: string[]) => spawnSync("minisign", ["-V", ...args]).status;

verifies("004-72", "the real minisign takes a signature of ours, by file and by line", async () => {
  const { file, key, signer } = await signed("\u0000a program");
  const said = execFileSync("minisign", ["-V", "-p", key, "-m", file], { encoding: "utf8" });
  expect(said).toContain("Signature and comment signature verified");
  expect(said).toContain("Trusted comment: timestamp:1\tfile:f\thashed");
  expect(check("-P", toMinisignKey(signer.public), "-m", file)).toBe(0);
  // Prehashed: the old form, over the file itself, is not what we write.
  expect(check("-H", "-p", key, "-m", file)).toBe(0);
});

test("an empty file can be signed", async () => {
  const { file, key } = await signed("");
  expect(check("-p", key, "-m", file)).toBe(0);
});

test("the real minisign refuses another file, another key and another comment", async () => {
  const { file, key } = await signed("the program");
  const other = await signed("the program");
  expect(check("-p", other.key, "-m", file)).not.toBe(0);
  const text = readFileSync(`${file}.minisig`, "utf8");
  writeFileSync(`${file}.minisig`, text.replace("file:f", "file:g"));
  expect(check("-p", key, "-m", file)).not.toBe(0);
  writeFileSync(`${file}.minisig`, text);
  expect(check("-p", key, "-m", file)).toBe(0);
  writeFileSync(file, "another program");
  expect(check("-p", key, "-m", file)).not.toBe(0);
});

test("a comment of several lines is our mistake, because its end would not be signed", async () => {
  await expect(signed("x", "one\ntwo")).rejects.toThrow("invariant broken");
});
