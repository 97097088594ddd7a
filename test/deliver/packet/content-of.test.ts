import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { contentOf } from "../../../src/deliver/packet/index.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

const of = (bytes: Buffer) => contentOf(bytes.subarray(0, 512), bytes.includes(0));

test("programs and archives are known by their bytes, whatever their names say", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a"), "text\n");
  execFileSync("tar", ["-cf", "t", "a"], { cwd: folder });
  expect(of(readFileSync(join(folder, "t")))).toBe("archive");
  expect(of(gzipSync("text"))).toBe("archive");
  expect(of(Buffer.from("PK\u0003\u0004rest"))).toBe("archive");
  expect(of(Buffer.from("!<arch>\ndebian-binary"))).toBe("archive");
  expect(of(readFileSync(process.execPath).subarray(0, 4_096))).toBe("binary");
  expect(of(Buffer.from("\u007fELF"))).toBe("binary");
  expect(of(Buffer.from("cafebabe", "hex"))).toBe("binary");
});

test("text is text, in every script, and so is nothing at all", () => {
  expect(of(Buffer.from("int main;\n"))).toBe("text");
  expect(of(Buffer.from("größer, 大きい"))).toBe("text");
  expect(of(Buffer.alloc(0))).toBe("text");
});

test("a script with a program behind it is no text", () => {
  const script = Buffer.from("#!/bin/sh\nexit 0\n".repeat(100));
  expect(of(Buffer.concat([script, Buffer.from("\u0000\u0001")]))).toBe("binary");
});
