import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { opening } from "../fake/sandbox.ts";
import { message } from "../flow/requests.ts";
import { Shell } from "./shell.ts";

const OWN_WORD = "That key is the record's own word";

/** A project with a trace of three entries, its bundle `a.tar` and a proof `p.json` of entry 1. */
async function recorded() {
  const shell = new Shell();
  shell.script("s.jsonl", opening(), message("one"), message("two"));
  await shell.run("trace", "record", "s.jsonl");
  await shell.run("trace", "export", "latest", "--out", "a.tar");
  await shell.run("trace", "prove", "latest", "1", "--since", "2", "--out", "p.json");
  return { shell, key: await verifierKey(shell) };
}

async function verifierKey(shell: Shell): Promise<string> {
  return (await shell.run("keys", "export-public")).out.trim();
}

test("a proof says what it is about, who signed it, and that this is its own word", async () => {
  const { shell, key } = await recorded();
  const { exit, out } = await shell.run("verify", "p.json");
  expect(exit).toBe(0);
  expect(out).toMatch(/^Entry 1 \(message_posted\) of trace_\w+, of 3 entries$/m);
  expect(out).toContain("the trace of 2 entries is the beginning of this one");
  expect(out).toContain(`Signed with ${key}\n`);
  expect(out).toContain(OWN_WORD);
  const pinned = await shell.run("verify", "p.json", "--key", key);
  expect(pinned.out).toContain(`Signed with ${key}\n`);
  expect(pinned.out).not.toContain(OWN_WORD);
});

test("a proof that names another signer than the key it is held against shows the key", async () => {
  const { shell, key } = await recorded();
  const { verifierKey: other } = (await new Shell().run("init", "--json")).json<{
    verifierKey: string;
  }>();
  const proof = readFileSync(join(shell.cwd, "p.json"), "utf8");
  shell.write("q.json", proof.replace(key, other));
  const { exit, out } = await shell.run("verify", "q.json", "--key", key);
  expect(exit).toBe(0);
  expect(out).toContain(`Signed with ${key}\n`);
  expect(out).not.toContain(other);
});

test("a forged proof fails against the right key, and names both keys", async () => {
  const { shell, key } = await recorded();
  const forger = await recorded();
  cpSync(join(forger.shell.cwd, "p.json"), join(shell.cwd, "forged.json"));
  const { exit, out } = await shell.run("verify", "forged.json", "--key", key);
  expect(exit).toBe(4);
  expect(out).toContain(`the proof is signed with ${forger.key}, expected ${key}`);
});

test("an import says who signed, and that this is the record's own word", async () => {
  const { shell, key } = await recorded();
  const other = new Shell();
  const bundle = join(shell.cwd, "a.tar");
  const imported = await other.run("trace", "import", bundle);
  expect(imported.exit).toBe(0);
  expect(imported.out).toContain(`Signed with ${key}\n`);
  expect(imported.out).toContain(OWN_WORD);
  const pinned = await other.run("trace", "import", bundle, "--key", key);
  expect(pinned.out).toContain("Already here:");
  expect(pinned.out).not.toContain(OWN_WORD);
});

test("a trace of one's own is signed with one's own key, an imported one is not", async () => {
  const { shell, key } = await recorded();
  const own = await shell.run("verify", "latest");
  const [, work = ""] = /trace_(\w{26})/.exec(own.out) ?? [];
  expect((await shell.run("verify", work.toLowerCase())).out).toBe(own.out);
  expect(own.out).toContain(`Signed with ${key}, your own key\n`);
  expect(own.out).not.toContain(OWN_WORD);
  const other = new Shell();
  await other.run("init");
  await other.run("trace", "import", join(shell.cwd, "a.tar"));
  expect((await other.run("verify", "latest")).out).toContain(OWN_WORD);
});

test("a bundle signed with an earlier key of one's own says so", async () => {
  const { shell, key } = await recorded();
  await shell.run("keys", "rotate", "sworn");
  const now = await verifierKey(shell);
  expect(now).not.toBe(key);
  const { exit, out } = await shell.run("verify", "a.tar", "--key", now);
  expect(exit).toBe(4);
  expect(out).toContain("KEY_NOT_TRUSTED");
  expect(out).toContain(`Signed with ${key}, an earlier key of yours`);
  const proof = await shell.run("verify", "p.json", "--key", now);
  expect(proof.out).toContain(`Signed with ${key}, an earlier key of yours`);
});

test("verifying somebody else's bundle makes no folder for keys", async () => {
  const { shell } = await recorded();
  const other = new Shell();
  const wrong = await verifierKeyOfStranger();
  const { exit } = await other.run("verify", join(shell.cwd, "a.tar"), "--key", wrong);
  expect(exit).toBe(4);
  expect(existsSync(join(other.folder, "state"))).toBe(false);
});

async function verifierKeyOfStranger(): Promise<string> {
  const shell = new Shell();
  return (await shell.run("init", "--json")).json<{ verifierKey: string }>().verifierKey;
}

test.each([
  ["text", "just some words\n".repeat(100), "a file that is no tar"],
  ["an empty file", "", "an empty file"],
  ["a key file", "sworn+0a+b\n", "a file that is no tar"],
])("%s is told to be no bundle, without a list of checks", async (_, content, found) => {
  const shell = new Shell();
  shell.write("a.txt", content);
  const { exit, out } = await shell.run("verify", "a.txt");
  expect(exit).toBe(4);
  expect(out).toMatch(/^FAIL: a\.txt is not a sworn bundle or proof: expected a tar file/);
  expect(out).toContain(`found ${found}`);
  expect(out).not.toContain("CHK_");
  const imported = await shell.run("trace", "import", "a.txt");
  expect([imported.exit, imported.out]).toEqual([4, ""]);
  expect(imported.err).toContain("a.txt is not a sworn bundle or proof");
});

test("a bundle that is cut short is still judged as a bundle", async () => {
  const { shell } = await recorded();
  const bytes = readFileSync(join(shell.cwd, "a.tar"));
  for (const length of [5, 300, 600]) {
    shell.write("cut.tar", bytes.subarray(0, length));
    const { exit, out } = await shell.run("verify", "cut.tar");
    expect([length, exit]).toEqual([length, 4]);
    expect(out).toContain("BUNDLE_MALFORMED");
  }
});

test("a folder is named as a folder, and one called latest hides no trace", async () => {
  const { shell } = await recorded();
  const { exit, err } = await shell.run("verify", ".");
  expect(exit).toBe(2);
  expect(err).toContain(". is a folder; expected a bundle, a packet, a proof, a trace id");
  mkdirSync(join(shell.cwd, "latest"));
  shell.write("latest/packet.json", "{}");
  expect((await shell.run("verify", "latest")).exit).toBe(0);
});

test("a key that is none says what was expected", async () => {
  const { shell, key } = await recorded();
  shell.write("key.txt", `${key}\n`);
  shell.write("other.txt", "hello\n");
  mkdirSync(join(shell.cwd, "keys"));
  expect((await shell.run("verify", "p.json", "--key", "key.txt")).exit).toBe(0);
  const said = async (given: string) => {
    const { exit, err } = await shell.run("verify", "p.json", "--key", given);
    expect(exit).toBe(2);
    return err;
  };
  expect(await said("none.key")).toContain(
    '"none.key" is neither a verifier key nor a file that exists',
  );
  expect(await said("other.txt")).toContain("the file other.txt does not hold one verifier key");
  expect(await said("keys")).toContain("keys is a folder");
});

test("a verification that is stopped says so and ends with 1", async () => {
  const { shell } = await recorded();
  const controller = new AbortController();
  controller.abort();
  const io = { signal: controller.signal };
  const { exit, err } = await shell.runWith(io, "verify", "a.tar");
  expect(exit).toBe(1);
  expect(err).toBe("sworn: stopped before the end; nothing was decided [INTERRUPTED]\n");
  const machine = await shell.runWith(io, "verify", "a.tar", "--json");
  expect(machine.json()).toMatchObject({ error: { code: "INTERRUPTED" } });
});

test("an error is a complaint on stderr, whatever its exit code", async () => {
  const { shell } = await recorded();
  writeFileSync(join(shell.folder, "state", "keys", "eli.json"), "{}");
  const { exit, out, err } = await shell.run("keys", "rotate", "eli");
  expect([exit, out]).toEqual([3, ""]);
  expect(err).toContain("[KEY_UNUSABLE]");
});
