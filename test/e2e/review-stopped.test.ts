import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { ended } from "./built.ts";
import { CHANGED, Project } from "./review-project.ts";

/** So many files that a review of them is certainly under way when it is stopped. */
const FILES = 3_000;

/** Waits until the contract is written, which is when reviewers begin. */
async function begun(project: Project): Promise<void> {
  const reviews = join(project.root, ".sworn", "reviews");
  for (let tries = 0; tries < 6_000; tries += 1) {
    const [trace] = existsSync(reviews) ? readdirSync(reviews) : [];
    if (trace && existsSync(join(reviews, trace, "inscription.json"))) return;
    await setTimeout(10);
  }
  throw new Error("the review did not begin");
}

test("a review that is stopped leaves a valid record that names what nobody looked at", async () => {
  const project = new Project();
  const bulk = Array.from({ length: FILES }, (_, n) => [`src/${n}.js`, `${CHANGED}// ${n}\n`]);
  project.commit(Object.fromEntries(bulk));
  const child = project.start(["audit", "--json"]);
  const whole = ended(child);
  await begun(project);
  child.kill("SIGINT");
  const { exit, out, err } = await whole;
  expect(exit, err).toBe(1);
  const report = JSON.parse(out);
  expect(report.status).toBe("cancelled");
  expect(report.gaps.length).toBeGreaterThan(FILES / 2);
  expect(report.gaps).toContainEqual({
    what: `src/${FILES - 1}.js`,
    why: "the review was stopped",
  });
  const standings: { status: string; note?: string }[] = report.reviewers;
  for (const { status, note } of standings) {
    expect(["partial", "missing"]).toContain(status);
    expect(note).toBe("the review was stopped");
  }
  expect(readFileSync(join(report.folder, "TOME.md"), "utf8")).toContain("cancelled");

  const verified = await project.run(["verify", report.trace, "--json"]);
  expect(verified.json()).toMatchObject({ status: "pass-with-warnings", state: "aborted" });
  const shown = await project.run(["trace", "show", report.trace]);
  expect(shown.out).toMatch(/session_aborted .*cancelled by the user/);
  // Nothing is in the way of the next one.
  project.git("reset", "-q", "--hard", "HEAD~1");
  expect((await project.run(["audit"])).exit).toBe(3);
});

test("a person at a terminal sees where each reviewer is", async () => {
  const project = new Project();
  // So many that reading takes longer than a line of progress waits for; there is nothing to find in them.
  const bulk = Array.from({ length: 1_500 }, (_, n) => [`src/${n}.js`, `exports.n${n} = ${n};\n`]);
  project.commit(Object.fromEntries(bulk));
  const child = project.startAtTerminal(["audit"]);
  child.stdin.end();
  const { out } = await ended(child);
  expect(out).toMatch(/read \d+\/1501 files: security \d+ \(\d+ found\), secret \d+/);
  expect(out).toContain("\u001b[K");
  expect((await project.run(["audit"])).err).not.toContain("\r");
});

test("Ctrl-C at a terminal is heard by everybody there, and git still answers to the end", async () => {
  const project = new Project();
  const bulk = Array.from({ length: FILES }, (_, n) => [`src/${n}.js`, `${CHANGED}// ${n}\n`]);
  project.commit(Object.fromEntries(bulk));
  const child = project.startAtTerminal(["audit"]);
  const whole = ended(child);
  await begun(project);
  child.stdin.end("\u0003");
  const { out } = await whole;
  expect(out).toContain("CANCELLED");
  expect(out).not.toContain("STORE_UNREADABLE");
});
