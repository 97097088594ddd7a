import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/index.ts";
import { readTrace } from "../../../src/index.ts";
import { verifyManifest } from "../../../src/run/manifest/index.ts";
import { Packet } from "../../../src/schema/packet.ts";
import { verifies } from "../../verifies.ts";
import { concludedRuns, membersOf, opened, recorded, SECRET, statusOf } from "./stage.ts";

const runs = concludedRuns();
const LONG = "7".padStart(100, "0");

verifies(
  ["004-41", "004-78"],
  "what a run left arrives whole, encrypted for the sink's recipients, with the policy engine's signature",
  async () => {
    const stage = runs.stage();
    const { refused, packet, trace, manifest } = await stage.deliver();
    expect(refused).toBeUndefined();
    expect(readdirSync(stage.shelf)).toEqual([`${trace}.packet.tar.age`]);
    const bytes = readFileSync(join(stage.shelf, packet?.name ?? ""));
    expect(packet).toMatchObject({ bytes: bytes.length, sha256: sha256Hex(bytes), signed: 2 });
    expect(bytes.toString("latin1")).toMatch(/^age-encryption\.org\/v1\n/);
    expect(bytes.includes("hello")).toBe(false);
    const members = await opened(bytes, runs.identity());
    const document = Packet.parse(JSON.parse(members.get("packet.json")?.toString() ?? ""));
    expect(document.manifest.sha256).toBe(manifest);
    const { note, signer } = document.manifest;
    expect(note).toBe(members.get("manifest.note")?.toString());
    const verdict = verifyManifest(members.get("manifest.json") ?? Buffer.alloc(0), note, signer);
    expect(verdict).toMatchObject({ isValid: true, digest: manifest });
    expect(signer).toBe(stage.place.keyring.current("policy")?.public);
    for (const { path, member, sha256, sidecar, sidecar_member } of document.files) {
      expect(sha256Hex(members.get(member) ?? ""), path).toBe(sha256);
      expect(JSON.parse(members.get(sidecar_member)?.toString() ?? "")).toEqual(sidecar);
    }
    expect(document.files.map(({ path }) => path)).toEqual([
      LONG,
      expect.stringMatching(/^SBOM-sha256-/),
      "all.tar",
      "bin/tool.txt",
      "notes.txt",
    ]);
    expect(await statusOf(stage, trace)).toBe("pass");
  },
);

verifies("004-72", "a packet's binaries and archives verify with the real minisign", async () => {
  const stage = runs.stage();
  const { packet } = await stage.deliver();
  const bytes = readFileSync(join(stage.shelf, packet?.name ?? ""));
  const members = await opened(bytes, runs.identity());
  const { files, minisign } = Packet.parse(
    JSON.parse(members.get("packet.json")?.toString() ?? ""),
  );
  const signed = files.filter(({ signature }) => signature !== null);
  expect(signed.map(({ path, content }) => [path, content])).toEqual([
    ["all.tar", "archive"],
    ["bin/tool.txt", "binary"],
  ]);
  for (const { member, signature } of signed) {
    writeFileSync(join(stage.own, "f"), members.get(member) ?? "");
    writeFileSync(join(stage.own, "f.minisig"), members.get(signature ?? "") ?? "");
    const said = spawnSync("minisign", ["-V", "-P", minisign, "-m", join(stage.own, "f")]);
    expect(said.status).toBe(0);
    expect(said.stdout.toString()).toContain(`run:${runs.run()}`);
  }
});

verifies(
  "004-47",
  "the record has a summary of the manifest as a decision, and the whole of it only the packet",
  async () => {
    const stage = runs.stage();
    const { trace, packet, manifest } = await stage.deliver();
    const entries = [...readTrace(stage.place, trace)];
    const decision = entries.find(({ type }) => type === "decision_recorded");
    const { context, choice } = (decision?.body ?? {}) as Record<string, string>;
    expect(context).toMatch(/^run-\w+ ran in sha256:[0-9a-f]{64} and left 4 files of \d+ bytes/);
    expect(context).toContain("egress: none");
    expect(context).toContain("decided allow");
    expect(context).toContain(`manifest sha256:${manifest}`);
    expect(choice).toBe(`hand over to folder ${stage.shelf}`);
    const all = recorded(stage, trace);
    expect(all).toContain(`"sha256":"${packet?.sha256}"`);
    expect(all).toContain(`"bytes":${packet?.bytes}`);
    expect(all).not.toContain('"container_id"');
    // On record before anything left.
    const order = entries.map(({ type }) => type);
    expect(order.indexOf("decision_recorded")).toBeLessThan(
      order.indexOf("tool_execution_started"),
    );
  },
);

test("a secret in the run's command reaches neither the record nor the packet", async () => {
  const stage = runs.stage({ plain: { kind: "folder", path: "../shelf", plain: true } });
  const { trace, packet } = await stage.deliver({ to: "plain" });
  expect(recorded(stage, trace)).toContain('"argv"');
  expect(recorded(stage, trace)).not.toContain(SECRET);
  expect(readFileSync(join(stage.shelf, packet?.name ?? "")).includes(SECRET)).toBe(false);
});

test("a sink without recipients is refused, unless it is a local folder that says so", async () => {
  const stage = runs.stage({
    open: { kind: "folder", path: "../shelf" },
    away: { kind: "https", url: "https://artifacts.example.org/" },
    plain: { kind: "folder", path: "../shelf", plain: true },
  });
  for (const to of ["open", "away"]) {
    expect((await stage.deliver({ to })).refused?.rule).toBe("U.4.encrypted");
  }
  expect(readdirSync(stage.shelf)).toEqual([]);
  const { packet, trace } = await stage.deliver({ to: "plain" });
  expect(packet).toMatchObject({ isEncrypted: false, name: `${trace}.packet.tar` });
  const members = membersOf(readFileSync(join(stage.shelf, `${trace}.packet.tar`)));
  expect(members.get("out/notes.txt")?.toString()).toBe("hello\n");
  expect(await statusOf(stage, trace)).toBe("pass");
});

test("a run is found by a copy of its manifest, and as the latest run behind a delivery", async () => {
  const stage = runs.stage();
  const manifest = join(stage.place.store, "runs", runs.run(), "manifest.json");
  cpSync(manifest, join(stage.own, "copy.json"));
  expect((await stage.deliver({ run: join(stage.own, "copy.json") })).run).toBe(runs.run());
  expect((await stage.deliver({ run: "latest" })).run).toBe(runs.denied());
  writeFileSync(join(stage.own, "copy.json"), "{}");
  await expect(stage.deliver({ run: join(stage.own, "copy.json") })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a recipient that age does not know stops it, and nothing is left in the sink", async () => {
  const stage = runs.stage({
    odd: { kind: "folder", path: "../shelf", recipients: ["age1nonsense"] },
  });
  await expect(stage.deliver({ to: "odd" })).rejects.toMatchObject({ code: "INPUT_INVALID" });
  expect(readdirSync(stage.shelf)).toEqual([]);
});

test("a file that changes while it is packed stops it, and nothing is left in the sink", async () => {
  const stage = runs.stage();
  const onStep = (words: string) => {
    if (words.startsWith("packing")) writeFileSync(join(stage.out, "notes.txt"), "hallo\n");
  };
  await expect(stage.deliver({ onStep })).rejects.toMatchObject({
    code: "DELIVERY_FAILED",
    message: "notes.txt changed while it was packed; nothing was handed over",
  });
  expect(readdirSync(stage.shelf)).toEqual([]);
  const failed = stage.place.traces().at(-1) ?? "";
  expect(recorded(stage, failed)).toContain("changed while it was packed");
  expect(await statusOf(stage, failed)).not.toBe("fail");
});

test("one that is stopped leaves nothing in the sink", async () => {
  const stage = runs.stage();
  const signal = AbortSignal.abort();
  await expect(stage.deliver({ signal })).rejects.toThrow();
  expect(readdirSync(stage.shelf)).toEqual([]);
});

test("half a packet of a delivery that was killed goes with the next one; a young one stays", async () => {
  const stage = runs.stage();
  const half = (letter: string) => `.trace_01${letter.repeat(24)}.packet.tar.age.tmp`;
  const names = [half("A"), half("B"), ".of-somebody-else.tmp"];
  for (const name of names) writeFileSync(join(stage.shelf, name), "half");
  const lastWeek = Date.now() / 1_000 - 7 * 86_400;
  for (const name of [half("A"), ".of-somebody-else.tmp"]) {
    utimesSync(join(stage.shelf, name), lastWeek, lastWeek);
  }
  const { packet } = await stage.deliver();
  expect(readdirSync(stage.shelf).toSorted()).toEqual(
    [half("B"), ".of-somebody-else.tmp", packet?.name ?? ""].toSorted(),
  );
});

test("a packet that arrived is not told as failed where its record cannot be ended", async () => {
  const stage = runs.stage();
  const artifacts = join(stage.place.store, "artifacts");
  const onProgress = () => {
    if (!existsSync(`${artifacts}.kept`)) renameSync(artifacts, `${artifacts}.kept`);
    writeFileSync(artifacts, "");
  };
  const said = await stage.deliver({ onProgress }).catch((error: Error) => error.message);
  const [packet = ""] = readdirSync(stage.shelf);
  expect(said).toContain(`was delivered to shelf as ${packet}: `);
  expect(said).toMatch(/; it arrived, but its record trace_\w+ could not be brought to its end: /);
  expect(said).toContain("Delivered again, it would arrive a second time.");
  const types = [...readTrace(stage.place, packet.slice(0, 32))].map(({ type }) => type);
  expect(types.at(-1)).toBe("tool_execution_started");
});
