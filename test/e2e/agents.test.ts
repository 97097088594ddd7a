import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { SWORN, start, sworn } from "../fake/child.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { verifies } from "../verifies.ts";

let project = "";
let own = "";

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
    cwd: project,
    encoding: "utf8",
  });

const AGENTS = `
agents:
  honest: { driver: command, argv: [sh, -c, "cat > got.txt; touch sworn-try.txt; rm got.txt; echo done"] }
  liar: { driver: command, argv: [sh, -c, "echo 'Updated \`hello.txt\`.'"] }
  failing: { driver: command, argv: [sh, -c, "echo half > half.txt; echo it is broken >&2; exit 7"] }
  slow: { driver: command, argv: [sh, -c, "sleep 600"] }
  away: { driver: command, argv: [no-such-program] }
  keyless: { driver: command, argv: [sh, -c, "true"], endpoint: "https://models.example.org", key_env: SWORN_AGENT_NONE }
`;

beforeEach(() => {
  own = temporaryFolder();
  project = join(own, "project");
  mkdirSync(project);
  writeFileSync(join(project, "hello.txt"), "hello\n");
  writeFileSync(join(project, "sworn.yaml"), AGENTS);
  git("init", "--quiet");
  git("add", "-A");
  git("commit", "--quiet", "--message", "first");
});

const call = (...args: string[]) => sworn({ project, state: join(own, "state") }, args);

test("the agents of sworn.yaml are listed with what each of them lacks", async () => {
  const { code, out } = await call("agents", "ls", "--json");
  expect(code).toBe(0);
  const found = new Map(
    (JSON.parse(out).agents as { agent: string; missing: string[]; confined_by: string }[]).map(
      (one) => [one.agent, one],
    ),
  );
  expect(found.get("honest")).toMatchObject({
    missing: [],
    confined_by: "bwrap: a tree and a home of its own, no network",
  });
  expect(found.get("away")?.missing).toEqual(["no-such-program is not on the PATH"]);
  expect(found.get("keyless")?.missing).toEqual([
    "SWORN_AGENT_NONE is not set: its credential for models.example.org",
  ]);
});

test("an agent is tried by what it does and not by what it says", async () => {
  const honest = await call("agents", "try", "honest");
  expect(honest.out).toContain("honest works");
  expect(honest.code).toBe(0);
  const liar = await call("agents", "try", "liar", "--json");
  expect(liar.code).toBe(3);
  expect(JSON.parse(liar.out)).toMatchObject({ works: false, changed: [] });
  // Nothing of it is left in this project.
  expect(existsSync(join(project, ".sworn"))).toBe(false);
});

test("an agent that fails when it is tried is told of with its end and its last words", async () => {
  const { code, out, err } = await call("agents", "try", "failing");
  expect([code, err]).toEqual([3, expect.not.stringContaining("ENOENT")]);
  expect(out).toContain("failing failed (");
  expect(out).toContain("its last words on stderr: it is broken\n");
  expect(out).toContain("failing does not work here");
});

test("of an agent that is called off while it is tried nobody says that it does not work", async () => {
  const env = { SWORN_STATE_DIR: join(own, "state") };
  const trial = start(process.execPath, [SWORN, "agents", "try", "slow"], { cwd: project, env });
  await new Promise<void>((begun) => trial.process.stderr?.once("data", () => begun()));
  trial.process.kill("SIGINT");
  const { code, out } = await trial.ended;
  expect([code, out]).toEqual([1, expect.not.stringContaining("does not work here")]);
});

verifies("003-45", "a run's exit code tells how it ended, and its work is kept", async () => {
  const liar = await call("agents", "run", "liar", "Fix it", "--task", "fix", "--json");
  expect(liar.code).toBe(4);
  const { run, said } = JSON.parse(liar.out);
  expect(said).toMatchObject([{ verdict: "HALLUCINATED" }]);
  expect(
    readFileSync(join(project, ".sworn/tasks/fix/runs", run.run_id, "prompt.md"), "utf8"),
  ).toContain("# The task\n\nFix it\n");
  const shown = await call("agents", "show", "latest");
  expect(shown.out).toContain(
    'HALLUCINATED: "Updated `hello.txt`." (hello.txt is as it was before)',
  );
  expect((await call("agents", "runs")).out).toContain("1 claim refuted");
  const failing = await call("agents", "run", "failing", "Fix it");
  expect(failing.code).toBe(1);
  expect(failing.out).toContain("its last words on stderr: it is broken");
  expect(failing.out).toContain("Next: git diff HEAD refs/sworn/runs/");
  const [ref = ""] = /refs\/sworn\/runs\/\S+/.exec(failing.out) ?? [];
  expect(git("show", `${ref}:half.txt`)).toBe("half\n");
  const away = await call("agents", "run", "away", "Fix it");
  expect([away.code, away.err]).toEqual([2, expect.stringContaining("not on the PATH")]);
});

test("the built-in reviewers are an agent like others: a run with a report of its own", async () => {
  writeFileSync(
    join(project, "run.js"),
    'const { exec } = require("node:child_process");\nexports.list = (req, res) => {\n  exec("ls " + req.query.dir, (error, out) => res.end(out));\n};\n',
  );
  git("add", "-A");
  git("commit", "--quiet", "--message", "second");
  const { code, out } = await call(
    "agents",
    "run",
    "builtin",
    "HEAD~1..HEAD",
    "--task",
    "look",
    "--json",
  );
  expect(code).toBe(0);
  const { run } = JSON.parse(out);
  expect(run).toMatchObject({ agent: "builtin", status: "completed", output_origin: "agent" });
  expect(readFileSync(run.output_path, "utf8")).toContain("run.js:3");
});
