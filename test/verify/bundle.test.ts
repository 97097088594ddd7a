import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex, TAR_END, tarHeader, tarPadding } from "../../src/base/index.ts";
import { exportTrace } from "../../src/flow/trace/bundle.ts";
import { openBundle, verifyBundle } from "../../src/verify/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { Stage } from "../flow/stage.ts";
import { codesOf } from "./copy.ts";

const OPTIONS = { profile: "default", mode: "full", threads: 0 } as const;
type Member = [name: string, content: Buffer];

/** A bundle taken apart, and a place to put changed ones. */
async function takenApart() {
  const stage = await Stage.at("completed");
  const path = join(temporaryFolder(), "a.tar");
  exportTrace(stage.place, stage.id, path);
  const bytes = readFileSync(path);
  const members: Member[] = [];
  for (let at = 0; bytes[at] !== 0; ) {
    const name = bytes.toString("latin1", at, bytes.indexOf(0, at));
    const size = Number.parseInt(bytes.toString("latin1", at + 124, at + 135), 8);
    members.push([name, bytes.subarray(at + 512, at + 512 + size)]);
    at += 512 + size + tarPadding(size);
  }
  const verify = (file: Buffer) => {
    writeFileSync(path, file);
    return verifyBundle(path, OPTIONS);
  };
  return { bytes, members, path, verify };
}

function putTogether(members: readonly Member[]): Buffer {
  const parts = members.flatMap(([name, content]) => [
    tarHeader(name, content.length),
    content,
    Buffer.alloc(tarPadding(content.length)),
  ]);
  return Buffer.concat([...parts, TAR_END]);
}

test("a bundle is checkpoint, keys, entries and artifacts by rising hash, and nothing else", async () => {
  const { bytes, members, verify } = await takenApart();
  expect(members.map(([name]) => name).slice(0, 3)).toEqual([
    "checkpoint",
    "keys.json",
    "entries.jsonl",
  ]);
  const artifacts = members.slice(3).map(([name]) => name);
  expect(artifacts).toEqual(artifacts.toSorted());
  expect(putTogether(members).equals(bytes)).toBe(true);
  expect((await verify(bytes)).status).toBe("pass");
});

test("members that are missing, extra, twice, renamed or out of order are found", async () => {
  const { members, verify } = await takenApart();
  const swap = (a: number, b: number) =>
    members.with(a, members[b] as Member).with(b, members[a] as Member);
  const extra: Member = ["notes.txt", Buffer.from("hello")];
  const variants: [string, Member[]][] = [
    ["no checkpoint", members.slice(1)],
    ["no keys", members.toSpliced(1, 1)],
    ["no entries", members.toSpliced(2, 1)],
    ["nothing", []],
    ["keys first", swap(0, 1)],
    ["artifacts out of order", swap(3, 4)],
    ["an artifact twice", members.toSpliced(4, 0, members[3] as Member)],
    ["a stranger at the end", [...members, extra]],
    ["a stranger in front", [extra, ...members]],
    ["a way out of the folder", [...members, ["artifacts/../../x", Buffer.from("x")]]],
    ["an artifact with another name", [...members, ["artifacts/xyz", Buffer.from("x")]]],
  ];
  for (const [what, changed] of variants) {
    const report = await verify(putTogether(changed));
    expect([what, codesOf(report)]).toEqual([what, ["BUNDLE_MALFORMED"]]);
  }
});

test("bytes before, between and behind the members are found", async () => {
  const { bytes, members, verify } = await takenApart();
  const padded = Buffer.from(bytes);
  padded[512 + (members[0]?.[1].length ?? 0)] = 1;
  for (const file of [
    padded,
    Buffer.concat([Buffer.alloc(512), bytes]),
    Buffer.concat([bytes, Buffer.from("x")]),
    Buffer.concat([bytes, Buffer.alloc(1_024)]),
    bytes.subarray(0, -1),
    bytes.subarray(0, -1_024),
    bytes.subarray(0, 700),
    Buffer.alloc(1_024),
  ]) {
    expect(codesOf(await verify(file))).toEqual(["BUNDLE_MALFORMED"]);
  }
});

test("a header that claims more than the file holds is not believed", async () => {
  const { bytes, members, verify } = await takenApart();
  const header = tarHeader("checkpoint", 2 ** 33 - 512);
  expect(codesOf(await verify(Buffer.concat([header, bytes.subarray(512)])))).toEqual([
    "BUNDLE_MALFORMED",
  ]);
  const unended = members.with(2, [
    "entries.jsonl",
    members[2]?.[1].subarray(0, -1) ?? Buffer.alloc(0),
  ]);
  expect(codesOf(await verify(putTogether(unended)))).toEqual(["BUNDLE_MALFORMED"]);
});

test("members larger than they may be, or no text, are found before they are read", async () => {
  const { members, path, verify } = await takenApart();
  const big: Member = ["checkpoint", Buffer.alloc(1_048_577, "x")];
  expect(codesOf(await verify(putTogether(members.with(0, big))))).toEqual(["BUNDLE_MALFORMED"]);
  const odd: Member = ["keys.json", Buffer.from([0xff, 0xfe])];
  expect(codesOf(await verify(putTogether(members.with(1, odd))))).toEqual(["BUNDLE_MALFORMED"]);
  // A sparse file: the gibibyte and one block that the header claims are there, as zeros.
  const huge = tarHeader(`artifacts/${"f".repeat(64)}`, 1_073_741_824 + 512);
  const file = Buffer.concat([putTogether(members.slice(0, 3)).subarray(0, -1_024), huge]);
  writeFileSync(path, file);
  truncateSync(path, file.length + 1_073_741_824 + 512 + 1_024);
  const report = await verifyBundle(path, OPTIONS);
  expect(report.failures).toMatchObject([
    { code: "BUNDLE_MALFORMED", message: expect.stringContaining("more than 1073741824") },
  ]);
});

test("keys that the entries do not enrol, and artifacts that none cites, are found", async () => {
  const { members, verify } = await takenApart();
  const keys = Buffer.from(members[1]?.[1].toString().replace("active", "rotated") ?? "");
  expect(codesOf(await verify(putTogether(members.with(1, ["keys.json", keys]))))).toEqual([
    "BUNDLE_MALFORMED",
  ]);
  const stray = Buffer.from("nobody cites this");
  const artifacts = [...members.slice(3), [`artifacts/${sha256Hex(stray)}`, stray] as Member];
  const sorted = artifacts.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const report = await verify(putTogether([...members.slice(0, 3), ...sorted]));
  expect(codesOf(report)).toEqual(["ARTIFACT_UNCITED"]);
});

test("an artifact with other bytes, or none, is found", async () => {
  const { members, verify } = await takenApart();
  const [name = "", content] = members[3] ?? [];
  const altered = Buffer.from(content ?? "");
  altered[0] = (altered[0] ?? 0) ^ 1;
  expect(codesOf(await verify(putTogether(members.with(3, [name, altered]))))).toContain(
    "ARTIFACT_HASH_MISMATCH",
  );
  expect(codesOf(await verify(putTogether(members.with(3, [name, Buffer.alloc(0)]))))).toContain(
    "ARTIFACT_HASH_MISMATCH",
  );
  expect(codesOf(await verify(putTogether(members.toSpliced(3, 1))))).toContain("ARTIFACT_MISSING");
});

test("a bundle is read from a file only", async () => {
  const { path } = await takenApart();
  for (const wrong of [`${path}.none`, join(path, "..")])
    expect(() => openBundle(wrong)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
});

test("no single changed byte of a bundle passes unnoticed", async () => {
  const { bytes, verify } = await takenApart();
  for (let at = 0; at < bytes.length; at += 97) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 0x20;
    const { status } = await verify(changed);
    expect([at, status]).toEqual([at, "fail"]);
  }
});
