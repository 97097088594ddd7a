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

test("the overview lists every command", async () => {
  const shell = new Shell();
  for (const argv of [[], ["--help"], ["-h"], ["help"]]) {
    const { exit, out } = await shell.run(...argv);
    expect(exit).toBe(0);
    for (const words of WORDS) expect(out).toContain(`sworn ${words}`);
  }
  const { out } = await shell.run("keys", "--help");
  expect(out).toContain("sworn keys rotate");
  expect(out).not.toContain("sworn trace");
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
  expect(err).toContain("there is no command");
  const again = await shell.run(...words, "--json");
  expect(again.exit).toBe(2);
  expect(again.json()).toEqual({ error: { code: "USAGE", message: expect.any(String) } });
});

const MISUSES: [string, string][] = [
  ["verify", "target is missing"],
  ["verify a b", "one word too many"],
  ["verify a --profile loose", "profile"],
  ["verify a --unknown", "--unknown"],
  ["verify a --fast=yes", "--fast"],
  ["trace record", "script is missing"],
  ["trace show", "trace is missing"],
  ["trace show latest x", "expected a whole number"],
  ["trace show latest -1", "-1"],
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
  ["keys rotate Bad.Name", "agent"],
  ["keys rotate ../eli", "agent"],
  ["keys revoke eli", "reason"],
  ["keys revoke eli --reason r --key short", "key"],
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
  for (const flag of ["--version", "-V"])
    expect(await new Shell().run(flag)).toMatchObject({ exit: 0, out: `${version}\n`, err: "" });
});

test("wrong usage creates nothing", async () => {
  const shell = new Shell();
  for (const [line] of MISUSES) await shell.run(...line.split(" "));
  const { readdirSync } = await import("node:fs");
  expect(readdirSync(shell.folder)).toEqual(["project"]);
  expect(readdirSync(shell.cwd)).toEqual([]);
});
