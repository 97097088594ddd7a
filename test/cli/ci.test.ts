import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { read } from "../docs/markdown.ts";
import { ADDS, PROJECT, RequestStage, tests, WRONG_ADD } from "../flow/ci/request-stage.ts";
import { FakeForge } from "../flow/deliver/task/fake-forge.ts";
import { type Ran, Shell } from "./shell.ts";

const TOKEN = "not-a-real-token-0123456789";
const GOOD = { "test/more.test.js": tests({ more: "assert.equal(add(2, 2), 4)" }) };
const BAD = { "src/add.js": WRONG_ADD, "test/add.test.js": tests({ adds: ADDS }) };

/** A pull request and the command line that judges it. */
class CiShell {
  readonly stage = new RequestStage();
  readonly shell = new Shell();
  readonly head: string;

  constructor(files: Readonly<Record<string, string>>) {
    this.head = this.stage.change(files);
  }

  run(env: Record<string, string>, ...argv: string[]): Promise<Ran> {
    return this.with({ env: { ...this.#env, ...env } }, ...argv);
  }

  with(more: Partial<Io>, ...argv: string[]): Promise<Ran> {
    const { path, home } = this.stage.git;
    return this.shell.runWith({ cwd: path, home, env: this.#env, ...more }, "ci", ...argv);
  }

  /** The file in which a workflow finds its event. */
  event(body: string | null, more: Readonly<Record<string, unknown>> = {}): string {
    const path = join(this.shell.folder, "event.json");
    const repo = { full_name: "team/app", url: "https://forge.example.org" };
    const base = { sha: this.stage.git.git("rev-parse", "main"), ref: "main", repo };
    const head = { sha: this.head, ref: "x", repo, ...more };
    writeFileSync(path, JSON.stringify({ pull_request: { number: 7, body, base, head } }));
    return path;
  }

  get #env(): Record<string, string> {
    return { ...this.shell.env, PATH: process.env["PATH"] ?? "" };
  }
}

test("the exit code is a gate's, and the table says why", async () => {
  const good = new CiShell(GOOD);
  const held = await good.run({}, "--base", "main", "--head", good.head);
  expect([held.exit, held.out.split("\n").at(-2)]).toEqual([0, "It holds."]);
  expect(held.out).toContain("Note: no description was handed in; --body takes one");
  const bad = new CiShell(BAD);
  const failed = await bad.with(
    {
      input: async function* () {
        yield Buffer.from("All tests pass.\n");
      },
    },
    ...["--base", "main", "--head", bad.head, "--body", "-"],
  );
  expect(failed.exit).toBe(3);
  expect(failed.out).toMatch(
    /refuted +claim "All tests pass\." .*passes only with its own changed tests/,
  );
  expect(failed.out).toMatch(/weakened +test test\/add\.test\.js:5 .*is gone/);
});

test("on a narrow terminal the table is folded, and holds what it holds in a pipe", async () => {
  const at = new CiShell(BAD);
  writeFileSync(join(at.stage.git.path, "body.md"), "All tests pass.\n");
  const args = ["--base", "main", "--head", at.head, "--body", "body.md"];
  const [piped, folded] = [await at.run({}, ...args), await at.with({ columns: 80 }, ...args)];
  const tableOf = ({ out }: Ran) => out.split("\n\n")[1] ?? "";
  const widest = (ran: Ran) =>
    Math.max(
      ...tableOf(ran)
        .split("\n")
        .map(({ length }) => length),
    );
  expect([widest(piped) > 80, widest(folded) <= 80]).toEqual([true, true]);
  const wordsIn = (text: string) => new Set(text.match(/[^\s,:;]+/g));
  expect([...wordsIn(tableOf(piped))].filter((one) => !wordsIn(tableOf(folded)).has(one))).toEqual(
    [],
  );
  expect(folded.out).toMatch(/^fail +check tests\n +base: pass, 2; head: pass, 1; old tests: /m);
});

test("what is printed for programs has the published form", async () => {
  const at = new CiShell(BAD);
  writeFileSync(join(at.stage.git.path, "body.md"), "All tests pass.\n");
  const args = ["--base", "main", "--head", at.head, "--body", "body.md", "--json"];
  const ran = await at.run({}, ...args);
  const validate = new Ajv2020({ strict: false }).compile(
    JSON.parse(read("schemas/ci-report.json")),
  );
  expect([ran.exit, validate(ran.json()), validate.errors]).toEqual([3, true, null]);
});

test("strict lets nothing through that nobody has shown", async () => {
  const at = new CiShell(GOOD);
  const path = at.event("I ran `npm run lint`.");
  expect((await at.run({ GITHUB_EVENT_PATH: path })).exit).toBe(0);
  expect((await at.run({ GITHUB_EVENT_PATH: path }, "--strict")).exit).toBe(3);
});

test("a base that declares nothing is no pass", async () => {
  const at = new CiShell(GOOD);
  at.stage.git.git("rm", "--quiet", "sworn.yaml");
  at.stage.git.commit();
  const ran = await at.run({}, "--base", "main", "--head", at.head);
  expect(ran.exit).toBe(2);
  expect(ran.out).toContain('    - { name: tests, argv: ["npm","test"] }');
});

test("in a workflow the pull request comes from the event, and the comment is written once", async () => {
  const at = new CiShell(BAD);
  const forge = await FakeForge.start();
  const env = {
    ...{ GITHUB_EVENT_PATH: at.event("All tests pass, @everyone."), GITHUB_REPOSITORY: "team/app" },
    ...{ GITHUB_API_URL: forge.api, SWORN_CI_TOKEN: TOKEN },
  };
  const dry = await at.run(env, "--markdown");
  expect([dry.exit, forge.asked]).toEqual([3, []]);
  const first = await at.run(env, "--post", "--json");
  const second = await at.run(env, "--post");
  expect(first.json()).toMatchObject({ request: 7, posted: { did: "written" } });
  expect(second.out).toContain("Comment: unchanged, https://forge.example.org/");
  expect(forge.comments.map(({ body }) => body)).toEqual([`<!-- sworn-ci -->\n${dry.out}`]);
  expect(forge.comments[0]?.body).not.toContain("@everyone");
  expect(forge.asked.every(({ authorization }) => authorization === `Bearer ${TOKEN}`)).toBe(true);
  expect([dry, first, second].map(({ out, err }) => out + err).join()).not.toContain(TOKEN);
});

test("a forge that refuses the comment does not take the answer along", async () => {
  const at = new CiShell(GOOD);
  const forge = await FakeForge.start();
  const env = {
    ...{ GITHUB_EVENT_PATH: at.event(null), GITHUB_REPOSITORY: "team/app" },
    ...{ GITHUB_API_URL: forge.api, SWORN_CI_TOKEN: TOKEN },
  };
  forge.faults.push({ status: 403 }, { status: 403, body: { message: `no ${TOKEN}` } });
  const ran = await at.run(env, "--post");
  expect(ran.exit).toBe(1);
  expect(ran.out).toContain("It holds.");
  expect(ran.out).toMatch(/Comment: failed: .*answered 403.*SWORN_CI_TOKEN.*\[DELIVERY_FAILED\]/);
  expect(ran.out + ran.err).not.toContain(TOKEN);
});

test("what is run does not see the token", async () => {
  const stage = new RequestStage({
    ...PROJECT,
    "test/env.test.js":
      'import test from "node:test";\ntest("env", () => console.log("SEEN " + JSON.stringify(process.env)));\n',
    "src/add.js": WRONG_ADD,
  });
  const at = new CiShell(GOOD);
  const head = stage.change({ "a.txt": "a" });
  const { path, home } = stage.git;
  const env = { ...at.shell.env, PATH: process.env["PATH"] ?? "", SWORN_CI_TOKEN: TOKEN };
  const args = ["ci", "--base", "main", "--head", head, "--json"];
  const ran = await at.shell.runWith({ cwd: path, home, env }, ...args);
  expect(ran.out).toContain("SEEN ");
  expect(ran.out).not.toContain(TOKEN);
});

test("a fork's event without a token is judged and not posted; ours without one is a mistake", async () => {
  const at = new CiShell(GOOD);
  const fork = { repo: { full_name: "eve/app" } };
  const env = { GITHUB_EVENT_PATH: at.event(null, fork), GITHUB_REPOSITORY: "team/app" };
  const ran = await at.run(env, "--post");
  expect(ran.exit).toBe(0);
  expect(ran.out).toContain("Comment: not posted: it comes from a fork");
  at.event(null, { repo: null });
  expect((await at.run(env, "--post")).out).toContain("not posted");
  at.event(null);
  const own = await at.run(env, "--post");
  expect([own.exit, own.err]).toEqual([2, expect.stringContaining("set SWORN_CI_TOKEN")]);
});

test("an event that is no event is refused before anything runs", async () => {
  const at = new CiShell(GOOD);
  const path = at.event("x", { sha: "HEAD; rm -rf /" });
  const bad = await at.run({ GITHUB_EVENT_PATH: path });
  expect([bad.exit, bad.err]).toEqual([2, expect.stringContaining("pull_request.head.sha")]);
  writeFileSync(path, `{"pull_request":${"[".repeat(100_000)}`);
  expect((await at.run({ GITHUB_EVENT_PATH: path })).exit).toBe(2);
  writeFileSync(path, "x".repeat(9 << 20));
  const large = await at.run({ GITHUB_EVENT_PATH: path });
  expect([large.exit, large.err]).toEqual([2, expect.stringContaining("expected at most 8388608")]);
  const gone = at.event("x", { sha: "0".repeat(40) });
  expect((await at.run({ GITHUB_EVENT_PATH: gone })).err).toContain("fetch-depth: 0");
});

test("a forge that is no address, and a description that is a folder, are refused", async () => {
  const at = new CiShell(GOOD);
  const env = { GITHUB_EVENT_PATH: at.event(null), SWORN_CI_TOKEN: TOKEN };
  const api = await at.run(
    { ...env, GITHUB_REPOSITORY: "team/app", GITHUB_API_URL: "http://evil.example" },
    "--post",
  );
  expect([api.exit, api.err]).toEqual([2, expect.stringContaining("expected https://")]);
  const name = await at.run({ ...env, GITHUB_REPOSITORY: "../x" }, "--post");
  expect([name.exit, name.err]).toEqual([2, expect.stringContaining("expected owner/name")]);
  symlinkSync("/", join(at.stage.git.path, "folder"));
  const body = await at.run({}, "--body", "folder");
  expect([body.exit, body.err]).toEqual([2, expect.stringContaining("--body: folder")]);
});
