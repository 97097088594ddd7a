import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { Shell } from "./shell.ts";

const ANSWERS = readFileSync(
  resolve(import.meta.dirname, "../../examples/planner/scaffold.yaml"),
  "utf8",
);
const SURFACE = [
  ...["the guide", "code, because nobody asked", "80 columns", "None", "It is refused"],
  ...["It is refused", "One page", "It is read once", "It waits for nothing", "Readers find it"],
  "It NEVER changes code, because nobody asked for that",
];
/** A person who types these lines, and then goes on looking. */
const typing = (...all: string[]) => ({
  isTerminal: true,
  input: async function* () {
    yield Buffer.from(all.map((line) => `${line}\n`).join(""));
  },
});
const text = (shell: Shell, name: string) => readFileSync(join(shell.cwd, name), "utf8");

test("on a terminal, a file that answers everything is left as its author wrote it", async () => {
  const shell = new Shell();
  shell.write("answers.yaml", ANSWERS);
  const made = await shell.runWith(typing(), "plan", "--from", "answers.yaml");
  expect(made).toMatchObject({ exit: 0, err: "" });
  expect(text(shell, "answers.yaml")).toBe(ANSWERS);
});

test("what is typed is put into the file, whose comments and order stay", async () => {
  const shell = new Shell();
  const given = ANSWERS.replace(/^success: .*\n/m, "").replace(/^ {2}timeout: .*\n/m, "");
  shell.write("answers.yaml", given);
  const person = typing("It waits for nothing.", "Asking for it answers 404.");
  const made = await shell.runWith(person, "plan", "--from", "answers.yaml");
  expect(made.exit).toBe(0);
  expect(made.out).toContain(`answers ${join(shell.cwd, "answers.yaml")}\n`);
  const kept = text(shell, "answers.yaml");
  expect(kept.split("\n")[0]).toBe(ANSWERS.split("\n")[0]);
  expect(kept).toContain("\n  timeout: It waits for nothing.\n");
  expect(kept).toContain("\nsuccess: Asking for it answers 404.\n");
  expect((await shell.run("plan", "--from", "answers.yaml")).exit).toBe(0);
});

test("a file of comments, or none, takes all answers; JSON stays JSON", async () => {
  const shell = new Shell();
  const rest = ["Write it", "docs", "Describe it in docs/it.md.", "docs/it.md", "What"];
  const check = "GIVEN docs/it.md WHEN it is read THEN it names the number 20";
  shell.write("notes.yaml", "# What Ann wants\n");
  shell.write("empty.json", "{}\n");
  for (const name of ["notes.yaml", "empty.json", "new.yaml"]) {
    const person = typing(...SURFACE, ...rest, check, "", "");
    const made = await shell.runWith(person, "plan", "Describe it", "--from", name);
    expect([name, made.exit]).toEqual([name, 0]);
    expect([name, (await shell.run("plan", "--from", name)).exit]).toEqual([name, 0]);
  }
  expect(text(shell, "notes.yaml")).toMatch(/^# What Ann wants\n[^{]*request: Describe it\n/);
  expect(JSON.parse(text(shell, "empty.json"))).toMatchObject({ request: "Describe it" });
});

test("a file of prose is what is wanted, and stays; the answers lie beside it", async () => {
  const shell = new Shell();
  shell.write("wish.txt", "Describe the limit\n");
  const person = typing(
    ...SURFACE,
    ...["Write the guide", "docs", "Describe the limit in docs/limit.md.", "docs/limit.md"],
    ...["What; Why", "GIVEN docs/limit.md WHEN it is read THEN it names the number 20", "", ""],
  );
  const made = await shell.runWith(person, "plan", "--from", "wish.txt");
  expect(made.exit).toBe(0);
  expect(text(shell, "wish.txt")).toBe("Describe the limit\n");
  expect(JSON.parse(text(shell, ".sworn/plan-answers.json"))).toMatchObject({
    request: "Describe the limit",
  });
});

test("on a terminal, an answer that cannot be one is asked for again, and nothing typed is lost", async () => {
  const shell = new Shell();
  const person = typing(
    ...SURFACE,
    ...["Serve it", "software", "infra", "Start it.", "node server.js", "eighty", "70000", "80"],
    ...["health", "/health", "two hundred", "200", "GIVEN it WHEN asked THEN the status is 200"],
    ...["README.md", "Write it down", "docs", "Describe it in docs/it.md.", "ST-02; first"],
    ...["ST-01", "../it.md", "docs/it.md", "What", "GIVEN it WHEN read THEN it names 80", "", ""],
  );
  const made = await shell.runWith(person, "plan", "Serve the guide", "--from", "-", "--json");
  for (const told of [
    'expected one of CODE, CONFIG, INFRA, DOCS, found "software"\n',
    'expected a whole number from 1 to 65535, found "eighty"\n',
    'expected a whole number from 1 to 65535, found "70000"\n',
    'expected a path that begins with "/", found "health"\n',
    'expected a whole number from 100 to 599, found "two hundred"\n',
    'expected names of earlier subtasks, ST-01, found "ST-02; first"\n',
    'expected a path inside the project, found "../it.md"\n',
  ]) {
    expect(made.err).toContain(told);
  }
  expect(made.json<{ plan: { subtasks: unknown[] } }>().plan.subtasks).toMatchObject([
    { type: "INFRA" },
    { type: "DOCS", depends_on: ["ST-01"] },
  ]);
});

test("an answer that is needed is asked for again, and it is said why", async () => {
  const { exit, err } = await new Shell().runWith(
    typing(...SURFACE.slice(0, -1), "", "Never delete, because logs stay"),
    ...["plan", "Cut the list", "--from", "-"],
  );
  expect(exit).toBe(2);
  const [, ...again] = err.split("What must the work NEVER do, and because of what?");
  expect([again.length, again[0]]).toEqual([2, expect.stringMatching(/This needs an answer\. $/)]);
});

test("a field is asked for as a pointer, and what is to be seen as GIVEN, WHEN and THEN", async () => {
  const shell = new Shell();
  const person = typing(
    ...SURFACE,
    ...["Set it", "config", "Set the port.", "config.json", "port", "/port", "80"],
    ...["It works", "GIVEN config.json WHEN it is read THEN /port is 80", "", ""],
  );
  const made = await shell.runWith(person, "plan", "Set the port", "--from", "-");
  expect(made.err).toContain('expected a pointer that begins with "/", found "port"\n');
  expect(made.err).toContain('expected GIVEN … WHEN … THEN …, found "It works"\n');
  expect(made).toMatchObject({ exit: 0, out: expect.stringContaining("Ready, but") });
});

test("a test that shows what is to be seen needs no judge beside it", async () => {
  const shell = new Shell();
  const asked = (covers: string) =>
    shell.runWith(
      typing(
        ...SURFACE,
        ...["Cut it", "code", "Cut it in src/cut.js.", "test_cut_keeps_20_lines", "", ""],
        ...["GIVEN 25 lines WHEN they are cut THEN 20 are left", covers, "src/cut.js", ""],
      ),
      ...["plan", "Cut the list", "--from", "-"],
    );
  expect((await asked("")).out).toContain(
    "sworn.yaml names none under roles.judge: until it does, sworn work refuses",
  );
  expect((await asked("maybe")).err).toContain('expected yes or no, found "maybe"\n');
  expect((await asked("yes")).out).not.toContain("judge");
});

test("Ctrl-C ends it in order, and nothing is written", async () => {
  const shell = new Shell();
  const stopping = new AbortController();
  const person = {
    isTerminal: true,
    signal: stopping.signal,
    input: async function* () {
      yield Buffer.from("the guide\n");
      stopping.abort();
      throw new Error("Premature close");
    },
  };
  const ended = await shell.runWith(
    person,
    ...["plan", "Cut it", "--from", "new.yaml", "--out", "plan.json"],
  );
  expect(ended).toMatchObject({ exit: 1, err: expect.stringMatching(/\[INTERRUPTED\]\n$/) });
  for (const name of ["new.yaml", "plan.json", ".sworn/plan-answers.json"]) {
    expect([name, existsSync(join(shell.cwd, name))]).toEqual([name, false]);
  }
});

test("a file with wrong answers is refused before anybody types", async () => {
  const shell = new Shell();
  const wrong = ANSWERS.replace(/^success: .*\n/m, "").replace(/^scope:$/m, "scop:");
  shell.write("answers.yaml", wrong.replace(/^never: .*$/m, "never: [1]"));
  const made = await shell.runWith(typing("x", "y"), "plan", "--from", "answers.yaml");
  expect(made).toMatchObject({ exit: 2, out: "" });
  expect(made.err).toMatch(/^sworn: the answers: .*scop is not a field/);
  expect(made.err).toContain("never: expected");
  expect(made.err).not.toContain("> ");
  expect(made.err).not.toContain("missing");
});
