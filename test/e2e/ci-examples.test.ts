import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type Ended, run, SWORN } from "../fake/child.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { ADDS, RequestStage, tests, WRONG_ADD } from "../flow/ci/request-stage.ts";
import { FakeForge } from "../flow/deliver/task/fake-forge.ts";

const FOLDER = resolve(import.meta.dirname, "../../examples/ci");
const TOKEN = "not-a-real-token-0123456789";
const TRUTH = {
  files: { "test/more.test.js": tests({ more: "assert.equal(add(2, 2), 4)" }) },
  body: "Added `test/more.test.js`. All 3 tests pass.\n",
};
const LIE = {
  files: { "src/add.js": WRONG_ADD, "test/add.test.js": tests({ adds: ADDS }) },
  body: "All tests pass.\n",
};

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly "working-directory"?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly default: string; readonly description: string }>
  >;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(readFileSync(join(FOLDER, "action.yml"), "utf8")) as Action;

/** The pull request's side of a forge, a clone of the base as a workflow has it, and a runner's folders. */
class Runner {
  readonly stage = new RequestStage();
  readonly temp = temporaryFolder();
  readonly clone = join(this.temp, "clone");
  readonly head: string;
  readonly summary = join(this.temp, "summary.md");
  readonly bin = join(this.temp, "bin");

  constructor({ files, body }: typeof TRUTH | typeof LIE) {
    this.head = this.stage.change(files);
    const { git } = this.stage;
    git.git("update-ref", "refs/pull/7/head", this.head);
    git.git("branch", "--quiet", "--delete", "--force", "change");
    git.git("clone", "--quiet", `file://${git.path}`, this.clone);
    const repo = { full_name: "team/app" };
    const base = { sha: git.git("rev-parse", "main"), repo };
    const request = { number: 7, body, base, head: { sha: this.head, repo } };
    writeFileSync(join(this.temp, "event.json"), JSON.stringify({ pull_request: request }));
    mkdirSync(this.bin);
    this.program("sworn", `exec "${process.execPath}" "${SWORN}" "$@"`);
  }

  program(name: string, script: string): string {
    const path = join(this.bin, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return path;
  }

  get env(): Record<string, string> {
    return {
      ...{ PATH: `${this.bin}:${process.env["PATH"]}`, HOME: this.temp },
      ...{ SWORN_STATE_DIR: join(this.temp, "state"), GITHUB_STEP_SUMMARY: this.summary },
      ...{ RUNNER_TEMP: this.temp, GITHUB_ACTION_PATH: FOLDER, GITHUB_REPOSITORY: "team/app" },
    };
  }

  /** What a runner does with one step: its expressions in its environment, its script in a file. */
  async step(step: Step, inputs: Readonly<Record<string, string>>, more = {}): Promise<Ended> {
    const value = (text: string) =>
      text.replace(/\$\{\{ *([\w.]+) *\}\}/g, (_, name: string) => {
        if (name === "runner.temp") return this.temp;
        if (name === "github.event.pull_request.number") return "7";
        const input = name.replace(/^inputs\./, "");
        return inputs[input] ?? action.inputs[input]?.default ?? `unknown ${name}`;
      });
    const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, value(text)]);
    const script = join(this.temp, "step.sh");
    writeFileSync(script, step.run ?? "");
    return run("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
      cwd: value(step["working-directory"] ?? this.clone),
      env: { ...this.env, ...Object.fromEntries(own), ...more },
    });
  }
}

const stepCalled = (name: string): Step => {
  const found = action.runs.steps.find((step) => step.name === name);
  if (found === undefined) throw new Error(`no step is called ${name}`);
  return found;
};

test("the script lets a truthful pull request through, and stops one that deletes a test", async () => {
  for (const [asked, code, said] of [
    [TRUTH, 0, "### Sworn: It holds."],
    [LIE, 3, "### Sworn: It does not hold (1 failed, 1 weakened, 1 refuted)."],
  ] as const) {
    const runner = new Runner(asked);
    const body = join(runner.temp, "body.md");
    writeFileSync(body, asked.body);
    const { path } = runner.stage.git;
    const words = ["--base", "main", "--head", runner.head, "--body", body];
    const ended = await run(join(FOLDER, "ci.sh"), words, { cwd: path, env: runner.env });
    expect([ended.code, ended.out.split("\n")[0]]).toEqual([code, said]);
    expect(readFileSync(runner.summary, "utf8")).toBe(ended.out);
  }
});

test("the script says what is wrong with its words, and leaves no table", async () => {
  const runner = new Runner(TRUTH);
  const ended = await run(join(FOLDER, "ci.sh"), ["--no-such"], {
    cwd: runner.clone,
    env: runner.env,
  });
  expect([ended.code, ended.out]).toEqual([2, ""]);
  expect(ended.err).toContain("sworn ci --help");
});

test("the action's own steps judge a pull request that was never checked out, and comment once", async () => {
  for (const [asked, code] of [
    [TRUTH, 0],
    [LIE, 3],
  ] as const) {
    const runner = new Runner(asked);
    const forge = await FakeForge.start();
    const inputs = { command: join(runner.bin, "sworn"), token: TOKEN };
    const surroundings = {
      ...{ GITHUB_EVENT_PATH: join(runner.temp, "event.json"), GITHUB_API_URL: forge.api },
    };
    expect(await runner.step(stepCalled("Fetch the change"), inputs)).toMatchObject({ code: 0 });
    expect(existsSync(join(runner.clone, "test/more.test.js"))).toBe(false);
    const judged = await runner.step(stepCalled("Judge it"), inputs, surroundings);
    expect([judged.code, judged.err.includes(TOKEN)]).toEqual([code, false]);
    await runner.step(stepCalled("Judge it"), inputs, surroundings);
    expect(forge.comments.map(({ body }) => body)).toEqual([`<!-- sworn-ci -->\n${judged.out}`]);
  }
});

test("without a token nothing is posted, and strict is handed on", async () => {
  const runner = new Runner({ ...TRUTH, body: "I ran `npm run lint`.\n" });
  const inputs = { command: join(runner.bin, "sworn") };
  const surroundings = { GITHUB_EVENT_PATH: join(runner.temp, "event.json") };
  await runner.step(stepCalled("Fetch the change"), inputs);
  expect(await runner.step(stepCalled("Judge it"), inputs, surroundings)).toMatchObject({
    code: 0,
  });
  const strict = { ...inputs, strict: "true" };
  expect(await runner.step(stepCalled("Judge it"), strict, surroundings)).toMatchObject({
    code: 3,
  });
});

test("what prepares the machine runs away from the clone, and takes its words as they are", async () => {
  const runner = new Runner(TRUTH);
  const log = join(runner.temp, "log");
  for (const name of ["npm", "sudo"]) {
    runner.program(name, `printf '%s\\n' "$PWD" "${name} $*" >>"${log}"`);
  }
  const inputs = { package: "sworn@1; touch broken" };
  expect(await runner.step(stepCalled("Install sworn"), inputs)).toMatchObject({ code: 0 });
  expect(await runner.step(stepCalled("Prepare the sandbox"), inputs)).toMatchObject({ code: 0 });
  const lines = readFileSync(log, "utf8").split("\n");
  expect(lines.slice(0, 2)).toEqual([
    runner.temp,
    `npm install --no-audit --no-fund --prefix ${runner.temp}/sworn sworn@1; touch broken`,
  ]);
  expect(existsSync(join(runner.temp, "broken"))).toBe(false);
  expect(lines.filter((line) => line === runner.clone)).toEqual([]);
});

test("the action is composite, every step names its shell, and no expression stands in a script", () => {
  expect(action.runs.using).toBe("composite");
  expect(Object.values(action.inputs).every(({ description }) => description !== "")).toBe(true);
  for (const step of action.runs.steps) {
    expect([step.shell, typeof step.run], step.name).toEqual(["bash", "string"]);
    // A title or a branch in a script would be a command of its author's.
    expect(step.run).not.toContain("${{");
  }
  const secret = action.runs.steps.filter(({ env = {} }) => "SWORN_CI_TOKEN" in env);
  expect(secret.map(({ name }) => name)).toEqual(["Judge it"]);
});

test("the workflow is taken from the base, checks nothing of the change out, and may do little", () => {
  const text = readFileSync(join(FOLDER, "pull-request.yml"), "utf8");
  const workflow = parse(text) as {
    readonly on: unknown;
    readonly permissions: unknown;
    readonly jobs: { readonly judge: { readonly steps: readonly Step[] } };
  };
  expect(workflow.on).toBe("pull_request_target");
  expect(workflow.permissions).toEqual({ contents: "read", "pull-requests": "write" });
  const [checkout, judge, ...more] = workflow.jobs.judge.steps;
  expect(more).toEqual([]);
  expect(checkout).toEqual({ uses: "actions/checkout@v4", with: { "fetch-depth": 0 } });
  expect(judge?.uses).toMatch(/\/examples\/ci@[0-9a-f]{40}$/);
  const known = Object.keys(judge?.with ?? {});
  expect(known.filter((name) => !(name in action.inputs))).toEqual([]);
});
