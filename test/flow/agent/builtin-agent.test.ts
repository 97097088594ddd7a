import { expect, test } from "vitest";
import { parseReport } from "../../../src/claim/index.ts";
import { type BuiltInRequest, runBuiltInAgent } from "../../../src/flow/agent/builtin-agent.ts";
import { CHANGE_MEMBERS, FILE_MEMBERS, treeReviewers } from "../../../src/scan/index.ts";
import { AgentConfig, BUILT_IN_REVIEWERS } from "../../../src/schema/agent.ts";
import { GitFolder } from "../../repo/git-folder.ts";

async function work(
  git: GitFolder,
  reviewers: readonly string[],
  wanted: BuiltInRequest["wanted"],
) {
  const config = AgentConfig.parse({ driver: "builtin", reviewers });
  if (config.driver !== "builtin") throw new Error("expected the built-in reviewers");
  const signal = new AbortController().signal;
  const repository = await git.open();
  return runBuiltInAgent({ config, repository, wanted, threads: 1, signal });
}

test("the names in settings are those of the reviewers", () => {
  const members = [...FILE_MEMBERS, ...treeReviewers(new Set()), ...CHANGE_MEMBERS];
  const names = members.map(({ name }) => name);
  expect([...BUILT_IN_REVIEWERS]).toEqual(names);
  for (const reviewers of [["nobody"], []]) {
    expect(AgentConfig.safeParse({ driver: "builtin", reviewers }).success).toBe(false);
  }
});

test("those who are asked look at a tree, or at what a change brought, and report it", async () => {
  const git = new GitFolder();
  git.commit({ "README.md": "See [that](gone.md).\n" });
  git.commit({ "docs/guide.md": "See [this](missing.md).\n" });
  const { report, output } = await work(git, ["document"], { kind: "tree" });
  expect(report.reviewers.map(({ name, status }) => [name, status])).toEqual([
    ["document", "complete"],
  ]);
  expect(
    report.findings.map(({ verdict, finding }) => [verdict, finding.citations[0]?.file]),
  ).toEqual([
    ["CONFIRMED", "README.md"],
    ["CONFIRMED", "docs/guide.md"],
  ]);
  expect(output).toMatch(/^# TOME: audit of project\n/);
  // It can be read back as anybody's report.
  const read = parseReport(output, { path: "output.md" });
  expect([read.findings.map(({ citations }) => citations[0]?.file), read.unread]).toEqual([
    ["README.md", "docs/guide.md"],
    [],
  ]);
  const change = await work(git, ["document"], { kind: "change" });
  expect(change.report.kind).toBe("review");
  expect(change.report.findings.map(({ finding }) => finding.citations[0]?.file)).toEqual([
    "docs/guide.md",
  ]);
});

/** Here, in the source, there is no built thread to start, so every reviewer of a long file fails. */
test("one that fails has found nothing clean", async () => {
  const git = new GitFolder();
  git.commit({ "app.js": `module.exports = (a) => eval(a);\n${"// more\n".repeat(5_000)}` });
  const { report, output } = await work(git, ["security"], { kind: "tree" });
  expect(report.status).toBe("failed");
  expect(report.coverage).toEqual({ files: 1, covered: 0 });
  expect(output).toContain("app.js");
});
