import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { questionAnswer } from "../../src/cli/question-answer.ts";
import { Shell } from "./shell.ts";

interface Shown {
  readonly parts: readonly { readonly blocks: readonly { readonly address: string }[] }[];
}

test("a context is shown as words and as JSON, an address in it leads back, and what is not there ends with 2", async () => {
  const shell = new Shell();
  const fact = ["fact", "add", "It is 8080.\nAlways.", "--title", "Port", "--task", "login"];
  expect((await shell.run(...fact)).exit).toBe(0);
  const brief = await shell.run("context", "--select", "facts,plan", "--task", "login");
  expect(brief).toMatchObject({ exit: 0, err: "" });
  expect(brief.out).toContain("# Internal context of project, task login\n");
  expect(brief.out).toContain("\n| It is 8080.\n");
  expect(brief.out).not.toContain("Always.");
  expect(brief.out).toContain("## plan\n\nNothing is recorded.\n");
  const whole = await shell.run("context", "facts", "--full", "--task", "login", "--json");
  const address = whole.json<Shown>().parts[0]?.blocks[0]?.address ?? "";
  expect(address).toMatch(/^ucxl:\/\/operator:operator@project:login\/sha256:[0-9a-f]{64}\/fact\//);
  const again = await shell.run("context", address, "--full");
  expect(again.out).toContain("| Always.\n");
  expect((await shell.run("context", "ghosts")).exit).toBe(2);
  const none = await shell.run("context", address.replace(/sha256:..../, "sha256:0000"));
  expect([none.exit, none.out]).toEqual([2, expect.stringContaining("nothing is recorded at")]);
  expect((await shell.run("context", "ucxl://rubbish")).out).toContain("this is no address");
});

test("requirements are listed with what is missing", async () => {
  const shell = new Shell();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: shell.cwd,
    });
  const env = { ...shell.env, PATH: process.env["PATH"] };
  expect((await shell.runWith({ env }, "trace", "requirements")).exit).toBe(2);
  shell.write("spec.md", "- SHOP-PAY-001: rounded once\n");
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "feat(SHOP): SHOP-PAY-001 say it");
  const listed = await shell.runWith({ env }, "trace", "requirements");
  expect(listed.exit).toBe(0);
  expect(listed.out).toMatch(/^id +defined +cited +commits +plan +decisions +tests\n/);
  expect(listed.out).toMatch(/\nSHOP-PAY-001 +spec\.md:1 +- +1 +0 +0 +-\n/);
  expect(listed.out).toContain("SHOP-PAY-001: no test cites it\n");
  const { requirements } = (await shell.runWith({ env }, "trace", "requirements", "--json")).json<{
    requirements: object[];
  }>();
  expect(requirements).toMatchObject([
    { id: "SHOP-PAY-001", links: [expect.stringContaining("/file/spec.md#SHOP-PAY-001")] },
  ]);
});

test("an answer that keeps no order ends with 4, and a run that failed keeps its own code", () => {
  const answer = { exit: 0, json: { run: 1 }, words: "done" } as const;
  expect(questionAnswer(answer, [])).toEqual({ ...answer, json: { run: 1, answer_problems: [] } });
  expect(questionAnswer(answer, ["no order"])).toMatchObject({
    exit: 4,
    json: { answer_problems: ["no order"] },
    words: "done\nWRONG ANSWER: no order",
  });
  expect(questionAnswer({ ...answer, exit: 1 }, ["no order"]).exit).toBe(1);
});
