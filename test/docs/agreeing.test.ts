import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf, ROOT, read } from "./markdown.ts";

const PAGE = "docs/guides/agreeing.md";

/** A shown line as a pattern: `…` stands for whatever differs from run to run. */
function toPattern(line: string): RegExp {
  const parts = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

/** A folder with the examples, and `sworn` on the path as a person would have it. */
function desk() {
  const folder = mkdtempSync(join(tmpdir(), "sworn-agree-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [cwd, bin] = [join(folder, "desk"), join(folder, "bin")];
  mkdirSync(cwd);
  mkdirSync(bin);
  cpSync(resolve(ROOT, "examples"), join(cwd, "examples"), { recursive: true });
  const script = `#!/bin/sh\nexec "${process.execPath}" "${resolve(ROOT, "dist/cli/bin.js")}" "$@"\n`;
  writeFileSync(join(bin, "sworn"), script, { mode: 0o755 });
  const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.org" };
  const committer = { GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.org" };
  const PATH = `${bin}${delimiter}${process.env["PATH"]}`;
  const state = { SWORN_STATE_DIR: join(folder, "state") };
  return { cwd, env: { ...process.env, ...who, ...committer, ...state, PATH } };
}

/** The blocks of the page one after the other: what is typed, and what is written into `sworn.yaml`. */
test("the voting guide goes from work to consensus, delivery and merge as it is shown", () => {
  const { cwd: top, env } = desk();
  const project = join(top, "slugs");
  let cwd = top;
  let commands = 0;
  const work = () => readdirSync(join(project, ".sworn/work"))[0] ?? "";
  const type = (line: string) => {
    // In a command, `01…` is the work's own name, which a reader would type.
    const command = line.includes("01…") ? line.replaceAll("01…", work()) : line;
    commands += 1;
    return spawnSync("sh", ["-c", command], { cwd, env, encoding: "utf8" });
  };
  for (const { language, lines } of blocksOf(read(PAGE))) {
    if (language === "yaml") writeFileSync(join(project, "sworn.yaml"), lines.join("\n"));
    if (language !== "console") continue;
    let printed: string[] = [];
    for (const line of lines) {
      if (line.startsWith("$ ")) {
        const { stdout, stderr, status } = type(line.slice(2));
        expect([0, 3], `${line}\n${stdout}${stderr}`).toContain(status);
        printed = stdout.split("\n");
        if (line.endsWith("&& cd slugs")) cwd = project;
      } else expect(printed.shift(), line).toMatch(toPattern(line));
    }
  }
  expect(commands).toBeGreaterThan(12);
  const packet = join(project, ".sworn/work", work(), `${work()}.packet.tar`);
  expect(type(`sworn verify ${packet}`).stdout).toContain("PASS");
  // A report that tells more than the record is not what votes are asked for.
  const report = join(project, ".sworn/work", work(), "report.json");
  const lied = readFileSync(report, "utf8").replace('"verdict":"pass"', '"verdict":"fail"');
  writeFileSync(report, lied.replace('"verdict": "pass"', '"verdict": "fail"'));
  const refused = type("sworn propose 01… --task slugs");
  expect(refused.stderr).toContain("says something else than its record");
  expect(refused.status).toBe(4);
  // Whoever voted as a critic is not let work on the same task, and the other way round.
  const works = type("sworn agents run cleo 'Work.' --task slugs --role executor");
  expect(works.stderr).toContain("cleo takes part in slugs as critic, not as executor");
}, 240_000);
