import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sworn } from "../fake/child.ts";
import { loopbackStore } from "../flow/deliver/loopback-store.ts";
import { concludedRuns, opened, recorded, type Stage } from "../flow/deliver/stage.ts";
import { verifies } from "../verifies.ts";

const runs = concludedRuns();
const TOKEN = "s3cr3t-t0ken-0123456789";

const call = (stage: Stage, args: readonly string[], env: Record<string, string> = {}) =>
  sworn(stage, args, { env });

verifies(
  ["004-41", "004-43", "004-70"],
  "a packet is put to an artifact store over TLS, with a token that nothing keeps",
  async () => {
    const { url, ca, asked } = await loopbackStore();
    const store = {
      kind: "https",
      url: `${url}/team/`,
      token_env: "SWORN_DELIVER_TOKEN",
      recipients: [runs.recipient()],
    };
    const stage = runs.stage({ store });
    writeFileSync(join(stage.own, "ca.pem"), ca);
    const trusted = { NODE_EXTRA_CA_CERTS: join(stage.own, "ca.pem") };
    const args = ["deliver", runs.run(), "--out", stage.out, "--to", "store"];
    const unset = await call(stage, args, trusted);
    expect([unset.code, unset.err]).toEqual([
      2,
      expect.stringContaining("the variable SWORN_DELIVER_TOKEN is not set"),
    ]);
    // Where it makes the packet; nothing of it stays there.
    const env = { ...trusted, SWORN_DELIVER_TOKEN: TOKEN, TMPDIR: stage.shelf };
    const { code, out, err } = await call(stage, [...args, "--json"], env);
    expect([code, err]).toEqual([0, expect.stringContaining("admitted by the policies")]);
    const { trace, packet, destination } = JSON.parse(out);
    expect(Object.keys(packet).join(" ")).toBe(
      "name bytes sha256 encrypted files file_bytes signed",
    );
    expect(destination).toBe(`${url}/team/`);
    expect(asked.map(({ method, path, authorization }) => [method, path, authorization])).toEqual([
      ["PUT", `/team/${trace}.packet.tar.age`, `Bearer ${TOKEN}`],
    ]);
    const members = await opened(asked[0]?.body ?? Buffer.alloc(0), runs.identity());
    expect(members.get("out/notes.txt")?.toString()).toBe("hello\n");
    expect(packet.bytes).toBe(asked[0]?.body.length);
    const kept = [out, err, recorded(stage, trace), ...[...members.values()].map(String)].join();
    expect(kept).not.toContain(TOKEN);
    expect((await call(stage, ["verify", trace])).code).toBe(0);
    expect(readdirSync(stage.shelf)).toEqual([]);
  },
);

test("a store that says no is named, exits 1, and the attempt is on record", async () => {
  const { url, ca } = await loopbackStore((response) => response.writeHead(403).end());
  const stage = runs.stage({ store: { kind: "https", url, recipients: [runs.recipient()] } });
  writeFileSync(join(stage.own, "ca.pem"), ca);
  const env = { NODE_EXTRA_CA_CERTS: join(stage.own, "ca.pem") };
  const args = ["deliver", runs.run(), "--out", stage.out, "--to", "store"];
  const { code, err } = await call(stage, args, env);
  expect([code, err]).toEqual([1, expect.stringMatching(/answered 403.*\[DELIVERY_FAILED\]/)]);
  const trace = stage.place.traces().at(-1) ?? "";
  expect(recorded(stage, trace)).toContain("answered 403");
  expect((await call(stage, ["verify", trace])).code).toBe(0);
});

test("a delivery ends with a table, a refusal with its rule and exit 3", async () => {
  const stage = runs.stage();
  const done = await call(stage, ["deliver", runs.run(), "--out", "../out", "--to", "shelf"]);
  const [name] = readdirSync(stage.shelf);
  expect(done.code).toBe(0);
  expect(done.out).toContain(`Delivered to shelf  folder ${stage.shelf}\n`);
  expect(done.out).toMatch(/files {2,}5, \d+ bytes, 2 with a signature of their own\n/);
  expect(done.out).toContain(`packet              ${name}\n`);
  expect(done.err).toContain("sworn: 5 files are as the run left them\n");
  writeFileSync(join(stage.out, "notes.txt"), "");
  const no = await call(stage, ["deliver", runs.run(), "--out", "../out", "--to", "shelf"]);
  expect(no.code).toBe(3);
  expect(no.out).toMatch(/^Refused by F\.5: .* notes\.txt; nothing was handed over\n/);
  expect(no.out).toMatch(/\nThe refusal is on record: trace_\w+\n$/);
  expect(readdirSync(stage.shelf)).toEqual([name]);
});

test("a variable that was not set for deliveries cannot be named as a token", async () => {
  const sink = { kind: "https", url: "https://example.org/", token_env: "GITHUB_TOKEN" };
  const stage = runs.stage({ store: { ...sink, recipients: [runs.recipient()] } });
  const args = ["deliver", runs.run(), "--out", stage.out, "--to", "store"];
  const { code, err } = await call(stage, args, { GITHUB_TOKEN: TOKEN });
  expect([code, err]).toEqual([2, expect.stringContaining("SWORN_DELIVER_")]);
  expect(readFileSync(join(stage.project, "sworn.yaml"), "utf8")).not.toContain(TOKEN);
});
