import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Keyring, type PublicKeyRecord } from "../../src/keyring/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

const PASSPHRASE = "correct horse battery staple";
/** Opening is slow on purpose, so one locked keyring is made and copied. */
let template = "";
let record: PublicKeyRecord;

function keyringIn(folder: string, passphrase?: string): Keyring {
  return new Keyring(folder, { clock: Date.now, passphrase: () => passphrase });
}

beforeAll(async () => {
  template = join(mkdtempSync(join(tmpdir(), "sworn-test-")), "keys");
  const keyring = keyringIn(template);
  await keyring.setPassphrase(PASSPHRASE);
  record = await keyring.ensure("eli");
});

afterAll(() => rmSync(join(template, ".."), { recursive: true, force: true }));

function lockedFolder(): string {
  const folder = join(temporaryFolder(), "keys");
  cpSync(template, folder, { recursive: true });
  chmodSync(folder, 0o700);
  return folder;
}

test("keys made under a passphrase sign with it; listing and making keys does not need it", async () => {
  const folder = lockedFolder();
  const closed = keyringIn(folder);
  expect(closed.isLocked).toBe(true);
  const second = await closed.rotate("eli");
  await closed.ensure("ada");
  expect(closed.list().map(({ agent }) => agent)).toEqual(["ada", "eli", "eli"]);
  const opened = keyringIn(folder, PASSPHRASE);
  for (const { key, public: publicText } of [record, second]) {
    const signer = await opened.signer("eli", key);
    expect(signer?.public).toBe(publicText);
    expect(signer?.sign(Buffer.from("x"))).toHaveLength(64);
  }
});

test("without the passphrase, or with a wrong one, the keys stay locked", async () => {
  const folder = lockedFolder();
  await expect(keyringIn(folder).signer("eli", record.key)).rejects.toMatchObject({
    code: "KEY_LOCKED",
    message: expect.stringContaining("SWORN_PASSPHRASE_FILE"),
  });
  await expect(keyringIn(folder, "correct horse").signer("eli", record.key)).rejects.toMatchObject({
    code: "KEY_LOCKED",
  });
});

test("under a passphrase no secret lies open", () => {
  const folder = lockedFolder();
  expect(readdirSync(folder).sort()).toEqual(["eli.json", "identity.age", "recipient.txt"]);
  for (const name of readdirSync(folder)) {
    expect((statSync(join(folder, name)).mode & 0o777).toString(8)).toBe("600");
    const text = readFileSync(join(folder, name), "utf8");
    // What an unlocked secret begins with: DER of PKCS#8 with Ed25519, in base64.
    expect(text).not.toContain("MC4CAQAwBQYDK2Vw");
    expect(text).not.toContain("AGE-SECRET-KEY");
  }
});

test("a passphrase is set before the first key, and once", async () => {
  const open = keyringIn(join(temporaryFolder(), "keys"));
  await open.ensure("eli");
  await expect(open.setPassphrase(PASSPHRASE)).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
  expect(open.isLocked).toBe(false);
  await expect(keyringIn(lockedFolder()).setPassphrase("another")).rejects.toMatchObject({
    code: "ALREADY_EXISTS",
  });
});

test("a locked identity that others can read, or that is damaged, opens nothing", async () => {
  const folder = lockedFolder();
  const path = join(folder, "identity.age");
  chmodSync(path, 0o644);
  await expect(keyringIn(folder, PASSPHRASE).signer("eli", record.key)).rejects.toMatchObject({
    code: "KEY_EXPOSED",
  });
  chmodSync(path, 0o600);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/\n.{10}/, "\nAAAAAAAAAA"));
  await expect(keyringIn(folder, PASSPHRASE).signer("eli", record.key)).rejects.toMatchObject({
    code: "KEY_LOCKED",
  });
});

test("a locked secret that is damaged is said to be unusable", async () => {
  const folder = lockedFolder();
  const path = join(folder, "eli.json");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/"secret": "[^"]+"/, '"secret": "not an age file"'));
  await expect(keyringIn(folder, PASSPHRASE).signer("eli", record.key)).rejects.toMatchObject({
    code: expect.stringMatching(/^KEY_(UNUSABLE|LOCKED)$/),
  });
});
