import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf, ROOT, read } from "./markdown.ts";

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sworn-docs-"));
  chmodSync(folder, 0o711);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a demo whose temporary files go to `temporary`; `onOutput` sees what it says, as it says it. */
function runDemo(
  path: string,
  temporary: string,
  onOutput: (kill: (signal: NodeJS.Signals) => void) => void = () => {},
): Promise<Ended> {
  const child = spawn(process.execPath, [path], { env: { ...process.env, TMPDIR: temporary } });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
    onOutput((signal) => child.kill(signal));
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.err += text;
  });
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("close", (code) => done({ code, ...said }));
  });
}

/** What differs from run to run, made equal. */
function settled(text: string): string {
  return text
    .replace(/trace_[0-9A-Z]{26}/g, "<trace>")
    .replace(/[0-9a-f]{8,}…/g, "<hash>")
    .replace(/sworn\+[0-9a-f]{8}\+\S+/g, "<key>");
}

const DEMO = resolve(ROOT, "scripts/demo.mjs");

test("the demo ends well, leaves nothing behind, and the README shows what it prints", async () => {
  const temporary = temporaryFolder();
  const { code, out, err } = await runDemo(DEMO, temporary);
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
  expect(out).not.toContain("\u001b");
  const shown = blocksOf(read("README.md")).find(({ language }) => language === "text");
  expect(settled(out).trimEnd().split("\n")).toEqual(
    settled(shown?.lines.join("\n") ?? "").split("\n"),
  );
});

test("a demo that is interrupted leaves nothing behind", async () => {
  const temporary = temporaryFolder();
  const { code } = await runDemo(DEMO, temporary, (kill) => kill("SIGINT"));
  expect(code).toBe(130);
  expect(readdirSync(temporary)).toEqual([]);
});

test("a demo whose steps do not behave as promised fails and says which", async () => {
  const root = temporaryFolder();
  const temporary = temporaryFolder();
  mkdirSync(join(root, "scripts"));
  mkdirSync(join(root, "examples"));
  cpSync(DEMO, join(root, "scripts", "demo.mjs"));
  symlinkSync(resolve(ROOT, "dist"), join(root, "dist"));
  const sample = join(root, "examples", "review");
  cpSync(resolve(ROOT, "examples/review"), sample, { recursive: true });
  // An agent that lies once less than the demo says.
  const report = join(sample, "agent-report.md");
  const honest = readFileSync(report, "utf8").replace("src/payment.js:12", "src/orders.js:12");
  writeFileSync(report, honest.replace("await charge(order);", "module.exports ="));
  const { code, err } = await runDemo(join(root, "scripts", "demo.mjs"), temporary);
  expect(code).toBe(1);
  expect(err).toContain('"sworn check agent-report.md": expected');
  expect(readdirSync(temporary)).toEqual([]);
});
