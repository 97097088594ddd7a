import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { readContract } from "../../src/verify/contract/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { ended } from "./built.ts";

const BIN = resolve(import.meta.dirname, "../../dist/cli/bin.js");

const SAFE = `const { execFile } = require("child_process");
const app = require("express")();
app.get("/", (req, res) => res.send("ok"));
module.exports = app;
`;
const INJECTION = `  require("child_process").exec("ping -c 1 " + req.query.host, () => res.end());`;
const CHANGED = SAFE.replace(
  "module.exports",
  `app.get("/ping", (req, res) => {\n${INJECTION}\n});\nmodule.exports`,
);
const REPORT = `# Review

## P1 (Critical)

- [ ] **[SEC-001] Command injection** in \`app.js:5\`
  - **Rune Trace:**
    \`\`\`js
  ${INJECTION}
    \`\`\`
  - **Issue:** request data reaches a shell
- [ ] **[SEC-002] Query built from text** in \`db.js:10\`
  - **Rune Trace:**
    \`\`\`js
    db.query("SELECT * FROM users WHERE id=" + id)
    \`\`\`
  - **Issue:** the id is not escaped
`;

/** A repository with a change on a branch, and what a person at its root sees of a command. */
class Project {
  readonly folder = temporaryFolder();
  readonly root = join(this.folder, "repo");

  constructor() {
    mkdirSync(this.root);
    this.git("init", "-q", "-b", "main");
    this.commit({ "app.js": SAFE });
    this.git("checkout", "-q", "-b", "feature");
    this.commit({ "app.js": CHANGED });
  }

  git(...args: string[]): string {
    const config = [
      "-c",
      "user.name=A",
      "-c",
      "user.email=a@example.org",
      "-c",
      "core.autocrlf=false",
    ];
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    return execFileSync("git", [...config, ...args], { cwd: this.root, env, encoding: "utf8" });
  }

  commit(files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", "a change");
  }

  report(text: string): string {
    const path = join(this.folder, "report.md");
    writeFileSync(path, text);
    return path;
  }

  /** Runs the built program at the root of the repository. */
  async run(args: string[]) {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: this.root,
      env: { ...process.env, SWORN_STATE_DIR: join(this.folder, "state"), HOME: this.folder },
    });
    child.stdin.end();
    const { exit, out, err } = await ended(child);
    return { exit, out, err, json: () => JSON.parse(out) };
  }
}

test("a report is checked against the source: what is there, and what was made up", async () => {
  const project = new Project();
  const { exit, json } = await project.run(["check", project.report(REPORT), "--json"]);
  expect(exit).toBe(4);
  expect(json()).toMatchObject({
    findings: [
      { id: "SEC-001", file: "app.js", line: 5, verdict: "CONFIRMED" },
      { id: "SEC-002", file: "db.js", line: 10, verdict: "HALLUCINATED" },
    ],
    unread: [],
    summary: { findings: 2, confirmed: 1, hallucinated: 1 },
  });
  const before = await project.run(["check", project.report(REPORT), "--at", "main", "--json"]);
  expect(before.json().findings[0].verdict).toBe("HALLUCINATED");
  const honest = project.report(REPORT.slice(0, REPORT.indexOf("- [ ] **[SEC-002]")));
  expect((await project.run(["check", honest])).exit).toBe(0);
});

test("a review finds what a change brought, refutes what an agent made up, and is on record", async () => {
  const project = new Project();
  const args = ["review", "main..feature", "--with", project.report(REPORT)];
  const { exit, json } = await project.run([...args, "--json"]);
  expect(exit).toBe(3);
  const report = json();
  expect(report).toMatchObject({ kind: "review", status: "completed_with_gaps" });
  const { finding, by, support, verdict } = report.findings.find(
    (one: { by: string }) => one.by === "security",
  );
  expect({ by, support, verdict }).toEqual({
    by: "security",
    support: "analyser",
    verdict: "CONFIRMED",
  });
  expect(finding).toMatchObject({ priority: "P1", category: "command-injection" });
  expect(report.refuted.map((one: { finding: { id: string } }) => one.finding.id)).toEqual([
    "SEC-002",
  ]);
  for (const name of ["TOME.md", "report.html", "report.sarif", "inscription.json"]) {
    expect(existsSync(join(report.folder, name)), name).toBe(true);
  }
  expect(readFileSync(join(report.folder, "TOME.md"), "utf8")).toContain(report.nonce);
  const contract = readContract(readFileSync(join(report.folder, "inscription.json"), "utf8"));
  expect(contract).toMatchObject({
    contract: { workflow: "rune-review", nonce: report.nonce },
    ignored: [],
  });
  const verified = await project.run(["verify", report.trace, "--json"]);
  expect(verified.json()).toMatchObject({ status: "pass", state: "completed" });
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a quotation alone blocks nothing, and the gate is the asker's to set", async () => {
  const project = new Project();
  project.commit({ "app.js": SAFE, "notes.txt": "plain words\n" });
  const lone = project.report(REPORT.replaceAll("app.js:5", "app.js:3").slice(0, 200));
  const quiet = await project.run(["review", "main..feature", "--with", lone]);
  expect(quiet.exit).toBe(0);
  const loud = new Project();
  expect((await loud.run(["review", "main..feature", "--fail-on", "never"])).exit).toBe(0);
});

test("an audit covers the tree and names what it does not", async () => {
  const project = new Project();
  project.commit({ "logo.png": "\0\0\0", "package-lock.json": "{}" });
  const { exit, json } = await project.run(["audit", "--json"]);
  expect(exit).toBe(3);
  const { gaps, coverage, findings } = json();
  expect(gaps.map(({ what }: { what: string }) => what).sort()).toEqual([
    "logo.png",
    "package-lock.json",
  ]);
  expect(coverage).toEqual({ files: 3, covered: 1 });
  expect(findings.length).toBeGreaterThan(0);
});

test("what a reviewer leaves out by its own rule is named, and is no failure", async () => {
  const project = new Project();
  project.commit({ "app.js": SAFE, "bundle.js": `var a=${"1+".repeat(2_000)}1;\n` });
  const { exit, json } = await project.run(["audit", "--json"]);
  expect(exit).toBe(0);
  expect(json().gaps).toContainEqual({
    what: "bundle.js",
    who: "security",
    why: "most of it stands in lines that nobody wrote by hand",
  });
});

test("what cannot be reviewed is named plainly", async () => {
  const project = new Project();
  const cases: [string[], RegExp][] = [
    [["review", "HEAD..HEAD"], /nothing to review/],
    [["review", "no-such-branch"], /no commit is called no-such-branch/],
    [["review", "--staged", "--pr", "3"], /expected one of/],
    [["check", join(project.folder, "absent.md")], /cannot be read/],
    [["review", "--fail-on", "p9"], /fail-on/],
  ];
  for (const [args, message] of cases) {
    const { exit, err } = await project.run(args);
    expect([args, exit]).toEqual([args, 2]);
    expect(err).toMatch(message);
  }
});
