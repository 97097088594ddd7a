import { expect, test } from "vitest";
import { opening } from "../fake/sandbox.ts";
import { Shell } from "./shell.ts";

const keyOf = async (shell: Shell): Promise<string> =>
  (await shell.run("keys", "export-public")).out.trim();

async function recorded(): Promise<Shell> {
  const shell = new Shell();
  await shell.run("trace", "record", shell.script("s.jsonl", opening()));
  return shell;
}

test("a rotation of the runtime's key says what others verify with, before and after", async () => {
  const shell = await recorded();
  const before = await keyOf(shell);
  const { exit, out } = await shell.run("keys", "rotate", "sworn");
  expect(exit).toBe(0);
  expect(out).toContain(`Others verify new records with ${await keyOf(shell)}\n`);
  expect(out).toContain(`Older bundles still need ${before}\n`);
  expect(out).toContain("Recorded in 1 open trace of this project.");
  expect((await shell.run("keys", "rotate", "eli")).out).not.toContain("Others verify");
});

test("a revocation of the runtime's key names the key it signs with now", async () => {
  const shell = await recorded();
  const before = await keyOf(shell);
  const { exit, out } = await shell.run("keys", "revoke", "sworn", "--reason", "lost");
  const after = await keyOf(shell);
  expect(exit).toBe(0);
  expect(after).not.toBe(before);
  expect(out).toMatch(/^The key \w+ of sworn is revoked\. It signs with \w+ now\.$/m);
  expect(out).toContain(`Others verify new records with ${after}\n`);
  expect(out).toContain(`Older bundles still need ${before}\n`);
  expect(out).not.toContain("keys rotate");
  const other = await shell.run("keys", "revoke", "eli", "--reason", "lost");
  expect(other.out).toContain('Give it a new one with "sworn keys rotate eli".');
});

test("every verifier key there was can be printed again", async () => {
  const shell = await recorded();
  const first = await keyOf(shell);
  await shell.run("keys", "rotate", "sworn");
  const second = await keyOf(shell);
  const { keys } = (await shell.run("keys", "list", "--json")).json<{
    keys: { agent: string; key: string; verifierKey?: string }[];
  }>();
  const own = keys.filter(({ agent }) => agent === "sworn");
  expect(own.map(({ verifierKey }) => verifierKey)).toEqual([first, second]);
  expect(keys.find(({ agent }) => agent === "eli")).not.toHaveProperty("verifierKey");
  const all = await shell.run("keys", "export-public", "--all");
  expect(all.out).toMatch(/^PUBLIC KEY +STATUS +CREATED +KEY ID$/m);
  expect(all.out).toContain(`${first}  rotated`);
  expect(all.out).toContain(`${second}  active`);
  const one = await shell.run("keys", "export-public", "--key-id", own[0]?.key ?? "");
  expect(one.out).toBe(`${first}\n`);
  const none = await shell.run("keys", "export-public", "--key-id", "0".repeat(32));
  expect([none.exit, none.out]).toEqual([2, ""]);
});

test("a second revocation says that there is nothing left to revoke, and what to do", async () => {
  const shell = await recorded();
  const revoke = ["keys", "revoke", "eli", "--reason", "lost"];
  const { key } = (await shell.run(...revoke, "--json")).json<{ key: string }>();
  const { exit, err } = await shell.run(...revoke);
  expect(exit).toBe(2);
  expect(err).toContain(`eli has no active key: ${key} is already revoked`);
  expect(err).toContain("sworn keys rotate eli");
});

test("without any key, the way to the first is named", async () => {
  const shell = new Shell();
  expect((await shell.run("keys", "export-public")).err).toContain('make them with "sworn init"');
  await shell.run("init");
  expect((await shell.run("keys", "export-public", "max")).err).toContain("max has no active key");
});

test("help says that an agent's public key is no verifier key", async () => {
  const { out } = await new Shell().run("keys", "export-public", "--help");
  expect(out).toContain("is no verifier key");
  const init = await new Shell().run("init", "--help");
  for (const name of ["SWORN_STATE_DIR", "SWORN_PASSPHRASE_FILE", "share"])
    expect(init.out).toContain(name);
});
