import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { collectOutput, judgeOutput } from "../../../src/run/collect/index.ts";
import { EMAIL } from "../../scan/personal/people.ts";
import { githubToken } from "../../scan/secret/tokens.ts";
import { verifies } from "../../verifies.ts";
import { workspace } from "./workspace.ts";

const LIMITS = { output_bytes: 1_000_000, output_files: 1_000 };

function judge(files: Record<string, string>) {
  const [folder, copies] = [workspace(), workspace()];
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { files: collected } = collectOutput(folder, LIMITS, copies);
  const judged = judgeOutput(copies, collected);
  const sidecar = (path: string): unknown =>
    JSON.parse(readFileSync(join(copies, `${path}.meta.json`), "utf8"));
  return { ...judged, copies, sidecar };
}

test("every output file gets a sidecar, and sidecars are no artifacts", () => {
  const { files, sidecar, blocking } = judge({ "a.txt": "hello", "b/c.md": EMAIL });
  expect(files.map(({ path }) => path)).toEqual(["a.txt", "b/c.md"]);
  expect(sidecar("a.txt")).toEqual({ classification: "internal", pii: false });
  expect(sidecar("b/c.md")).toEqual({ classification: "internal", pii: true });
  expect(blocking).toEqual([]);
});

verifies("004-75", "a run with a settings file, a key or a token in its output is blocked", () => {
  const { blocking } = judge({
    "app/.env": "A=1",
    "fine.ts": "export {};",
    "log.txt": `using ${githubToken()}`,
  });
  expect(blocking.map(({ path, findings }) => [path, findings[0]?.rule])).toEqual([
    ["app/.env", "env-file"],
    ["log.txt", "github-token"],
  ]);
});

test("what the task says of its file raises it, flags it, and is written anew", () => {
  const { files, sidecar } = judge({
    a: "x",
    "a.meta.json": '{ "pii": false, "classification": "restricted" }',
    b: githubToken(),
    "b.meta.json": '{"classification":"public","pii":false}',
    c: "x",
    "c.meta.json": `{"classification":"public","pii":false,"note":"${githubToken()}"}`,
  });
  expect(files.map(({ path, isFlagged }) => [path, isFlagged])).toEqual([
    ["a", true],
    ["b", true],
    ["c", true],
  ]);
  expect(sidecar("a")).toEqual({ classification: "restricted", pii: false });
  expect(sidecar("b")).toEqual({ classification: "restricted", pii: false });
  expect(sidecar("c")).toEqual({ classification: "restricted", pii: true });
});

test("a single artifact may have its sidecar under the general name", () => {
  const { files, sidecar, copies } = judge({
    "dist/app": "x",
    "artifact.meta.json": '{"classification":"restricted","pii":true}',
  });
  expect(files).toHaveLength(1);
  expect(sidecar("dist/app")).toEqual({ classification: "restricted", pii: true });
  expect(existsSync(join(copies, "artifact.meta.json"))).toBe(false);
});

test("a sidecar of a sidecar is not another artifact", () => {
  const { files } = judge({ a: "x", "a.meta.json": "{}", "a.meta.json.meta.json": "{}" });
  expect(files.map(({ path }) => path)).toEqual(["a"]);
});

test("no name that a task chooses keeps a sidecar from being written", () => {
  const { files, sidecar } = judge({
    a: "x",
    "a.meta.json/inside": "x",
    ["n".repeat(250)]: "x",
    ["m".repeat(245)]: "x",
  });
  expect(files.map(({ path }) => path)).toEqual(["a", "m".repeat(245)]);
  expect(sidecar("a")).toEqual({ classification: "internal", pii: false });
});
