import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { opening } from "../fake/sandbox.ts";
import { message, review } from "../flow/requests.ts";
import { Built, EXAMPLE } from "./built.ts";

async function recorded(): Promise<{ sworn: Built; trace: string }> {
  const sworn = new Built();
  const { trace } = await sworn.json<{ trace: string }>("trace", "record", EXAMPLE);
  return { sworn, trace };
}

test("--version is the package's version; an unknown command ends with 2", async () => {
  const sworn = new Built();
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  expect(await sworn.run("--version")).toMatchObject({ exit: 0, out: `${version}\n`, err: "" });
  expect(await sworn.run("nonsense")).toMatchObject({ exit: 2, out: "" });
  expect((await sworn.run("--help")).out).toContain("sworn review");
});

test("init makes a store and keys, and repeats itself without harm", async () => {
  const sworn = new Built();
  const first = await sworn.json("init");
  expect(first).toMatchObject({ created: true, keys: [{ agent: "sworn" }, { agent: "operator" }] });
  expect(await sworn.json("init")).toMatchObject({
    created: false,
    verifierKey: first["verifierKey"],
  });
  expect(existsSync(join(sworn.cwd, ".sworn", "traces"))).toBe(true);
  const keys = join(sworn.folder, "state", "keys");
  expect((statSync(keys).mode & 0o777).toString(8)).toBe("700");
  expect((statSync(join(keys, "sworn.json")).mode & 0o777).toString(8)).toBe("600");
  writeFileSync(join(sworn.cwd, "p"), "secret\n");
  expect((await sworn.run("init", "--passphrase-file", "p")).exit).toBe(3);
});

test("trace record takes the example to its end, and the record verifies", async () => {
  const { sworn, trace } = await recorded();
  expect(await sworn.json("verify", "latest")).toMatchObject({
    status: "pass",
    state: "completed",
    entries: 36,
    trace,
  });
  expect((await sworn.run("trace", "record", "none.jsonl")).exit).toBe(2);
  sworn.script("refused.jsonl", opening(), review("p1"));
  const refused = await sworn.run("trace", "record", "refused.jsonl");
  expect(refused).toMatchObject({ exit: 3, out: expect.stringContaining("[STATE_GUARD]") });
});

test("trace record goes on with a trace, and takes artifacts from where it is told", async () => {
  const sworn = new Built();
  sworn.script("one.jsonl", opening());
  const { trace } = await sworn.json<{ trace: string }>("trace", "record", "one.jsonl");
  writeFileSync(join(sworn.folder, "note.txt"), "a note");
  const attached = { ...message("see note"), artifacts: [{ path: "note.txt" }] };
  sworn.script("two.jsonl", attached);
  expect((await sworn.run("trace", "record", "two.jsonl", "--trace", trace)).exit).toBe(2);
  const more = ["--artifacts-from", ".."];
  expect(await sworn.json("trace", "record", "two.jsonl", "--trace", trace, ...more)).toMatchObject(
    {
      trace,
      entries: 2,
    },
  );
  const escaping = { ...message("see note"), artifacts: [{ path: "../note.txt" }] };
  sworn.script("three.jsonl", escaping);
  expect((await sworn.run("trace", "record", "three.jsonl", "--trace", trace)).exit).toBe(3);
});

test("trace ls, show and tail", async () => {
  const { sworn, trace } = await recorded();
  expect(await sworn.json("trace", "ls")).toMatchObject({
    traces: [{ trace, state: "completed", entries: 36, task: "limit-logins" }],
  });
  expect(await sworn.json("trace", "show", "latest", "4")).toMatchObject({
    entries: [{ seq: 4, type: "proposal_created" }],
  });
  expect((await sworn.run("trace", "show", "latest")).out.split("\n")).toHaveLength(38);
  expect((await sworn.run("trace", "show", "latest", "99")).exit).toBe(2);
  expect((await sworn.run("trace", "tail", "latest", "-n", "3")).out).toContain("final_statement");
  expect((await sworn.run("trace", "tail", "none")).exit).toBe(2);
  expect((await new Built().run("trace", "ls")).out).toContain("No traces here yet");
});

test("trace export, import and verify of a bundle, whole and altered", async () => {
  const { sworn, trace } = await recorded();
  await sworn.json("trace", "export", "latest", "--out", "a.tar");
  const { verifierKey } = await sworn.json<{ verifierKey: string }>("keys", "export-public");
  const other = new Built();
  const bundle = join(sworn.cwd, "a.tar");
  expect(await other.json("verify", bundle, "--key", verifierKey)).toMatchObject({
    status: "pass",
  });
  expect(await other.json("trace", "import", bundle)).toMatchObject({ imported: true, trace });
  expect(await other.json("trace", "import", bundle)).toMatchObject({ imported: false, trace });
  await other.json("trace", "export", "latest", "--out", "b.tar");
  expect(readFileSync(join(other.cwd, "b.tar")).equals(readFileSync(bundle))).toBe(true);
  const { verifierKey: wrong } = await new Built().json<{ verifierKey: string }>("init");
  expect((await other.run("verify", bundle, "--key", wrong)).exit).toBe(4);
  writeFileSync(join(other.cwd, "key.txt"), `${verifierKey}\n`);
  expect((await other.run("verify", bundle, "--key", "key.txt")).exit).toBe(0);
  expect((await other.run("verify", bundle, "--key", "nonsense")).exit).toBe(2);
  writeFileSync(bundle, readFileSync(bundle, "latin1").replace("Per user.", "Per hour."), "latin1");
  const altered = await other.run("verify", bundle);
  expect(altered).toMatchObject({ exit: 4, out: expect.stringContaining("SIG_INVALID") });
  expect((await new Built().run("trace", "import", bundle)).exit).toBe(4);
  expect((await sworn.run("trace", "export", "latest", "--out", "none/a.tar")).exit).toBe(2);
});

test("trace prove makes a proof that verify accepts, until it is altered", async () => {
  const { sworn, trace } = await recorded();
  await sworn.json("trace", "prove", "latest", "7", "--since", "5", "--out", "p.json");
  const { verifierKey } = await sworn.json("keys", "export-public");
  expect(await sworn.json("verify", "p.json")).toEqual({
    status: "pass",
    reasons: [],
    trace,
    seq: 7,
    size: 36,
    signer: verifierKey,
    type: "proposal_reviewed",
  });
  const text = readFileSync(join(sworn.cwd, "p.json"), "utf8");
  writeFileSync(join(sworn.cwd, "p.json"), text.replace('"seq": 7', '"seq": 6'));
  expect((await sworn.run("verify", "p.json")).exit).toBe(4);
  writeFileSync(join(sworn.cwd, "p.json"), "{}");
  expect((await sworn.run("verify", "p.json")).exit).toBe(2);
  expect((await sworn.run("trace", "prove", "latest", "99")).exit).toBe(2);
});

test("trace fsck and recover, on a sound trace and on a damaged one", async () => {
  const { sworn, trace } = await recorded();
  expect(await sworn.json("trace", "fsck")).toMatchObject({ status: "ok" });
  expect(await sworn.json("trace", "recover", "latest")).toMatchObject({ kind: "sound" });
  const db = new DatabaseSync(join(sworn.cwd, ".sworn", "traces", trace, "ledger.db"));
  db.exec("UPDATE entry SET line = replace(line, 'Per user.', 'Per hour.')");
  db.close();
  expect((await sworn.run("trace", "fsck")).exit).toBe(4);
  expect((await sworn.run("trace", "recover", "latest")).exit).toBe(4);
  sworn.script("more.jsonl", message("go on"));
  expect((await sworn.run("trace", "record", "more.jsonl", "--trace", trace)).exit).toBe(4);
  expect(await sworn.json("trace", "recover", "latest", "--accept-loss")).toMatchObject({
    kind: "recovered",
    entries: 4,
  });
  expect(await sworn.json("trace", "fsck", trace)).toMatchObject({ status: "ok" });
  expect((await sworn.run("trace", "record", "more.jsonl", "--trace", trace)).exit).toBe(0);
});

test("keys list, rotate, revoke and export-public", async () => {
  const sworn = new Built();
  sworn.script("one.jsonl", opening());
  const { trace } = await sworn.json<{ trace: string }>("trace", "record", "one.jsonl");
  expect(await sworn.json("keys", "rotate", "eli")).toMatchObject({ traces: [trace], failed: [] });
  expect(await sworn.json("keys", "revoke", "cleo", "--reason", "lost")).toMatchObject({
    agent: "cleo",
    traces: [trace],
  });
  const { keys } = await sworn.json<{ keys: { agent: string; status: string }[] }>("keys", "list");
  const of = (agent: string) => keys.filter((one) => one.agent === agent).map((one) => one.status);
  expect([of("eli"), of("cleo")]).toEqual([["rotated", "active"], ["revoked"]]);
  expect((await sworn.run("keys", "rotate", "nobody")).exit).toBe(2);
  expect((await sworn.run("keys", "revoke", "nobody", "--reason", "r")).exit).toBe(2);
  expect((await sworn.run("keys", "export-public", "cleo")).exit).toBe(2);
  expect(await sworn.json("verify", trace)).toMatchObject({ failures: [] });
  const file = join(sworn.folder, "state", "keys", "eli.json");
  const secrets = [...readFileSync(file, "utf8").matchAll(/"secret": "([^"]+)"/g)];
  for (const line of [
    ["keys", "list"],
    ["keys", "export-public", "eli"],
    ["keys", "list", "--json"],
  ]) {
    const { out, err } = await sworn.run(...line);
    for (const [, secret = ""] of secrets) expect(out + err).not.toContain(secret);
  }
  chmodSync(file, 0o644);
  expect((await sworn.run("keys", "list")).exit).toBe(3);
});

test("a store on which nothing can be written fails as a machine, and leaves the record be", async () => {
  const { sworn, trace } = await recorded();
  const artifacts = join(sworn.cwd, ".sworn", "artifacts");
  rmSync(artifacts, { recursive: true });
  writeFileSync(artifacts, "a file in the way");
  sworn.script("more.jsonl", opening(), { ...message("x"), artifacts: [{ text: "y" }] });
  expect((await sworn.run("trace", "record", "more.jsonl")).exit).toBe(1);
  expect((await sworn.run("trace", "show", trace)).exit).toBe(0);
});
