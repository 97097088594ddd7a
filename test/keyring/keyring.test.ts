import { spawn } from "node:child_process";
import { verify } from "node:crypto";
import fs, {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { keyIdOf, toPublicKey } from "../../src/base/index.ts";
import { Keyring } from "../../src/keyring/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

const BUILT = resolve(import.meta.dirname, "../../dist/keyring/index.js");
const CLOCK = () => 1_700_000_000_000;

/** A keyring in a folder that does not exist yet. */
function keyringIn(folder: string, passphrase?: string): Keyring {
  return new Keyring(folder, { clock: CLOCK, passphrase: () => passphrase });
}
const freshFolder = (): string => join(temporaryFolder(), "keys");
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const exposed = expect.objectContaining({ code: "KEY_EXPOSED" });

test("the folder is the owner's alone, and so is each key file", async () => {
  const folder = freshFolder();
  const keyring = keyringIn(folder);
  await keyring.ensure("eli");
  await keyring.ensure("ada");
  await keyring.rotate("eli");
  expect(modeOf(folder)).toBe("700");
  expect(readdirSync(folder).sort()).toEqual(["ada.json", "eli.json"]);
  for (const name of readdirSync(folder)) expect(modeOf(join(folder, name))).toBe("600");
});

test("a key signs what its public part verifies, and its id is the hash of that part", async () => {
  const keyring = keyringIn(freshFolder());
  const record = await keyring.ensure("eli");
  expect(record.key).toBe(keyIdOf(record.public));
  expect(record.created_at).toBe("2023-11-14T22:13:20.000Z");
  const signer = await keyring.signer("eli", record.key);
  const bytes = Buffer.from("what was done");
  const signature = signer?.sign(bytes) ?? Buffer.alloc(0);
  expect(verify(null, bytes, toPublicKey(record.public), signature)).toBe(true);
  expect(await keyring.ensure("eli")).toEqual(record);
  expect(await keyringIn(freshFolder()).signer("eli", record.key)).toBeUndefined();
});

test.each(["640", "604", "660", "644"])("a key file of mode %s is refused", async (mode) => {
  const folder = freshFolder();
  const keyring = keyringIn(folder);
  const { key } = await keyring.ensure("eli");
  chmodSync(join(folder, "eli.json"), Number.parseInt(mode, 8));
  const fresh = keyringIn(folder);
  expect(() => fresh.list()).toThrow(exposed);
  expect(() => fresh.current("eli")).toThrow(exposed);
  await expect(fresh.ensure("eli")).rejects.toEqual(exposed);
  await expect(fresh.signer("eli", key)).rejects.toEqual(exposed);
  await expect(fresh.rotate("eli")).rejects.toEqual(exposed);
  expect(() => fresh.revoke("eli", key)).toThrow(exposed);
});

test.each(["750", "705", "755", "770"])("a key folder of mode %s is refused", async (mode) => {
  const folder = freshFolder();
  await keyringIn(folder).ensure("eli");
  chmodSync(folder, Number.parseInt(mode, 8));
  expect(() => keyringIn(folder)).toThrow(exposed);
});

test("a folder that is opened to others while a keyring is open is noticed", async () => {
  const folder = freshFolder();
  const keyring = keyringIn(folder);
  await keyring.ensure("eli");
  chmodSync(folder, 0o755);
  expect(() => keyring.current("eli")).toThrow(exposed);
});

test("rotating keeps the old key for handing over, and signs with the new one", async () => {
  const keyring = keyringIn(freshFolder());
  const first = await keyring.ensure("eli");
  const second = await keyring.rotate("eli");
  expect(second.key).not.toBe(first.key);
  expect(keyring.current("eli")).toEqual(second);
  expect(keyring.list().map(({ key, status }) => [key, status])).toEqual([
    [first.key, "rotated"],
    [second.key, "active"],
  ]);
  expect((await keyring.signer("eli", first.key))?.key).toBe(first.key);
  await expect(keyring.rotate("zoe")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("rotations at once lose no key: each may be in use in a trace already", async () => {
  const folder = freshFolder();
  const first = await keyringIn(folder).ensure("eli");
  const made = await Promise.all([1, 2, 3].map(() => keyringIn(folder).rotate("eli")));
  const onFile = keyringIn(folder).list();
  for (const { key } of [first, ...made]) expect(onFile.map((one) => one.key)).toContain(key);
  expect(onFile).toHaveLength(4);
  expect(onFile.filter(({ status }) => status === "active")).toHaveLength(1);
});

test("a revoked key signs nothing, and the agent has none until it gets a new one", async () => {
  const keyring = keyringIn(freshFolder());
  const { key } = await keyring.ensure("eli");
  expect(await keyring.signer("eli", key)).toBeDefined();
  keyring.revoke("eli", key);
  expect(await keyring.signer("eli", key)).toBeUndefined();
  expect(keyring.current("eli")).toBeUndefined();
  await expect(keyring.ensure("eli")).rejects.toMatchObject({ code: "KEY_UNUSABLE" });
  expect(() => keyring.revoke("eli", "0".repeat(32))).toThrow(
    expect.objectContaining({ code: "NOT_FOUND" }),
  );
  expect(() => keyring.revoke("zoe", key)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
  const next = await keyring.rotate("eli");
  expect(await keyring.ensure("eli")).toEqual(next);
  expect(await keyring.signer("eli", key)).toBeUndefined();
});

test("a key file that is damaged, or another agent's, is refused and not overwritten", async () => {
  const folder = freshFolder();
  const keyring = keyringIn(folder);
  const { key } = await keyring.ensure("eli");
  const path = join(folder, "eli.json");
  const whole = readFileSync(path, "utf8");
  const cases = [
    "",
    "{",
    "[]",
    "null",
    '{"v":1}',
    whole.replace('"v": 1', '"v": 2'),
    whole.replace('"eli"', '"ada"'),
    whole.replace('"active"', '"asleep"'),
    whole.replace('"v": 1,', '"v": 1, "v": 1,'),
    whole.replace('"v": 1,', '"v": 1, "extra": 1,'),
  ];
  for (const text of cases) {
    writeFileSync(path, text);
    for (const attempt of [
      () => keyringIn(folder).ensure("eli"),
      () => keyringIn(folder).rotate("eli"),
      () => keyringIn(folder).signer("eli", key),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "KEY_UNUSABLE" });
    }
    expect(readFileSync(path, "utf8")).toBe(text);
  }
});

test("a secret that does not belong to its public key is not used", async () => {
  const folder = freshFolder();
  const keyring = keyringIn(folder);
  const [eli, ada] = [await keyring.ensure("eli"), await keyring.ensure("ada")];
  const read = (agent: string) => readFileSync(join(folder, `${agent}.json`), "utf8");
  const secretOf = (agent: string) => /"secret": "([^"]+)"/.exec(read(agent))?.[1] ?? "";
  const write = (text: string) => writeFileSync(join(folder, "eli.json"), text, { mode: 0o600 });
  const whole = read("eli");
  for (const text of [
    whole.replace(secretOf("eli"), secretOf("ada")),
    whole.replace(secretOf("eli"), "bm90IGEga2V5"),
    whole.replace(eli.public, ada.public),
  ]) {
    write(text);
    await expect(keyringIn(folder).signer("eli", eli.key)).rejects.toMatchObject({
      code: "KEY_UNUSABLE",
    });
  }
  copyFileSync(join(folder, "ada.json"), join(folder, "eli.json"));
  expect(() => keyringIn(folder).current("eli")).toThrow(
    expect.objectContaining({ code: "KEY_UNUSABLE" }),
  );
});

test("what is no key file does not get in the way of those that are", async () => {
  const folder = freshFolder();
  const keyring = keyringIn(folder);
  await keyring.ensure("eli");
  writeFileSync(join(folder, "eli.json.0123.tmp"), "left by a killed process", { mode: 0o600 });
  mkdirSync(join(folder, "backup"), { mode: 0o700 });
  expect(keyring.list().map(({ agent }) => agent)).toEqual(["eli"]);
});

test("nothing that is listed can be turned back into a secret", async () => {
  const folder = freshFolder();
  const keyring = keyringIn(folder);
  await keyring.ensure("eli");
  await keyring.rotate("eli");
  const secrets = [
    ...readFileSync(join(folder, "eli.json"), "utf8").matchAll(/"secret": "([^"]+)"/g),
  ];
  expect(secrets).toHaveLength(2);
  const shown = JSON.stringify([
    keyring.list(),
    keyring.current("eli"),
    await keyring.ensure("eli"),
  ]);
  for (const [, secret = ""] of secrets) {
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(Buffer.from(secret, "base64").subarray(-32).toString("base64"));
  }
  expect(shown).not.toContain("secret");
  const { key } = keyring.current("eli") ?? { key: "" };
  const signer = await keyring.signer("eli", key);
  expect(Object.keys(signer ?? {}).sort()).toEqual(["key", "public", "sign"]);
});

test("an agent's name never leads out of the folder", async () => {
  const keyring = keyringIn(freshFolder());
  for (const name of ["../eli", "a/b", "", ".", "Eli", "e\u0000"])
    await expect(keyring.ensure(name)).rejects.toThrow();
});

/** Makes the key of one agent in a process of its own, and prints its id. */
function makeKeyElsewhere(folder: string): Promise<string> {
  const program = `
    const { Keyring } = await import(${JSON.stringify(BUILT)});
    const keyring = new Keyring(process.argv[1], { clock: Date.now, passphrase: () => undefined });
    process.stdout.write((await keyring.ensure("eli")).key);`;
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, folder]);
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    child.on("error", fail);
    child.on("close", (code) =>
      code === 0 ? done(out) : fail(new Error(`exit ${code}: ${complaint}`)),
    );
  });
}

test("processes that make the same agent's key at once get one key", async () => {
  const folder = freshFolder();
  const keys = await Promise.all(Array.from({ length: 6 }, () => makeKeyElsewhere(folder)));
  expect(new Set(keys).size).toBe(1);
  expect(
    keyringIn(folder)
      .list()
      .map(({ key }) => key),
  ).toEqual(keys.slice(0, 1));
  expect(readdirSync(folder)).toEqual(["eli.json"]);
});

test("a key that another process makes just after nobody had one is the key", async () => {
  const elsewhere = freshFolder();
  const { key } = await keyringIn(elsewhere).ensure("eli");
  const folder = freshFolder();
  const keyring = keyringIn(folder);
  const path = join(folder, "eli.json");
  const real = fs.lstatSync;
  const look = vi.spyOn(fs, "lstatSync").mockImplementation(((...asked: [string]) => {
    const seen = real(...asked);
    if (asked[0] === path && !seen) copyFileSync(join(elsewhere, "eli.json"), path);
    return seen;
  }) as typeof fs.lstatSync);
  syncBuiltinESMExports();
  try {
    expect((await keyring.ensure("eli")).key).toBe(key);
  } finally {
    look.mockRestore();
    syncBuiltinESMExports();
  }
});
