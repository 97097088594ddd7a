import { expect, test } from "vitest";
import { Config } from "../../src/schema/config.ts";

const RECIPIENT = "age1lelzzyt9ryxpqaz59n4gx0r6awgskz3m3dn9qpcr76dfqh2g0ezs0vf9xd";
const isListed = (sink: object, name = "store") =>
  Config.safeParse({ deliver: { [name]: sink } }).success;
const FOLDER = { kind: "folder", path: "../shelf" };
const STORE = { kind: "https", url: "https://artifacts.example.org/team" };

test("folders and addresses can be listed, with whom they are for", () => {
  expect(isListed({ ...FOLDER, recipients: [RECIPIENT] })).toBe(true);
  expect(isListed({ ...FOLDER, plain: true })).toBe(true);
  expect(isListed({ ...STORE, recipients: [RECIPIENT], token_env: "SWORN_DELIVER_A" })).toBe(true);
  expect(isListed({ ...STORE, is: "vcs-release" })).toBe(true);
});

test("plain is said of folders only, said as true, and not beside recipients", () => {
  expect(isListed({ ...STORE, plain: true })).toBe(false);
  expect(isListed({ ...FOLDER, plain: false })).toBe(false);
  expect(isListed({ ...FOLDER, plain: true, recipients: [RECIPIENT] })).toBe(false);
});

test.each([
  "GITHUB_TOKEN",
  "SWORN_PASSPHRASE_FILE",
  "sworn_deliver_a",
  "SWORN_DELIVER_",
  "A B",
  "",
])("the variable %j cannot be named for a token", (token_env) => {
  expect(isListed({ ...STORE, token_env })).toBe(false);
});

test("a list that says something unknown is no list", () => {
  expect(isListed({ ...STORE, kind: "ftp" })).toBe(false);
  expect(isListed({ ...STORE, recipient: RECIPIENT })).toBe(false);
  expect(isListed({ ...STORE, recipients: [] })).toBe(false);
  expect(isListed({ ...STORE, recipients: ["ssh-ed25519 AAAA"] })).toBe(false);
  expect(isListed(FOLDER, "../up")).toBe(false);
});
