import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ComparedFile,
  makePacket,
  packetBytes,
  tarOf,
} from "../../../src/deliver/packet/index.ts";
import { signerOf } from "../../../src/flow/record/draft.ts";
import { Packet } from "../../../src/schema/packet.ts";
import { temporaryPlace } from "../../fake/sandbox.ts";

const HEAD = {
  trace: "trace_01J8Z5V4N2K3M4P5Q6R7S8T9VW",
  run: "trace_01J8Z5V4N2K3M4P5Q6R7S8T9VX",
  task_id: "run-1",
  createdMs: 1_700_000_000_000,
  sink: { name: "shelf", kind: "folder", destination: "folder /shelf" },
  manifest: { sha256: "a".repeat(64), note: "note", signer: `${"A".repeat(43)}=` },
  sbom: null,
} as const;

const file = (path: string, content: ComparedFile["content"] = "text"): ComparedFile => ({
  path,
  bytes: path.length,
  sha256: createHash("sha256").update(path).digest("hex"),
  blake2b: createHash("blake2b512").update(path).digest(),
  mode: 0o644,
  content,
  sidecar: { classification: "internal", pii: false },
});

async function made(...files: ComparedFile[]) {
  const place = temporaryPlace();
  const { key } = await place.keyring.ensure("delivery");
  return makePacket(HEAD, files, await signerOf(place, "delivery", key));
}

test("binaries and archives are signed, text is not, and each signature is named", async () => {
  const { packet, signatures } = await made(
    file("a.txt"),
    file("bin/tool", "binary"),
    file("x.tgz", "archive"),
  );
  expect(packet.files.map(({ signature }) => signature)).toEqual([
    null,
    "signatures/bin/tool.minisig",
    "signatures/x.tgz.minisig",
  ]);
  expect([...signatures.keys()]).toEqual([
    "signatures/bin/tool.minisig",
    "signatures/x.tgz.minisig",
  ]);
});

test("a path that no tar header holds gets a number, and its signature too", async () => {
  const { packet } = await made(file("a".repeat(90), "binary"), file("größe"));
  expect(packet.files.map(({ member, sidecar_member }) => [member, sidecar_member])).toEqual([
    ["numbered/00000001", "numbered/00000001.meta.json"],
    ["numbered/00000002", "numbered/00000002.meta.json"],
  ]);
  expect(packet.files[0]?.signature).toBe("numbered-signatures/00000001.minisig");
});

test("the list of parts keeps its name, long as it is", async () => {
  const { packet } = await made(file(`SBOM-sha256-${"a".repeat(64)}.spdx.json`));
  expect(packet.files[0]?.member).toMatch(/^out\/SBOM-sha256-a+\.spdx\.json$/);
});

test("a packet has one spelling", async () => {
  const { packet } = await made(file("a"));
  expect(packetBytes(packet).toString()).toMatch(
    /^\{"created_at":"2023-11-14T22:13:20.000Z","files":/,
  );
  expect(Packet.parse(JSON.parse(packetBytes(packet).toString()))).toEqual(packet);
});

test("a packet that contradicts itself is none", async () => {
  const { packet } = await made(file("a"), file("b", "binary"));
  const [a, b] = packet.files;
  const isPacket = (files: unknown[]) => Packet.safeParse({ ...packet, files }).success;
  expect(isPacket([a, b])).toBe(true);
  expect(isPacket([b, a])).toBe(false);
  expect(isPacket([a, { ...b, member: a?.member }])).toBe(false);
  expect(isPacket([a, { ...b, signature: null }])).toBe(false);
  expect(isPacket([{ ...a, path: "../a" }, b])).toBe(false);
  expect(isPacket([{ ...a, more: 1 }, b])).toBe(false);
});

test("whatever files are called, no member's name leaves its folder or is there twice", async () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[ -~é/.]{1,120}$/), { maxLength: 8 });
  const place = temporaryPlace();
  const { key } = await place.keyring.ensure("delivery");
  const signer = await signerOf(place, "delivery", key);
  fc.assert(
    fc.property(names, (paths) => {
      const whole = paths.filter((path) =>
        path.split("/").every((name) => !["", ".", ".."].includes(name)),
      );
      const files = whole
        // Sidecars are no files of their own.
        .filter((path) => !path.endsWith(".meta.json"))
        .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        .map((path) => file(path, "binary"));
      const { packet } = makePacket(HEAD, files, signer);
      for (const { member } of packet.files) expect(member).toMatch(/^(out|numbered)\/[^/]/);
    }),
    { numRuns: 50 },
  );
});

test("a tar whose member has another length than it said is our mistake", () => {
  const members = [{ name: "a", bytes: 3, chunks: [Buffer.from("four")] }];
  expect(() => [...tarOf(members)]).toThrow("invariant broken");
});
