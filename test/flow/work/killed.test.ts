import { spawn } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Plan } from "../../../src/schema/plan.ts";
import type { WorkReport } from "../../../src/schema/work.ts";
import { SWORN } from "../../fake/child.ts";
import { GitFolder } from "../../repo/git-folder.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../../examples/work");

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

/** Runs the built command; killed as soon as it has said this. */
function sworn(project: GitFolder, args: readonly string[], killedAt?: string): Promise<Ended> {
  const env = { ...project.env, SWORN_STATE_DIR: join(project.home, "state") };
  const child = spawn(process.execPath, [SWORN, ...args, "--json"], { cwd: project.path, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, said] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (killedAt !== undefined && said.includes(killedAt)) child.kill("SIGKILL");
  });
  return new Promise((done) => child.once("close", (code) => done({ code, out, said })));
}

/** Three subtasks whose proofs cost little, and a program that does them. */
function quickWork(project: GitFolder): string {
  cpSync(join(EXAMPLE, "project"), project.path, { recursive: true });
  const page = "# Page\\n\\n## Use\\n\\nRead it.\\n\\n## Settings\\n\\nNone.\\n";
  const script = [
    'import { deliver, subtask, write } from "./tools/order.mjs";',
    `const files = { "ST-01": ["docs/one.md", "${page}"], "ST-05": ["config/five.json", '{"on":true}'], "ST-11": ["docs/eleven.md", "${page}"] };`,
    "const [path, text] = files[subtask];",
    "write(path, text);",
    "deliver({ path });",
  ];
  project.write("quick.mjs", script.join("\n"));
  const agents = { quick: { driver: "command", argv: ["node", "quick.mjs"] } };
  project.write("sworn.yaml", JSON.stringify({ agents, roles: { worker: "quick" } }));
  project.commit();
  const plan = JSON.parse(readFileSync(join(EXAMPLE, "lies.json"), "utf8")) as Plan;
  const subtasks = plan.subtasks.filter(({ id }) => ["ST-01", "ST-05", "ST-11"].includes(id));
  Object.assign(subtasks[2] ?? {}, {
    depends_on: ["ST-01", "ST-05"],
    context_required: { "ST-01": ["path"], "ST-05": ["path"] },
  });
  const staging_paths = Object.fromEntries(
    subtasks.map(({ id }) => [id, plan.staging_paths[id]] as const),
  );
  const assembly_order = subtasks.map(({ id }) => id);
  const path = join(project.home, "plan.json");
  writeFileSync(path, JSON.stringify({ ...plan, subtasks, staging_paths, assembly_order }));
  return path;
}

test("a runtime that is killed again and again loses nothing, and does nothing twice", async () => {
  const project = new GitFolder();
  const plan = quickWork(project);
  // With a worker at work, while something is being proven, and on the assembled branch.
  const first = await sworn(project, ["work", plan], "ST-05: is being proven");
  const second = await sworn(project, ["resume"], "ST-11: quick works as run");
  const third = await sworn(project, ["resume"], "proofs: begins");
  // What it said stands in the message where one of them came to its end before it was killed.
  const ends = [first, second, third].map(({ code, said, out }) =>
    code === null ? "" : said + out,
  );
  expect(ends).toEqual(["", "", ""]);
  const last = await sworn(project, ["resume"]);
  const { works } = JSON.parse(last.out) as { works: WorkReport[] };
  const [work] = works;
  expect(last.code).toBe(0);
  expect(work).toMatchObject({ status: "completed", unproven: [] });
  expect(work?.gates[2]).toEqual({
    ...{ gate: "reviewer", verdict: "pass", reasons: [] },
    by: "the built-in reviewers, because no agent is configured as reviewer",
  });
  // Of those that were being worked on when it was killed there may be another try; one is proven.
  for (const { tries } of work?.subtasks ?? []) {
    const states = tries.map(({ status }) => status);
    expect(states.filter((status) => status === "proven").length).toBe(1);
    expect(states.at(-1)).toBe("proven");
  }
  expect(project.git("show", `${work?.branch}:docs/eleven.md`)).toContain("Settings");
  const verified = await sworn(project, ["verify", work?.trace ?? ""]);
  expect(verified.code).toBe(0);
}, 120_000);
