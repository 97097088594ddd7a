import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf, documents, ROOT, read } from "./markdown.ts";

/** A command as a document shows it, with the lines of output that stand below it. */
interface Shown {
  readonly command: string;
  readonly output: readonly string[];
}

/** The convention: in a `console` block, `$` starts a command and the lines below it are its output. */
function shownIn(path: string): Shown[] {
  const lines = blocksOf(read(path))
    .filter(({ language }) => language === "console")
    .flatMap((block) => block.lines);
  const starts = lines.flatMap((line, at) => (line.startsWith("$ ") ? [at] : []));
  return starts.map((at, index) => ({
    command: (lines[at] ?? "").slice(2),
    output: lines.slice(at + 1, starts[index + 1]),
  }));
}

/** A shown line as a pattern: `…` stands for whatever differs from run to run. */
function toPattern(line: string): RegExp {
  const parts = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

/** A project with the example, and `sworn` on the path as a person would have it. */
function project(): { cwd: string; env: NodeJS.ProcessEnv } {
  const folder = mkdtempSync(join(tmpdir(), "sworn-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [cwd, bin] = [join(folder, "project"), join(folder, "bin")];
  mkdirSync(cwd);
  mkdirSync(bin);
  cpSync(resolve(ROOT, "examples"), join(cwd, "examples"), { recursive: true });
  const script = `#!/bin/sh\nexec "${process.execPath}" "${resolve(ROOT, "dist/cli/bin.js")}" "$@"\n`;
  writeFileSync(join(bin, "sworn"), script, { mode: 0o755 });
  const path = `${bin}${delimiter}${process.env["PATH"]}`;
  return { cwd, env: { ...process.env, PATH: path, SWORN_STATE_DIR: join(folder, "state") } };
}

/** What a page settles in `sworn.yaml`, in a repository as its reader would have one. */
function settle(path: string, cwd: string): void {
  const settings = blocksOf(read(path)).find(({ language }) => language === "yaml");
  if (settings === undefined) return;
  writeFileSync(join(cwd, "sworn.yaml"), settings.lines.join("\n"));
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...who, "commit", "-qm", "Begin"],
  ]) {
    execFileSync("git", args, { cwd });
  }
}

const PAGES = [
  "CONTRIBUTING.md",
  "docs/guides/records.md",
  "docs/guides/mcp.md",
  "docs/guides/agents.md",
  "docs/guides/extract.md",
  "docs/guides/context.md",
  "docs/guides/plan.md",
  "docs/guides/run.md",
];
for (const path of PAGES) {
  test(`the commands in ${path} do what it shows`, () => {
    const shown = shownIn(path);
    expect(shown.length).toBeGreaterThan(1);
    const { cwd, env } = project();
    settle(path, cwd);
    for (const { command, output } of shown) {
      expect(command).toMatch(/^sworn /);
      const options = { cwd, env, encoding: "utf8", stdio: "pipe" } as const;
      const lines = execFileSync("sh", ["-c", command], options).split("\n");
      expect(output.length).toBeGreaterThan(0);
      for (const [index, line] of output.entries())
        expect(lines[index], command).toMatch(toPattern(line));
    }
  });
}

test("a shown line that differs is noticed", () => {
  expect("Wrote session.tar: 35 entries").not.toMatch(toPattern("Wrote session.tar: 36 entries"));
  expect("PASS, with warnings").not.toMatch(toPattern("PASS"));
  expect("No traces here yet; see x").toMatch(toPattern("No traces here yet…"));
});

test("every npm script that a document names exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const known = [...Object.keys(scripts), "ci", "link", "pack"];
  const named = documents().flatMap((path) =>
    [...read(path).matchAll(/\bnpm (?:run )?([a-z][a-z0-9:-]*)/g)].map(([, script = ""]) => ({
      path,
      script,
    })),
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter(({ script }) => !known.includes(script))).toEqual([]);
});

test("the README names the two commands that matter", () => {
  const lines = blocksOf(read("README.md"))
    .filter(({ language }) => language === "sh")
    .flatMap((block) => block.lines.map((line) => line.replace(/ +#.*$/, "")));
  expect(lines).toEqual(["npm ci && npm run demo", "npm ci && npm test"]);
});
