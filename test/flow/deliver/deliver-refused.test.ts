import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/index.ts";
import { ExecRecord } from "../../../src/flow/exec/exec-record.ts";
import { Place } from "../../../src/flow/place.ts";
import { signerOf } from "../../../src/flow/record/draft.ts";
import { readTrace } from "../../../src/index.ts";
import { signManifest } from "../../../src/run/manifest/index.ts";
import { verifies } from "../../verifies.ts";
import { concludedRuns, recorded, statusOf } from "./stage.ts";

const runs = concludedRuns();

verifies(
  "004-41",
  "an unlisted place is refused before anything is read, and on record",
  async () => {
    const stage = runs.stage();
    rmSync(stage.out, { recursive: true });
    const unread = { run: join(stage.own, "nothing"), to: "elsewhere" };
    const { refused, trace, packet } = await stage.deliver(unread);
    expect([refused?.rule, packet]).toEqual(["U.2", undefined]);
    expect(refused?.reason).toContain("elsewhere is not listed under deliver in sworn.yaml");
    expect(await statusOf(stage, trace)).not.toBe("fail");
    expect(recorded(stage, trace)).toContain('"intent_status":"blocked"');
    const inherited = await stage.deliver({ to: "constructor" });
    expect(inherited.refused?.rule).toBe("U.2");
  },
);

test("an address in place of a name is refused and not repeated in the record", async () => {
  const stage = runs.stage();
  const { refused, trace } = await stage.deliver({ to: "https://u:s3cr3t@example.org/x" });
  expect(refused?.rule).toBe("U.2");
  expect(recorded(stage, trace)).not.toContain("s3cr3t");
});

verifies(
  "004-71",
  "a forbidden kind of place is refused by the policies even when listed",
  async () => {
    const sink = (url: string, is?: string) => ({
      kind: "https",
      url,
      recipients: [runs.recipient()],
      ...(is ? { is } : {}),
    });
    const stage = runs.stage({
      hook: sink("https://hooks.slack.com/services/T/B/s3cr3t"),
      paste: sink("https://pastebin.com/api"),
      mail: sink("mailto:someone@example.org"),
      own: sink("https://example.org/me/repo.git"),
      clear: sink("http://artifacts.example.org/"),
      said: sink("https://artifacts.example.org/", "chat-webhook"),
    });
    for (const to of ["hook", "paste", "mail", "own", "clear", "said"]) {
      const { refused, packet, trace } = await stage.deliver({ to });
      expect([to, refused?.rule, packet]).toEqual([to, "U.1", undefined]);
      expect(recorded(stage, trace)).not.toContain("s3cr3t");
    }
  },
);

test.each<[string, (out: string) => void, string]>([
  ["changed", (out) => writeFileSync(join(out, "notes.txt"), "hallo\n"), "notes.txt"],
  ["longer", (out) => appendFileSync(join(out, "all.tar"), "x"), "all.tar"],
  ["missing", (out) => rmSync(join(out, "bin/tool.txt")), "bin/tool.txt"],
  ["extra", (out) => writeFileSync(join(out, "bin/more"), ""), "bin/more"],
  ["without its sidecar", (out) => rmSync(join(out, "all.tar.meta.json")), "all.tar.meta.json"],
  [
    "lower in its sidecar",
    (out) =>
      writeFileSync(join(out, "all.tar.meta.json"), '{"classification":"public","pii":false}\n'),
    "all.tar.meta.json",
  ],
  [
    "a link to the same content",
    (out) => {
      renameSync(join(out, "notes.txt"), join(out, "..", "notes.txt"));
      symlinkSync("../notes.txt", join(out, "notes.txt"));
    },
    "notes.txt",
  ],
  [
    "below a linked folder",
    (out) => {
      renameSync(join(out, "bin"), join(out, "..", "bin"));
      symlinkSync("../bin", join(out, "bin"));
    },
    "bin",
  ],
])("a file that is %s refuses the delivery by name", async (_how, change, name) => {
  const stage = runs.stage();
  change(stage.out);
  const { refused, trace } = await stage.deliver();
  expect(refused?.rule).toBe("F.5");
  expect(refused?.reason).toContain(` ${name}`);
  expect(readdirSync(stage.shelf)).toEqual([]);
  expect(await statusOf(stage, trace)).not.toBe("fail");
});

test("a list of parts that is not the run's refuses the delivery too", async () => {
  const stage = runs.stage();
  const name = readdirSync(stage.out).find((one) => /^SBOM-.*spdx\.json$/.test(one)) ?? "";
  appendFileSync(join(stage.out, name), " ");
  expect((await stage.deliver()).refused).toMatchObject({ rule: "F.5" });
});

test("a run that did not count is not delivered", async () => {
  const stage = runs.stage();
  mkdirSync(join(stage.own, "denied"), { recursive: true });
  const { refused } = await stage.deliver({ run: runs.denied(), out: join(stage.own, "denied") });
  expect(refused).toMatchObject({ rule: "A.3", reason: expect.stringContaining("did not count") });
});

test("a manifest that says deny is not delivered, whoever signed it", async () => {
  const stage = runs.stage();
  const folder = join(stage.place.store, "runs", runs.denied());
  const digest = sha256Hex(readFileSync(join(folder, "manifest.json")));
  const { key } = await stage.place.keyring.ensure("policy");
  const signer = await signerOf(stage.place, "policy", key);
  writeFileSync(join(folder, "manifest.note"), signManifest(digest, signer));
  expect((await stage.deliver({ run: runs.denied() })).refused).toMatchObject({
    rule: "A.3",
    reason: expect.stringContaining("the policies denied"),
  });
});

test("a run whose record was touched is not delivered", async () => {
  const stage = runs.stage();
  const db = new DatabaseSync(stage.place.ledgerPath(runs.run()));
  db.exec("UPDATE entry SET line = replace(line, 'the policies', 'my policies') WHERE seq = 4");
  db.close();
  expect((await stage.deliver()).refused).toMatchObject({
    rule: "A.3",
    reason: expect.stringContaining("does not verify"),
  });
});

test("a manifest of which one byte was changed is not delivered", async () => {
  const stage = runs.stage();
  const path = join(stage.place.store, "runs", runs.run(), "manifest.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"seed":"0"', '"seed":"1"'));
  expect((await stage.deliver()).refused).toMatchObject({
    rule: "A.3",
    reason: expect.stringContaining("does not verify"),
  });
});

test("a manifest that is signed but another run's is not delivered", async () => {
  const stage = runs.stage();
  const folder = (trace: string) => join(stage.place.store, "runs", trace);
  cpSync(folder(runs.run()), folder(runs.denied()), { recursive: true });
  expect((await stage.deliver({ run: runs.denied() })).refused).toMatchObject({
    rule: "A.3",
    reason: expect.stringContaining("not the one on its record"),
  });
});

test("a manifest of ours on the record of a stranger, with other facts, is not delivered", async () => {
  const stage = runs.stage();
  const state = join(stage.own, "stranger");
  const stranger = new Place({ store: stage.place.store, state });
  const runFolder = (trace: string) => join(stage.place.store, "runs", trace);
  const entries = [...readTrace(stage.place, runs.run())];
  const artifact = (wanted: string) => {
    const found = entries.flatMap(({ artifacts }) => artifacts).find(({ name }) => name === wanted);
    return Buffer.concat([...stage.place.artifacts.read(found?.hash ?? "")]).toString();
  };
  const record = new ExecRecord(stranger);
  const facts = { ...JSON.parse(artifact("facts.json")), task: "harmless" };
  await record.asked("true", facts, []);
  await record.decided(JSON.parse(artifact("decision.json")));
  await record.began();
  const names = ["manifest.json", "manifest.note", "completion.json"];
  const documents = names.map((name) => ({ name, text: artifact(name), media_type: "text/plain" }));
  await record.completed(0, "it ended", documents);
  record.close();
  cpSync(runFolder(runs.run()), runFolder(record.trace), { recursive: true });
  expect((await stage.deliver({ run: record.trace })).refused).toMatchObject({
    rule: "A.3",
    reason: expect.stringContaining("is not believed"),
  });
});

test("a signature by a revoked key of the policy engine counts no more; by an earlier one it does", async () => {
  const stage = runs.stage();
  const { key } = await stage.place.keyring.ensure("policy");
  await stage.place.keyring.rotate("policy");
  expect((await stage.deliver()).refused).toBeUndefined();
  stage.place.keyring.revoke("policy", key);
  expect((await stage.deliver()).refused?.rule).toBe("A.3");
});

test("the user's own policies decide about a delivery as well", async () => {
  const stage = runs.stage({ plain: { kind: "folder", path: "../shelf", plain: true } });
  mkdirSync(join(stage.state, "policies"));
  const own = [
    '@rule("team.folders") @why("not into folders") @fix("choose an address")',
    'forbid (principal, action == Sworn::Action::"complete", resource)',
    "when { !context.output.deliveries.destinations.isEmpty() };",
  ].join("\n");
  writeFileSync(join(stage.state, "policies", "team.cedar"), own);
  expect((await stage.deliver()).refused?.rule).toBe("team.folders");
  expect((await stage.deliver({ to: "plain" })).refused?.rule).toBe("team.folders");
});

test("keys and records are no sinks, and a folder is not made", async () => {
  const folder = (path: string) => ({ kind: "folder", path, recipients: [runs.recipient()] });
  const stage = runs.stage({
    keys: folder("../state/keys"),
    store: folder(".sworn/runs"),
    new: folder("../not-there"),
  });
  for (const to of ["keys", "store"]) {
    await expect(stage.deliver({ to })).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
  await expect(stage.deliver({ to: "new" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
