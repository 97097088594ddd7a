import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ContractOrder, writeContract } from "../../src/flow/contract/workflow-contract.ts";
import { Place } from "../../src/flow/place.ts";
import { review } from "../../src/flow/review/review.ts";
import type { Contract } from "../../src/schema/contract.ts";
import { verifies } from "../verifies.ts";
import { deliverable, TeamRun } from "./team-run.ts";

/** A repository with a change of several kinds of files on a branch. */
class Project extends TeamRun {
  constructor(files: Record<string, string> = CHANGE) {
    super();
    this.git("checkout", "-q", "-b", "feature");
    for (const [path, text] of Object.entries(files)) this.write(join(this.root, path), text);
    this.git("add", "-A", ":!out");
    this.git("commit", "-q", "-m", "a change");
  }

  order(workflow: string, more: Partial<ContractOrder> = {}) {
    return writeContract({
      workflow,
      folder: this.root,
      out: join(this.root, "run"),
      files: { globs: [] },
      overlap: false,
      env: process.env,
      signal: new AbortController().signal,
      placeFor: (root) => this.place(root),
      ...more,
    });
  }
}

const CHANGE = {
  "src/shell.js": "exports.run = () => 1;\n",
  "src/login.js": "exports.login = () => 2;\n",
  "web/page.tsx": "export const Page = () => null;\n",
  "README.md": "# Words\n",
  "logo.png": "\0\0",
};

const scopes = ({ teammates }: Contract) =>
  Object.fromEntries(teammates.map(({ name, file_scope }) => [name, file_scope]));

verifies("000-1", "a contract is in the output folder with all that the team owes", async () => {
  const project = new Project();
  const { folder, contract, prompts, uncovered } = await project.order("review");
  expect(folder).toBe(join(project.root, "run"));
  expect(JSON.parse(readFileSync(join(folder, "inscription.json"), "utf8"))).toEqual(contract);
  expect(scopes(contract)).toEqual({
    backend: ["src/shell.js"],
    security: ["src/login.js"],
    frontend: ["web/page.tsx"],
    docs: ["README.md"],
  });
  expect(contract).toMatchObject({ workflow: "rune-review", output_dir: "run/" });
  expect(uncovered).toEqual([{ file: "logo.png", why: "it is binary" }]);
  expect(JSON.parse(readFileSync(join(folder, "state.json"), "utf8"))).toMatchObject({
    status: "active",
    expected_files: ["security.md", "frontend.md", "docs.md", "backend.md"],
    gaps: ["logo.png: given to nobody (it is binary)"],
  });
  for (const { name, path } of prompts) {
    const prompt = readFileSync(path, "utf8");
    expect(prompt).toContain(contract.nonce);
    expect(prompt).toContain(`Write to: \`run/${name}.md\``);
  }
});

verifies("000-1", "no prompt is handed out where the contract cannot be written", async () => {
  const project = new Project();
  mkdirSync(join(project.root, "run/inscription.json"), { recursive: true });
  await expect(project.order("review")).rejects.toThrow();
  expect(existsSync(join(project.root, "run/prompts"))).toBe(false);
});

verifies(
  "000-1",
  "the contract of a review lies in its folder before the first reviewer is at work",
  async () => {
    const project = new Project();
    const place = new Place({
      store: join(project.root, ".sworn"),
      state: join(project.folder, "state"),
    });
    const seen: string[][] = [];
    await review({
      kind: "audit",
      folder: project.root,
      wanted: { kind: "tree" },
      reports: [],
      takesBaseline: false,
      env: process.env,
      threads: 1,
      signal: new AbortController().signal,
      placeFor: () => place,
      onProgress: ({ kind }) => {
        const reviews = join(place.store, "reviews");
        const found = existsSync(reviews) ? readdirSync(reviews, { recursive: true }) : [];
        if (kind === "reviewing") seen.push(found.map(String));
      },
    });
    expect(seen[0]).toContainEqual(expect.stringMatching(/^trace_\w+\/inscription\.json$/));
  },
);

test("each file has one reader unless several are asked for", async () => {
  const project = new Project();
  const apart = (await project.order("review")).contract.teammates.flatMap(
    ({ file_scope = [] }) => file_scope,
  );
  expect(new Set(apart).size).toBe(apart.length);
  const out = join(project.root, "again");
  const { contract } = await project.order("review", { overlap: true, out });
  expect(scopes(contract)).toEqual({
    backend: ["src/login.js", "src/shell.js", "web/page.tsx", "README.md"],
    security: ["src/login.js", "src/shell.js", "web/page.tsx", "README.md"],
    frontend: ["web/page.tsx"],
    docs: ["README.md"],
  });
});

test("security reads code, also where no file is called after it", async () => {
  const sources = ["a", "b", "c", "d", "e"].map((name) => [`src/${name}.js`, `${name}();\n`]);
  const project = new Project({ ...Object.fromEntries(sources), "package.json": "{}\n" });
  const { contract } = await project.order("review");
  expect(scopes(contract)).toMatchObject({
    backend: ["src/a.js", "src/b.js", "src/c.js"],
    security: ["package.json", "src/d.js", "src/e.js"],
  });
});

test("every run has a nonce of its own", async () => {
  const project = new Project();
  const one = await project.order("review");
  const other = await project.order("review", { out: join(project.root, "other") });
  expect(one.contract.nonce).toMatch(/^[0-9a-f]{32}$/);
  expect(one.contract.nonce).not.toBe(other.contract.nonce);
});

test("what is over a budget is a named gap, in the answer and in the state", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 53 }, (_, index) => [`lib/f${index}.c`, `int f${index};\n`]),
  );
  const { uncovered, folder } = await new Project(many).order("review");
  expect(uncovered).toHaveLength(3);
  expect(uncovered[0]?.why).toBe("over the budget");
  const { gaps } = JSON.parse(readFileSync(join(folder, "state.json"), "utf8"));
  expect(gaps[0]).toMatch(/^lib\/f\d+\.c: given to nobody \(over the budget\)$/);
});

test("who has no file is told to read none, and the person is told who that is", async () => {
  const project = new Project({ "src/shell.js": "exports.run = () => 1;\n" });
  const { notes, prompts } = await project.order("review");
  expect(notes).toContain("docs has no file: none in its scope is left for it");
  const docs = prompts.find(({ name }) => name === "docs");
  expect(readFileSync(docs?.path ?? "", "utf8")).toContain("None of the files is yours.");
});

test("a file that the change took away is named", async () => {
  const project = new Project();
  project.git("rm", "-q", "README.md");
  project.git("commit", "-q", "-m", "gone");
  project.write(join(project.root, "src/shell.js"), "exports.run = () => 3;\n");
  project.git("commit", "-q", "-a", "--amend", "-m", "gone");
  const { uncovered } = await project.order("review", {
    files: { globs: [], range: "HEAD~1..HEAD" },
  });
  expect(uncovered).toEqual([{ file: "README.md", why: "it was deleted" }]);
});

test("globs choose among the changed files, or in the tree where no change is meant", async () => {
  const project = new Project();
  const some = await project.order("review", { files: { globs: ["src/**", "*.png"] } });
  expect(Object.values(scopes(some.contract)).flat()).toEqual(["src/login.js", "src/shell.js"]);
  expect(some.uncovered).toEqual([{ file: "logo.png", why: "it is binary" }]);
  const out = join(project.root, "work");
  const task = "Tidy up";
  const work = await project.order("work", { files: { globs: ["src/*.js"] }, out, task });
  expect(Object.values(scopes(work.contract)).flat()).toEqual(["src/login.js", "src/shell.js"]);
  const none = project.order("review", {
    files: { globs: ["nowhere/**"] },
    out: join(project.root, "none"),
  });
  await expect(none).rejects.toThrow(/no file that --files matches/);
});

test("names that are written like patterns mean one file", async () => {
  const project = new Project({ "app/[id]/page{1}.c": "int a;\n", "app/i/page1.c": "int b;\n" });
  const { contract } = await project.order("review");
  expect(scopes(contract)["backend"]).toEqual(["app/\\[id\\]/page\\{1\\}.c"]);
  expect(scopes(contract)["security"]).toEqual(["app/i/page1.c"]);
});

test("a workflow of the project's own comes from sworn.yaml", async () => {
  const project = new Project();
  const agents = `agents: [{ name: one, role: One side }, { name: two, role: Another side }]`;
  project.write(
    join(project.root, "sworn.yaml"),
    `workflows: [{ name: two-sides, format: report, verification: layer-0, ${agents} }]`,
  );
  const { contract, folder } = await project.order("two-sides", { out: undefined });
  expect(contract).toMatchObject({
    workflow: "rune-two-sides",
    teammates: [{ name: "one" }, { name: "two" }],
    verification: { enabled: true, layer_0_circuit: { failure_threshold: 3 } },
  });
  const head = project.git("rev-parse", "HEAD").slice(0, 12);
  expect(folder).toBe(join(project.root, `tmp/two-sides/${head}/`));
  await expect(project.order("two-side", { out: join(project.root, "b") })).rejects.toThrow(
    "there is no workflow two-side (did you mean two-sides?)",
  );
});

test("what cannot be is refused, and nothing is written", async () => {
  const project = new Project();
  await project.order("review");
  const again = project.order("review");
  await expect(again).rejects.toThrow(/holds a contract already; choose another folder/);
  await expect(project.order("plan", { out: undefined })).rejects.toThrow(/needs a task/);
  const outside = project.order("review", { out: join(project.folder, "outside") });
  await expect(outside).rejects.toThrow(/not a folder inside the repository/);
  await expect(project.order("review", { out: project.root })).rejects.toThrow(
    /not a folder inside/,
  );
  for (const inside of [".git/hooks", ".git", ".GIT/x", "src/.git/hooks"]) {
    const hooked = project.order("review", { out: join(project.root, inside) });
    await expect(hooked).rejects.toMatchObject({
      code: "PATH_ESCAPES",
      message: expect.stringMatching(/is inside git's own folder; choose another one with --out/),
    });
  }
  mkdirSync(join(project.folder, "outside"));
  symlinkSync(join(project.folder, "outside"), join(project.root, "link"));
  const linked = project.order("review", { out: join(project.root, "link/run") });
  await expect(linked).rejects.toThrow(/is a link, and links are not followed/);
  expect(readdirSync(join(project.folder, "outside"))).toEqual([]);
});

test("a contract that was changed after it was made is not judged by", async () => {
  const project = new Project();
  const { folder, contract } = await project.order("review");
  const path = join(folder, "inscription.json");
  const judged = async () => (await project.judge({ contract: path })).kind;
  expect(await judged()).toBe("abort");
  const { aggregator: _, ...lax } = contract;
  project.write(path, JSON.stringify({ ...lax, verification: { enabled: false } }));
  expect(await judged()).toBe("changed");
  project.write(path, JSON.stringify({ ...contract, nonce: "0".repeat(32) }));
  expect(await judged()).toBe("changed");
  project.write(path, `${JSON.stringify(contract, null, 2)}\n`);
  expect(await judged()).toBe("abort");
});

test("a changed contract is known too when its folder was moved behind a link", async () => {
  const project = new Project();
  const { folder, contract } = await project.order("review");
  const { aggregator: _, ...lax } = contract;
  renameSync(folder, `${folder}-moved`);
  symlinkSync(`${folder}-moved`, folder);
  const output_dir = `${contract.output_dir.replace(/\/$/, "")}-moved/`;
  project.write(join(folder, "inscription.json"), JSON.stringify({ ...lax, output_dir }));
  const { kind } = await project.judge({ contract: join(folder, "inscription.json") });
  expect(kind).toBe("changed");
});

test("a memory of a contract that cannot be read is told of, and forbids nothing", async () => {
  const project = new Project();
  const { folder, contract } = await project.order("review");
  const state = join(project.folder, "state/contracts");
  for (const name of readdirSync(state)) project.write(join(state, name), "{");
  project.write(join(folder, "docs.md"), deliverable([], { nonce: contract.nonce ?? "" }));
  const { warnings } = await project.validated({ contract: join(folder, "inscription.json") });
  expect(warnings[0]).toMatch(/^whether the contract was changed is not known: not JSON/);
});
