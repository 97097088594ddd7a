import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { FakeForge } from "../../flow/deliver/task/fake-forge.ts";
import { verifies } from "../../verifies.ts";
import { PLAN, reportIn, SessionWorld } from "./session-world.ts";

verifies(
  "004-33",
  "files out of an answer are tested, reviewed and voted on, and become a pull request",
  async () => {
    const forge = await FakeForge.start();
    const remote = join(temporaryFolder(), "remote.git");
    const at = `api: "${forge.api}", repository: team/app, url: ${remote}`;
    const world = new SessionWorld(
      (own) =>
        `${own}deliver:\n  forge: { kind: pull-request, ${at}, token_env: SWORN_DELIVER_TOKEN }\n`,
    );
    const { project } = world;
    project.git("init", "--quiet", "--bare", remote);
    world.env["SWORN_DELIVER_TOKEN"] = "token-of-the-test";
    const asked = ["run", "--plan", PLAN, "--agent", "teller", "--profile", "team"];
    const ended = await world.run([...asked, "--to", "forge", "--send"]);
    expect(ended.said).toContain("ST-01: its files were taken out of its answer");
    const report = reportIn(ended);
    expect(report.reasons, ended.out).toEqual([]);
    expect(report).toMatchObject({ status: "delivered", agreed: "votes", unproven: [] });
    expect(report.votes.length).toBe(3);
    const request = forge.asked.find(({ method }) => method === "POST")?.body;
    expect(request).toMatchObject({ base: "main" });
    const branch = String(request?.["head"]);
    const pushed = project.git("--git-dir", remote, "show", `${branch}:src/slug.js`);
    expect(pushed).toContain("wordsOf(title).join");
  },
);
