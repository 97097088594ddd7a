import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  nextHlc,
  parseTarHeader,
  tarHeader,
  tarPadding,
  ulid,
  writeFileDurably,
} from "../../src/base/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

test("a file is written whole, with its mode, in place of an older one", () => {
  const path = join(temporaryFolder(), "file");
  writeFileDurably(path, "one");
  writeFileDurably(path, Buffer.from("two"), 0o600);
  expect(readFileSync(path, "utf8")).toBe("two");
  expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  expect(readdirSync(join(path, ".."))).toEqual(["file"]);
});

test("a write that fails leaves the old content and no temporary file", () => {
  const folder = temporaryFolder();
  const path = join(folder, "file");
  writeFileSync(path, "old");
  expect(() => writeFileDurably(path, 1 as unknown as string)).toThrow();
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["file"]);
  expect(() => writeFileDurably(join(folder, "none", "file"), "new")).toThrow();
  expect(readdirSync(folder)).toEqual(["file"]);
});

test("a rename that fails leaves no temporary file", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "taken", "inside"), { recursive: true });
  expect(() => writeFileDurably(join(folder, "taken"), "new")).toThrow();
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test("a tar header has one spelling, and any other is refused", () => {
  const header = tarHeader("entries.jsonl", 1_234);
  expect(parseTarHeader(header)).toEqual({ name: "entries.jsonl", sizeBytes: 1_234 });
  for (let at = 0; at < header.length; at += 1) {
    const changed = Buffer.from(header);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => parseTarHeader(changed)).toThrow(
      expect.objectContaining({ code: "BUNDLE_MALFORMED" }),
    );
  }
  for (const type of ["1", "2", "5", "L", "x", "g", "\0"]) {
    const other = Buffer.from(header);
    other.write(type, 156, "latin1");
    other.write(" ".repeat(8), 148, "latin1");
    const sum = other.reduce((total, byte) => total + byte, 0);
    other.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    expect(() => parseTarHeader(other)).toThrow(
      expect.objectContaining({ code: "BUNDLE_MALFORMED" }),
    );
  }
});

test("tar pads to blocks of 512", () => {
  expect([0, 1, 511, 512, 513].map(tarPadding)).toEqual([0, 511, 1, 0, 511]);
});

test("logical time never goes back, and follows the wall clock when that is ahead", () => {
  const first = nextHlc(undefined, 1_000);
  expect(first).toBe("0000000003e80000");
  expect(nextHlc(first, 1_000)).toBe("0000000003e80001");
  expect(nextHlc(first, 500)).toBe("0000000003e80001");
  expect(nextHlc(first, 2_000)).toBe("0000000007d00000");
  expect(nextHlc("0000000003e8ffff", 1_000)).toBe("0000000003e90000");
  let last = first;
  for (const now of [5, 4_000, 3, 3_999, 4_000, 4_001, 0]) {
    const next = nextHlc(last, now);
    expect(next > last).toBe(true);
    expect(next).toMatch(/^[0-9a-f]{16}$/);
    last = next;
  }
});

test("a ULID is 26 characters, sorts by time, and does not repeat", () => {
  const made = Array.from({ length: 500 }, () => ulid(1_700_000_000_000));
  expect(new Set(made).size).toBe(500);
  for (const id of made) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect(made[0]?.slice(0, 10)).toBe("01HF7YAT00");
  expect(ulid(1) < ulid(2)).toBe(true);
  expect(ulid(0).slice(0, 10)).toBe("0000000000");
});
