import { expect, test } from "vitest";
import { fileKind } from "../../../src/scan/kind/index.ts";
import { processorMsSince } from "../../cost-growth.ts";

test.each([
  ["src/a.ts", "", "typescript", "code"],
  ["src/a.TSX", "", "typescript", "code"],
  ["a.mjs", "", "javascript", "code"],
  ["a.py", "", "python", "code"],
  ["Makefile", "", "makefile", "code"],
  ["docker/Dockerfile.dev", "", "dockerfile", "code"],
  [".env", "", "ini", "data"],
  [".env.production", "", "ini", "data"],
  ["README.md", "", "markdown", "document"],
  ["a.scss", "", "css", "style"],
  ["bin/tool", "#!/usr/bin/env node\n", "javascript", "code"],
  ["bin/tool", "#!/bin/bash -e\n", "shell", "code"],
  ["bin/tool", "#!/usr/bin/python3\n", "python", "code"],
  ["bin/tool", "#!/usr/bin/env -S deno run\n", "typescript", "code"],
  ["bin/tool", "just words", "unknown", "text"],
  ["LICENSE", "Apache", "unknown", "text"],
])("%s starting with %j is %s, %s", (path, start, language, form) => {
  expect(fileKind(path, start)).toEqual({ language, form });
});

test("the start may be bytes", () => {
  expect(fileKind("x", Buffer.from("#!/bin/sh\n")).language).toBe("shell");
});

test("a NUL byte makes a file binary, whatever its name says", () => {
  expect(fileKind("a.ts", "const a = 1;\0").form).toBe("binary");
  expect(fileKind("a.ts", new Uint8Array([65, 0])).form).toBe("binary");
});

test("a picture is binary by its name", () => {
  expect(fileKind("logo.PNG", "").form).toBe("binary");
});

test("a program that only ends like an interpreter is not one", () => {
  expect(fileKind("x", "#!/opt/notnode\n").language).toBe("unknown");
});

test("a megabyte without a line end costs nothing", () => {
  const from = process.cpuUsage();
  fileKind("x", `#!${"a/".repeat(500_000)}`);
  expect(processorMsSince(from)).toBeLessThan(20_000);
});
