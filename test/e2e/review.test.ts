import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Finding } from "../../src/schema/finding.ts";
import { readContract } from "../../src/verify/contract/index.ts";
import { CHANGED, INJECTION, Project, SAFE } from "./review-project.ts";

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

test("a check and a review speak the forms that other programs read", async () => {
  const project = new Project();
  const report = project.report(REPORT);
  const checked = await project.run(["check", report, "--sarif"]);
  expect(checked.exit).toBe(4);
  const [run] = checked.json().runs;
  // What the source refutes is no result; it is told as what it is.
  expect(run.results.map(({ properties }: { properties: object }) => properties)).toMatchObject([
    { id: "SEC-001", verdict: "CONFIRMED" },
  ]);
  expect(JSON.stringify(run.invocations)).toMatch(
    /Refuted: agent-report said Query built from text/,
  );
  const reviewed = await project.run(["review", "main..feature", "--sarif"]);
  expect(reviewed.json().runs[0].results).toHaveLength(1);
  const annotated = await project.run(["review", "main..feature", "--annotations"]);
  expect(annotated.out).toMatch(/^::error file=app\.js,line=5,/);
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

test("one report under two names is still one quotation", async () => {
  const project = new Project();
  project.commit({ "app.js": SAFE });
  const said = REPORT.slice(0, REPORT.indexOf("- [ ] **[SEC-002]"))
    .replace("app.js:5", "app.js:4")
    .replace(INJECTION, "  module.exports = app;");
  const first = project.report(said);
  const second = join(project.folder, "second.md");
  writeFileSync(second, said);
  const args = ["audit", "--with", first, "--with", second, "--json"];
  const { exit, json } = await project.run(args);
  expect(json().findings.map(({ support }: { support: string }) => support)).toEqual(["quotation"]);
  expect(exit).toBe(0);
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

test("source that cannot be read as text opens no gate; a picture is no source", async () => {
  const project = new Project();
  project.commit({ "logo.png": "\0\0\0", "app.js": SAFE });
  expect((await project.run(["review", "HEAD~1..HEAD"])).exit).toBe(0);
  project.commit({ "evil.js": `// \0\n${INJECTION}\n` });
  for (const args of [["review", "HEAD~1..HEAD"], ["audit"], ["audit", "--fail-on", "never"]]) {
    const { exit, out } = await project.run(args);
    expect([args, exit]).toEqual([args, 1]);
    expect(out).toContain("Could not be read, see the gaps: 1 source file");
  }
});

test("a file in Latin-1 is reviewed like any other", async () => {
  const project = new Project();
  writeFileSync(join(project.root, "alt.js"), Buffer.from(`// gr\xfc\xdfe\n${CHANGED}`, "latin1"));
  project.commit({});
  const { exit, json } = await project.run(["review", "HEAD~1..HEAD", "--json"]);
  expect(exit).toBe(3);
  expect(json().coverage).toEqual({ files: 1, covered: 1 });
});

test("code that says of itself that nobody wrote it is still read for harm and secrets", async () => {
  const project = new Project();
  project.commit({ "made.js": `// @generated by nobody, DO NOT EDIT\n${CHANGED}` });
  const { exit, json } = await project.run(["review", "HEAD~1..HEAD", "--json"]);
  expect(exit).toBe(3);
  expect(json().gaps).toContainEqual({ what: "made.js", why: "marked @generated in line 1" });
});

test("a report whose findings cannot be read is no pass", async () => {
  const project = new Project();
  const report = project.report("## P1\n\n| ID | Issue |\n|---|---|\n| A-1 | All is on fire |\n");
  const { exit, out } = await project.run(["check", report]);
  expect(exit).toBe(2);
  expect(out).toMatch(/0 not checkable, 1 not read, against/);
  const [driver, location] = [{ name: "scanner" }, { artifactLocation: { uri: "app.js" } }];
  const passed = {
    kind: "pass",
    message: { text: "fine" },
    locations: [{ physicalLocation: location }],
  };
  const sarif = { version: "2.1.0", runs: [{ tool: { driver }, results: [passed] }] };
  const path = join(project.folder, "scan.sarif");
  writeFileSync(path, JSON.stringify(sarif));
  expect((await project.run(["check", path])).exit).toBe(0);
});

test("code that hides in many blocks is a gap", async () => {
  const project = new Project();
  const [open, close] = ["{\n".repeat(400), "}\n".repeat(400)];
  project.commit({
    "app.js": SAFE,
    "deep.js": CHANGED.replace(INJECTION, open + INJECTION + close),
  });
  const { json } = await project.run(["audit", "--json"]);
  expect(json().gaps).toContainEqual({
    what: "deep.js",
    who: "security",
    why: "what is nested too deep or too large in it",
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

test("a change is judged with the files it does not touch: types of a neighbour, the lockfile beside a manifest", async () => {
  const project = new Project();
  project.git("checkout", "-q", "main");
  project.commit({
    "lib/half.ts": "export const half = (n: number): number => n / 2;\n",
    "lib/old.ts": "export const old: number = 'wrong before';\n",
    "package.json": '{\n  "dependencies": {\n    "alpha": "^1.0.0"\n  }\n}\n',
    "yarn.lock": 'alpha@^1.0.0:\n  version "1.0.0"\n  integrity x\n',
  });
  project.git("checkout", "-q", "-b", "more");
  project.commit({
    "use.ts": 'import { half } from "./lib/half.ts";\n\nexport const one = half("2");\n',
    "package.json":
      '{\n  "dependencies": {\n    "alpha": "^1.0.0",\n    "beta": "^1.0.0"\n  }\n}\n',
  });
  const { json } = await project.run(["review", "main..more", "--json"]);
  const { findings, notes, reviewers } = json();
  const said = findings.map(
    ({ by, finding, verdict }: { by: string; finding: Finding; verdict: string }) =>
      `${by} ${finding.citations[0]?.file}:${finding.citations[0]?.line} ${verdict}`,
  );
  expect(said.sort()).toEqual(["dependency package.json:4 CONFIRMED", "types use.ts:3 CONFIRMED"]);
  expect(notes).toContain(
    "dependency: not checked: known vulnerabilities of packages: no database of them is used",
  );
  const types = reviewers.find(({ name }: { name: string }) => name === "types");
  expect(types).toMatchObject({ status: "complete", files: 1, p2: 1 });
});

test("an audit reads a lockfile for those whose business it is, and says that the others did not", async () => {
  const project = new Project();
  project.commit({
    "yarn.lock": 'alpha@^1.0.0:\n  version "1.0.0"\n  resolved "http://a.example/alpha/-/a.tgz"\n',
  });
  const { json } = await project.run(["audit", "--json"]);
  const { findings, gaps } = json();
  const [found] = findings.filter(({ by }: { by: string }) => by === "dependency");
  expect(found).toMatchObject({
    verdict: "CONFIRMED",
    finding: { category: "address-dependency", citations: [{ file: "yarn.lock", line: 1 }] },
  });
  expect(gaps).toContainEqual({ what: "yarn.lock", why: "a lockfile" });
});

test("that tests pass is unverified in a report that nobody watched, never left out", async () => {
  const project = new Project();
  const honest = REPORT.slice(0, REPORT.indexOf("- [ ] **[SEC-002]"));
  const report = project.report(
    `${honest}\n## Work\n\nAll 42 tests pass. I ran \`npm test\` twice.\n`,
  );
  const { exit, json, out } = await project.run(["check", report, "--json"]);
  expect(exit, out).toBe(4);
  const unseen = "nothing was seen running: nobody watched whoever wrote this";
  expect(json().claims).toEqual([
    { text: "All 42 tests pass.", verdict: "UNVERIFIED", reason: unseen },
    { text: "I ran `npm test` twice.", verdict: "UNVERIFIED", reason: unseen },
  ]);
  expect(json().summary).toMatchObject({ confirmed: 1, unverified: 0, claims: 2 });
  const told = await project.run(["check", report]);
  expect(told.out).toContain(`UNVERIFIED "All 42 tests pass.": ${unseen}`);
  const reviewed = await project.run(["review", "main..feature", "--with", report, "--json"]);
  expect(reviewed.json().notes).toContain(
    `agent-report: unverified "All 42 tests pass.": ${unseen}`,
  );
  // Alone it is no report of findings, and still no pass.
  const alone = await project.run(["check", project.report("All tests pass.\n"), "--json"]);
  expect([alone.exit, alone.json().claims.length]).toEqual([4, 1]);
});

test("a report on standard input is checked like a file", async () => {
  const project = new Project();
  const { exit, json } = await project.run(["check", "-", "--json"], project.root, REPORT);
  expect(exit).toBe(4);
  expect(json().summary).toMatchObject({ findings: 2, confirmed: 1, hallucinated: 1 });
  const beside = await project.run(
    ["check", project.report(REPORT), "-", "--json"],
    project.root,
    REPORT,
  );
  expect(beside.json().summary.findings).toBe(4);
  const twice = await project.run(["check", "-", "-"], project.root, REPORT);
  expect([twice.exit, twice.err]).toEqual([2, expect.stringContaining('expected "-" once')]);
  const silent = await project.run(["check", "-"]);
  expect(silent.exit).toBe(2);
  expect(silent.out).toContain("standard input: no finding was recognised");
});

test("a place that is made up beside the findings is told of, in a check and in a review", async () => {
  const project = new Project();
  const honest = REPORT.slice(0, REPORT.indexOf("- [ ] **[SEC-002]"));
  const lie = "\nAlso, `src/config.js:12` leaks, and app.js:4000 is dead code; app.js:1 is fine.\n";
  const report = project.report(honest + lie);
  const { exit, json } = await project.run(["check", report, "--json"]);
  expect(exit).toBe(4);
  expect(json().findings).toMatchObject([
    { id: "SEC-001", verdict: "CONFIRMED" },
    { file: "src/config.js", line: 12, verdict: "HALLUCINATED" },
    { file: "app.js", line: 4000, verdict: "HALLUCINATED" },
  ]);
  const reviewed = await project.run(["review", "main..feature", "--with", report, "--json"]);
  const refuted = reviewed
    .json()
    .refuted.map(
      (one: { finding: { citations: { file: string }[] } }) => one.finding.citations[0]?.file,
    );
  expect(refuted).toEqual(["src/config.js", "app.js"]);
  const led = project.report(`${honest}\nSee app.js:1 and http://localhost:3000/x.js:12.\n`);
  expect((await project.run(["check", led])).exit).toBe(0);
});
