import { appendFileSync, cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHANGED, INJECTION, Project } from "./review-project.ts";

test("a dismissed finding is not raised again, also after a rebase, until its source changes", async () => {
  const project = new Project();
  const first = (await project.run(["audit", "--json"])).json();
  const [found] = first.findings;
  expect(first.findings).toHaveLength(1);
  expect(found.finding.priority).toBe("P1");
  expect((await project.run(["dismiss", found.finding.id])).err).toMatch(/--why is missing/);
  const dismissed = await project.run(["dismiss", found.finding.id, "--why", "ours", "--json"]);
  expect(dismissed.json()).toMatchObject({
    dismissed: [{ identity: found.identity, why: "ours", trace: first.trace }],
    already: [],
  });
  const again = await project.run(["dismiss", found.finding.id, "--why", "ours too"]);
  expect(again).toMatchObject({
    exit: 0,
    out: expect.stringMatching(
      /^Already dismissed on [\d-]{10}, nothing changed: SEC-001 .*\(ours\)$/m,
    ),
  });

  project.commit({ "app.js": `// moved\n// down\n${CHANGED}` });
  const moved = await project.run(["audit", "--json"]);
  expect(moved.exit).toBe(0);
  expect(moved.json()).toMatchObject({ findings: [], dismissed: 1 });
  const security = moved.json().reviewers.find((one: { name: string }) => one.name === "security");
  expect(security).toMatchObject({ p1: 0, confirmed: 1 });
  expect(readFileSync(join(moved.json().folder, "TOME.md"), "utf8")).toContain(
    "Dismissed before and not raised again: 1",
  );
  const summary = await project.run(["audit"]);
  expect(summary.out).toContain("Known before and not raised again: 1 dismissed");
  const listed = await project.run(["dismiss", "--json"]);
  expect(listed.json()).toMatchObject({ dismissed: [{ why: "ours" }], baseline: 0, ignored: 0 });

  project.commit({ "app.js": CHANGED.replace(INJECTION, INJECTION.replace("ping", "pong")) });
  expect((await project.run(["audit", "--json"])).json().findings).toHaveLength(1);
});

test("a dismissal is taken back, and one that nobody signed silences nothing", async () => {
  const project = new Project();
  const [{ identity }] = (await project.run(["audit", "--json"])).json().findings;
  await project.run(["dismiss", identity.slice(0, 12), "--why", "ours"]);
  expect((await project.run(["audit"])).exit).toBe(0);
  expect((await project.run(["dismiss", identity.slice(0, 12), "--undo"])).exit).toBe(0);
  expect((await project.run(["audit"])).exit).toBe(3);

  const known = join(project.folder, "state", "known");
  const path = join(known, readdirSync(known)[0] ?? "");
  const [line = ""] = readFileSync(path, "utf8").split("\n");
  const forged = { ...JSON.parse(line), at: "2099-01-01T00:00:00.000Z" };
  appendFileSync(path, `${JSON.stringify(forged)}\n`);
  const after = await project.run(["audit", "--json"]);
  expect(after.exit).toBe(3);
  expect(after.json().notes.join("\n")).toMatch(/1 line carries no valid signature/);
});

test("with a baseline only what is new is raised", async () => {
  const project = new Project();
  const taken = await project.run(["audit", "--baseline"]);
  expect(taken.exit).toBe(0);
  expect(taken.out).toMatch(/Baseline: known from now on: 1 finding$/m);
  project.commit({ "other.js": CHANGED });
  const { exit, json } = await project.run(["audit", "--json"]);
  expect(exit).toBe(3);
  expect(json()).toMatchObject({ baseline: 1, dismissed: 0 });
  expect(
    json().findings.map((one: { finding: { citations: unknown[] } }) => one.finding.citations[0]),
  ).toMatchObject([{ file: "other.js" }]);
});

test("what cannot be dismissed is named", async () => {
  const project = new Project();
  const before = await project.run(["dismiss", "SEC-001", "--why", "x"]);
  expect(before).toMatchObject({ exit: 2, err: expect.stringMatching(/no review is recorded/) });
  await project.run(["audit"]);
  const wrong = await project.run(["dismiss", "SEC-999", "--why", "x"]);
  expect(wrong).toMatchObject({ exit: 2, err: expect.stringMatching(/it has SEC-001 \(/) });
  const undone = await project.run(["dismiss", "SEC-001", "--undo"]);
  expect(undone).toMatchObject({ exit: 2, err: expect.stringMatching(/none fits/) });
});

test("a record that somebody else put into the store does not say what is dismissed", async () => {
  const project = new Project();
  const first = (await project.run(["audit", "--json"])).json();
  const stranger = new Project();
  stranger.commit({ "app.js": "", "other.js": CHANGED });
  const theirs = (await stranger.run(["audit", "--json"])).json();
  for (const part of ["traces", "reviews", "artifacts"]) {
    const [from, to] = [stranger.root, project.root].map((root) => join(root, ".sworn", part));
    cpSync(from ?? "", to ?? "", { recursive: true });
  }
  const own = await project.run(["dismiss", "SEC-001", "--why", "ours", "--json"]);
  expect(own.json()).toMatchObject({ dismissed: [{ trace: first.trace }] });
  const named = await project.run(["dismiss", "SEC-001", "--why", "x", "--from", theirs.trace]);
  expect(named).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/recorded with a key that is not yours/),
  });
});

test("what is left after a dismissal is numbered without holes, and so is what a change brought", async () => {
  const project = new Project();
  project.commit({ "a.js": CHANGED, "b.js": CHANGED });
  const idsOf = (report: { findings: { finding: { id: string } }[] }) =>
    report.findings.map(({ finding }) => finding.id);
  expect(idsOf((await project.run(["audit", "--json"])).json())).toEqual([
    "SEC-001",
    "SEC-002",
    "SEC-003",
  ]);
  await project.run(["dismiss", "SEC-001", "--why", "ours"]);
  const after = (await project.run(["audit", "--json"])).json();
  expect(idsOf(after)).toEqual(["SEC-001", "SEC-002"]);
  const verdicts = (await project.run(["trace", "show", "latest"])).out;
  expect(verdicts).toContain("SEC-003");
  project.commit({ "b.js": `${CHANGED}${CHANGED.replace("ping -c", "pong -c")}` });
  const changed = (await project.run(["review", "HEAD~1..HEAD", "--json"])).json();
  expect(idsOf(changed)).toEqual(["SEC-001"]);
});

test("several are dismissed and taken back at once, or none where one of them is not there", async () => {
  const project = new Project();
  project.commit({ "a.js": CHANGED, "b.js": CHANGED });
  await project.run(["audit"]);
  const slip = await project.run(["dismiss", "SEC-001", "SEC-009", "--why", "ours"]);
  expect(slip).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/no single finding "SEC-009"/),
  });
  expect((await project.run(["dismiss", "--json"])).json().dismissed).toEqual([]);
  const both = await project.run(["dismiss", "SEC-001", "sec-003", "--why", "ours", "--json"]);
  expect(both.json().dismissed).toHaveLength(2);
  const left = (await project.run(["audit", "--json"])).json();
  expect(left).toMatchObject({ dismissed: 2, findings: [{ finding: { id: "SEC-001" } }] });
  const known: { identity: string }[] = (await project.run(["dismiss", "--json"])).json().dismissed;
  const names = known.map(({ identity }) => identity.slice(0, 12));
  const already = await project.run(["dismiss", ...names, "--why", "again", "--json"]);
  expect(already.json()).toMatchObject({
    dismissed: [],
    already: [{ why: "ours" }, { why: "ours" }],
  });
  const undone = await project.run(["dismiss", ...names, "--undo", "--json"]);
  expect(undone.json().restored).toHaveLength(2);
  expect((await project.run(["audit", "--json"])).json().findings).toHaveLength(3);
});
