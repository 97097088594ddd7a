import { createHash } from "node:crypto";
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { TAR_END, tarHeader, tarPadding } from "../../../../src/base/index.ts";
import { signDetached } from "../../../../src/deliver/packet/index.ts";
import type { PackedTask } from "../../../../src/flow/deliver/task/pack-task.ts";
import { LocalLedger } from "../../../../src/ledger/local.ts";
import type { PacketReport } from "../../../../src/schema/packet-report.ts";
import { temporaryFolder } from "../../../fake/sandbox.ts";
import { type DoneWork, doneWork, judged, membersOf, tarFrom } from "./delivery-world.ts";
import { resealed, resigned, strangersSigner } from "./forged-packet.ts";

type Members = ReadonlyMap<string, Buffer>;

async function packedWork(): Promise<{ done: DoneWork; packed: PackedTask; members: Members }> {
  const done = await doneWork({ isPacked: true });
  const { packed, home } = done.made ?? {};
  if (packed === undefined || home === undefined) throw new Error("it was packed");
  const here = (path: string) => join(done.home, relative(home, path));
  const tar = here(packed.tar);
  return {
    done,
    packed: { ...packed, folder: here(packed.folder), tar },
    members: membersOf(tar),
  };
}

/** The first check that says no, and its words. */
async function firstNo(bytes: Buffer | string): Promise<string> {
  const path = typeof bytes === "string" ? bytes : join(temporaryFolder(), "x.packet.tar");
  if (typeof bytes !== "string") writeFileSync(path, bytes);
  return noIn(await judged(path));
}

function noIn({ checks, status }: PacketReport): string {
  const no = checks.find((one) => one.status === "fail");
  return no === undefined ? status : `${no.id}: ${no.message}`;
}

function member(name: string, bytes: Buffer, header = tarHeader(name, bytes.length)): Buffer {
  return Buffer.concat([header, bytes, Buffer.alloc(tarPadding(bytes.length))]);
}

/** A header of another kind, its sum made right. */
function headerOf(name: string, type: string, target = ""): Buffer {
  const header = tarHeader(name, 0);
  header.write(type, 156, "latin1");
  header.write(target, 157, "latin1");
  header.write(" ".repeat(8), 148, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

function withMore(members: Members, more: Buffer): Buffer {
  const whole = tarFrom(members);
  return Buffer.concat([whole.subarray(0, -TAR_END.length), more, TAR_END]);
}

test("a member that leads out of the folder is refused, listed or not", async () => {
  const { done, members } = await packedWork();
  for (const name of ["../../evil.txt", "/etc/cron.d/evil", "statements/../../evil"]) {
    const bytes = Buffer.from("x");
    expect(await firstNo(withMore(members, member(name, bytes)))).toMatch(/^members: .* nowhere/);
    const head = JSON.parse(members.get("packet.json")?.toString() ?? "");
    const listed = { members: [...head.members, { name, bytes: 1, sha256: "0".repeat(64) }] };
    const all = await resealed(done, new Map([...members, [name, bytes]]), { head: listed });
    expect(await firstNo(tarFrom(all))).toMatch(/^packaging: packet.json: members.*plain name/);
  }
});

test("links, folders and devices are no members", async () => {
  const { members } = await packedWork();
  for (const [type, target] of [
    ["1", "/etc/passwd"],
    ["2", "/etc/passwd"],
    ["3", ""],
    ["5", ""],
    ["L", ""],
    ["x", ""],
  ] as const) {
    const no = await firstNo(withMore(members, headerOf("PACKET2.md", type, target)));
    expect(no, type).toMatch(/^packaging: .*not a plain file/);
  }
});

test("a member that is there twice is refused, whichever of the two is right", async () => {
  const { members } = await packedWork();
  const twice = withMore(members, member("PACKET.md", Buffer.from("# All is well\n")));
  expect(await firstNo(twice)).toMatch(/^packaging: .*"PACKET.md" is there twice/);
});

test("a million members are counted to a hundred, and eight gigabytes are not read", async () => {
  const { members } = await packedWork();
  const path = join(temporaryFolder(), "many.packet.tar");
  const fd = openSync(path, "w");
  writeSync(fd, tarFrom(members).subarray(0, -TAR_END.length));
  // The first are real; room for the others is there, in blocks that are nowhere on the disk.
  for (let at = 0; at < 1_000; at += 1) writeSync(fd, tarHeader(`m${at}`, 0));
  ftruncateSync(fd, 512 * 1_000_000);
  closeSync(fd);
  const from = performance.now();
  expect(await firstNo(path)).toMatch(/^packaging: .*more than 100 members/);
  const bomb = openSync(path, "w");
  const size = 8 * 2 ** 30 - 1024;
  writeSync(bomb, Buffer.concat([member("packet.json", Buffer.from("{}")), tarHeader("b", size)]));
  ftruncateSync(bomb, 1_024 + 512 + size + 1_024);
  closeSync(bomb);
  expect(await firstNo(path)).toMatch(/^packaging: packet\.json/);
  expect(performance.now() - from).toBeLessThan(5_000);
});

test("a description that is endless, deep or spelt otherwise is refused", async () => {
  const { members } = await packedWork();
  const described = (text: string) =>
    firstNo(tarFrom(new Map([...members, ["packet.json", Buffer.from(text)]])));
  expect(await described(`{"v":${"[".repeat(100_000)}`)).toMatch(/^packaging: /);
  expect(await described(`{"v":"${"x".repeat(2 << 20)}"}`)).toMatch(/^packaging: .*more than/);
  const text = members.get("packet.json")?.toString() ?? "";
  expect(await described(`${text}\n`)).toMatch(/^packaging: .*canonical/);
  expect(await described(text.replace('"v":1', '"v":1,"v":1'))).toMatch(/^packaging: /);
});

test("a changed page for people shows, whoever signs it again", async () => {
  const { members } = await packedWork();
  const changed = new Map([...members, ["PACKET.md", Buffer.from("# Everything passed\n")]]);
  expect(await firstNo(tarFrom(changed))).toMatch(/^members: PACKET\.md is not what/);
  expect(await firstNo(tarFrom(await resigned(changed)))).toMatch(/^note: /);
});

test("a signature by another key is refused, and so is another key beside it", async () => {
  const { members } = await packedWork();
  const signer = await strangersSigner();
  const head = members.get("packet.json") ?? Buffer.alloc(0);
  const digest = createHash("blake2b512").update(head).digest();
  const text = signDetached(signer, digest, "timestamp:1\tfile:packet.json\thashed");
  const other = new Map([...members, ["packet.json.minisig", Buffer.from(text)]]);
  expect(await firstNo(tarFrom(other))).toMatch(/^signature: it is by another key/);
});

test("statements of another packet are refused, even with the right key on the whole", async () => {
  const { done, members } = await packedWork();
  const act = () => ({ files: { "st-01.txt": "other\n" }, output: { path: "st-01.txt" } });
  const other = await doneWork({ act, name: "other", isPacked: true });
  const foreign = membersOf(
    join(other.home, relative(other.made?.home ?? "", other.made?.packed.tar ?? "")),
  );
  for (const name of ["test-result", "provenance", "verification-summary"]) {
    const path = `statements/${name}.json`;
    const bytes = foreign.get(path) ?? Buffer.alloc(0);
    const spliced = await resealed(done, new Map([...members, [path, bytes]]));
    expect(await firstNo(tarFrom(spliced)), name).toMatch(/^statements: /);
  }
  // And within one packet: one statement in the place of another.
  const summary = members.get("statements/verification-summary.json") ?? Buffer.alloc(0);
  const moved = new Map([...members, ["statements/provenance.json", summary]]);
  expect(await firstNo(tarFrom(await resealed(done, moved)))).toMatch(/^statements: .*provenance/);
  // The record of another packet is another record.
  const record = foreign.get("record.tar") ?? Buffer.alloc(0);
  const exchanged = await resealed(done, new Map([...members, ["record.tar", record]]));
  expect(await firstNo(tarFrom(exchanged))).toMatch(/^record: it is the record of/);
});

/** The record as it was one commit before its end, with the checkpoint of that time or of today. */
function olderRecord({ place, work }: DoneWork, record: Buffer): { cut: Buffer; stale: Buffer } {
  const path = join(temporaryFolder(), "record.tar");
  writeFileSync(path, record);
  const trace = `trace_${work.toUpperCase()}`;
  const ledger = LocalLedger.openForReading(trace, place.ledgerPath(trace));
  try {
    const lines = [...ledger.read()];
    const older = [...ledger.checkpoints()].filter(({ size }) => size < lines.length).at(-1);
    const note = Buffer.from(older?.note ?? "");
    const begin = Buffer.from(`${lines.slice(0, older?.size).join("\n")}\n`);
    const stale = membersOf(path).set("checkpoint", note);
    const isCited = (name: string) =>
      !name.startsWith("artifacts/") || begin.includes(name.slice("artifacts/".length));
    const kept = [...stale].filter(([name]) => isCited(name));
    return { stale: tarFrom(stale), cut: tarFrom(new Map([...kept, ["entries.jsonl", begin]])) };
  } finally {
    ledger.close();
  }
}

test("a record with an older checkpoint is none of a work that came to its end", async () => {
  const { done, members } = await packedWork();
  const { stale, cut } = olderRecord(done, members.get("record.tar") ?? Buffer.alloc(0));
  const noWith = async (record: Buffer) =>
    firstNo(tarFrom(await resealed(done, new Map([...members, ["record.tar", record]]))));
  expect(await noWith(stale)).toMatch(/^record: 37 entries were signed for, 38 are there/);
  expect(await noWith(cut)).toMatch(/^record: the record ends in the state/);
});
