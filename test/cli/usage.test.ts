import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { Shell } from "./shell.ts";

const WORDS = COMMANDS.map(({ path }) => path.join(" "));

test.each(WORDS)("sworn %s --help shows its usage, its options and an example", async (words) => {
  const shell = new Shell();
  const command = COMMANDS.find(({ path }) => path.join(" ") === words);
  for (const flag of ["--help", "-h"]) {
    const { exit, out, err } = await shell.run(...words.split(" "), flag);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain(`Example: ${command?.example}\n`);
    expect(out).toContain(`sworn ${words}`);
    expect(out).toContain("--json");
    for (const option of Object.keys(command?.options ?? {})) {
      expect(out).toContain(`--${option}`);
      expect(command?.notes?.[option]).toMatch(/\w/);
    }
  }
});

test.each(WORDS)("on a terminal, the help of sworn %s fits it and loses no word", async (words) => {
  const shell = new Shell();
  const asked = [...words.split(" "), "--help"];
  const plain = (await shell.run(...asked)).out;
  const { out } = await shell.runWith({ columns: 80 }, ...asked);
  for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  expect(out.split(/\s+/)).toEqual(plain.split(/\s+/));
  // What is set in is an example, or a list: its lines stay apart.
  const indented = (text: string) => text.split("\nExample")[1]?.match(/^ {2}\S+/gm);
  expect(indented(out)).toEqual(indented(plain));
  expect((await shell.runWith({ columns: 200 }, ...asked)).out).toBe(plain);
});

test("the overview names every command once, on one screen's width, the first ones first", async () => {
  const shell = new Shell();
  for (const argv of [[], ["--help"], ["-h"], ["help"]]) {
    const { exit, out } = await shell.run(...argv);
    expect(exit).toBe(0);
    const lines = out.split("\n");
    expect(lines.length).toBeLessThanOrEqual(48);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const [first = "", others = ""] = out.split("\n\n").slice(1);
    const named = others
      .replaceAll(/^[A-Z]\S* +/gm, ", ")
      .split(/,\s+/)
      .map((one) => one.trim())
      .filter((one) => one !== "");
    const shown = [...first.matchAll(/^ {2}sworn ([a-z-]+)/gm)].map(([, word]) => word);
    expect(shown.filter((word) => word !== "run")).toEqual([
      "review",
      "check",
      "ci",
      "work",
      "status",
      "verify",
      "prove",
      "doctor",
    ]);
    expect([...shown, ...named].toSorted()).toEqual(WORDS.toSorted());
  }
});

test("the help of a group says what each of its commands does, and of no other", async () => {
  for (const group of ["keys", "exception", "trace"]) {
    const { exit, out } = await new Shell().run(group, "--help");
    expect(exit).toBe(0);
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const shown = [...out.matchAll(/^ {2}sworn (\S+ \S+)/gm)].map(([, words]) => words);
    expect(shown).toEqual(WORDS.filter((words) => words.startsWith(`${group} `)));
  }
});

test.each([
  ["nonsense"],
  ["trace"],
  ["trace", "nonsense"],
  ["keys", "lsit"],
  ["--nonsense"],
  ["ver"],
])("an unknown command ends with 2: %s %s", async (...argv) => {
  const words = argv.filter((word) => typeof word === "string");
  const shell = new Shell();
  const { exit, out, err } = await shell.run(...words);
  expect([exit, out]).toEqual([2, ""]);
  expect(err).toMatch(/there is no command|lacks its second word/);
  const again = await shell.run(...words, "--json");
  expect(again.exit).toBe(2);
  expect(again.json()).toEqual({ error: { code: "USAGE", message: expect.any(String) } });
});

test("what may follow a word is listed, and of all commands none is", async () => {
  const { err } = await new Shell().run("mail");
  expect(err).toContain('"sworn mail" lacks its second word; expected one of: take, send, ls\n');
  const { err: unknown } = await new Shell().run("nonsense");
  expect(unknown).toBe(
    'sworn: there is no command "nonsense"\nRun "sworn --help" for what each does.\n',
  );
});

const MISUSES: [string, string][] = [
  ["verify", "target is missing"],
  ["verify a b", "one word too many"],
  [
    "verify a --profile strickt",
    '--profile: expected one of strict, default, lenient, found "strickt" (did you mean strict?)',
  ],
  ["verify a --keys k", "there is no option --keys; did you mean --key?"],
  ["review --sarfi", "there is no option --sarfi; did you mean --sarif?"],
  [
    "verify a --zzzzzz",
    "there is no option --zzzzzz; expected --key, --profile, --fast, --rerun, --json, --help",
  ],
  ["verify a --fast=yes", '--fast takes no value, found "yes"'],
  ["verify a --key", "--key needs a value: expected the verifier key"],
  [
    "verify a --key --fast",
    '--key needs a value: expected the verifier key the record must be signed with (a key, or a file with one), found "--fast"',
  ],
  ["verify a --key=", "--key is empty: expected the verifier key"],
  ["trace record", "script is missing"],
  ["trace show", "trace is missing"],
  ["trace show latest x", 'entry: expected a whole number, found "x"'],
  ["trace show latest -1", '"-1" is no option; expected a whole number from 0'],
  ["trace show latest 1 2", "one word too many"],
  ["trace tail latest --lines many", "expected a whole number"],
  ["trace tail", "trace is missing"],
  ["trace export", "trace is missing"],
  ["trace import", "bundle is missing"],
  ["trace prove latest", "entry is missing"],
  ["trace prove latest 1 --since x", "expected a whole number"],
  ["trace recover", "trace is missing"],
  ["trace ls extra", "one word too many"],
  ["keys rotate", "agent is missing"],
  [
    "keys rotate Bad.Name",
    'agent: expected lower-case letters, digits, dot, dash or underscore, found "Bad.Name"',
  ],
  ["keys rotate ../eli", "agent"],
  ["keys revoke eli", "--reason is missing: expected why, it is written into the record"],
  [
    "keys revoke eli --reason r --key short",
    '--key: expected 32 lower-case hex digits, found "short"',
  ],
  ["ask x --default y --tier 9", '--tier: expected a whole number 1 to 3, found "9"'],
  ["ask x --default y --beats 0", '--beats: expected a whole number 1 to 1000, found "0"'],
  ["mcp --http --port 99999", '--port: expected a whole number at most 65535, found "99999"'],
  [
    "bus post x --parent MSG-1 --parent MSG-1:bad",
    '--parent: expected one of reply, answers, blocks, supersedes, relates_to, depends_on, child_of, found "MSG-1:bad"',
  ],
  ["bus post x --parent 1", '--parent: expected "MSG-" and a number, as "sworn bus read" shows it'],
  [
    "bus post x --meta Bad=x",
    '--meta: expected lower-case letters, digits, dot, dash or underscore, found "Bad=x"',
  ],
  ["keys export-public Bad.Name", "agent"],
  ["keys list extra", "one word too many"],
  ["init extra", "one word too many"],
];

test.each(MISUSES)(
  "sworn %s: wrong usage ends with 2 and says what was expected",
  async (line, said) => {
    const shell = new Shell();
    const { exit, out, err } = await shell.run(...line.split(" "));
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain(said);
    expect(err).toContain("--help");
    const again = await shell.run(...line.split(" "), "--json");
    expect(again.exit).toBe(2);
    expect(again.json()).toEqual({
      error: { code: "USAGE", message: expect.stringContaining(said) },
    });
  },
);

test("--version prints the version of the package", async () => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  for (const flag of ["--version", "-V", "-v"])
    expect(await new Shell().run(flag)).toMatchObject({ exit: 0, out: `${version}\n`, err: "" });
});

test.each([
  [["trcae", "ls"], "trace ls"],
  [["trace", "lst", "--json"], "trace ls"],
  [["keys", "lsit"], "keys list"],
  [["verfy", "a.tar"], "verify"],
  [["fsck", "latest", "3"], "trace fsck"],
  [["statu"], "status"],
  [["trace", "sho"], "trace show"],
])("a misspelt command is told what was meant: %j", async (argv, meant) => {
  const { exit, err } = await new Shell().run(...argv);
  expect(exit).toBe(2);
  expect(err).toContain(`did you mean "sworn ${meant}"?`);
  expect(err).not.toContain("--json");
});

test("the help of a command that was called by its last word says its whole name", async () => {
  const { exit, out } = await new Shell().run("fsck", "--help");
  expect(exit).toBe(0);
  expect(out).toContain('"sworn fsck" is "sworn trace fsck"');
  expect(out).toContain("byte by byte");
});

test("trace list and keys ls are other names of commands", async () => {
  const shell = new Shell();
  expect((await shell.run("trace", "list", "--json")).json()).toEqual({ traces: [] });
  expect((await shell.run("keys", "ls", "--json")).json()).toMatchObject({ keys: [] });
});

test("help marks the options without which a command does not run", async () => {
  const { out } = await new Shell().run("keys", "revoke", "--help");
  expect(out).toContain("sworn keys revoke <agent> --reason <value>\n");
  expect(out).toMatch(/--reason <value> +\(required\) why/);
  expect(out).not.toMatch(/--key <value> +\(required\)/);
  expect((await new Shell().run("trace", "tail", "--help")).out).toContain("with --follow");
});

test("wrong usage creates nothing", async () => {
  const shell = new Shell();
  for (const [line] of MISUSES) await shell.run(...line.split(" "));
  const { readdirSync } = await import("node:fs");
  expect(readdirSync(shell.folder)).toEqual(["project"]);
  expect(readdirSync(shell.cwd)).toEqual([]);
});

test.each(COMMANDS.map(({ path }) => path.join(" ")))(
  "the help of sworn %s says what its own exit codes mean",
  async (path) => {
    const { exit, out } = await new Shell().run(...path.split(" "), "--help");
    expect(exit).toBe(0);
    const codes = out.slice(out.indexOf("Exit codes:")).split("\n").slice(1, -1);
    expect(codes.length).toBeGreaterThanOrEqual(3);
    for (const row of codes) expect(row).toMatch(/^ {2}[0-4] {2}\S.{3,}$/);
    expect(codes.map((row) => row.trim().charAt(0))).toEqual(
      [...new Set(codes.map((row) => row.trim().charAt(0)))].toSorted(),
    );
    expect(out.match(/Exit codes/g)).toHaveLength(1);
  },
);

test.each(["resume", "cancel"])("the help of sworn %s speaks of sessions", async (command) => {
  const { out } = await new Shell().run(command, "--help");
  expect(out.slice(0, out.indexOf("Options:"))).toMatch(/\bsessions?\b/);
  expect(out).toContain("(sworn run)");
});
