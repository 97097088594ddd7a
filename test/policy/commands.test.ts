import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { Shell } from "../cli/shell.ts";
import { exception, startFacts } from "./facts.ts";

const DIST = resolve(import.meta.dirname, "../../dist");

let shell: Shell;
beforeEach(() => {
  shell = new Shell();
});
const write = (name: string, value: unknown) => shell.write(name, JSON.stringify(value));
const NO_NODE =
  'forbid (principal, action, resource) when { context.run.environment.name == "node" };';

function policyFolder(name: string, files: Record<string, unknown>): string {
  const folder = join(shell.cwd, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(folder, file), text);
  }
  return name;
}

test("the shipped policies pass their own cases, and each of them is tested", async () => {
  const { exit, out } = await shell.run("policy", "test");
  expect(exit).toBe(0);
  expect(out).toMatch(/^ok {2}deny {6}F\.1\.network {2,}a network is asked for +shipped$/m);
  expect(out).toMatch(/(\d+) of \1 cases as expected; 48 policies, digest [0-9a-f]{64}/);
  expect(out).not.toContain("WRONG");
});

test("a user's cases are run against all policies", async () => {
  const folder = policyFolder("mine", {
    "team.cedar": NO_NODE,
    "node.facts.json": {
      name: "node is refused",
      facts: startFacts(),
      expect: { decision: "deny", rules: ["user/team.cedar#1"] },
    },
  });
  const { exit, out } = await shell.run("policy", "test", "--policies", folder);
  expect(exit).toBe(0);
  expect(out).toMatch(/^ok {2}deny {6}user\/team\.cedar#1 +node is refused +node\.facts\.json$/m);
});

test("a case that comes out differently fails the test and says how", async () => {
  const cases = policyFolder("cases", {
    "a.facts.json": {
      name: "a network is fine",
      facts: startFacts({ network: "bridge" }),
      expect: { decision: "allow" },
    },
    "b.facts.json": {
      name: "for another reason",
      facts: startFacts({ network: "bridge" }),
      expect: { decision: "deny", rules: ["N.1"] },
    },
  });
  const { exit, out } = await shell.run("policy", "test", cases);
  expect(exit).toBe(4);
  expect(out).toContain("WRONG: a network is fine: expected allow, found deny (F.1.network: ");
  expect(out).toContain("WRONG: for another reason: expected N.1 among the reasons");
});

test("a policy that no case brings to forbid anything fails the test", async () => {
  const folder = policyFolder("mine", { "team.cedar": NO_NODE });
  const { exit, out } = await shell.run("policy", "test", "--policies", folder);
  expect(exit).toBe(4);
  expect(out).toContain("UNTESTED: no case shows that user/team.cedar#1 forbids anything");
});

test("a case that is misspelt is an error that names the member", async () => {
  const path = write("x.facts.json", { name: "x", facts: {}, expects: {} });
  const { exit, err } = await shell.run("policy", "test", path);
  expect(exit).toBe(2);
  expect(err).toContain("x.facts.json");
});

test("policies of the user's own folder are in force without being named", async () => {
  const facts = write("f.json", startFacts());
  expect((await shell.run("policy", "explain", facts)).exit).toBe(0);
  const folder = join(shell.folder, "state", "policies");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "team.cedar"), NO_NODE);
  const { exit, out } = await shell.run("policy", "explain", facts);
  expect(exit).toBe(3);
  expect(out).toContain("policy user/team.cedar#1 in team.cedar; it has no exceptions");
});

test("what is allowed is explained by what permits it", async () => {
  const { exit, out } = await shell.run("policy", "explain", write("f.json", startFacts()));
  expect(exit).toBe(0);
  expect(out).toMatch(
    /^allowed: A\.1 \(A\.cedar\) permits it, and none of the other 47 policies forbids it\n/,
  );
});

test("what is denied is explained by each rule, what was found, and what helps", async () => {
  const facts = write("f.json", startFacts({ network: "bridge", data_is_clean: false }));
  const { exit, out } = await shell.run("policy", "explain", facts);
  expect(exit).toBe(3);
  expect(out).toContain(
    "F.1.network: a task has no network of any kind when it starts (found: bridge); leave",
  );
  expect(out).toContain("policy F.1.network in F.cedar; it has no exceptions");
  expect(out).toContain("policy W.1 in W.cedar; exceptions are possible");
});

test("a case is explained with its exceptions and its time", async () => {
  const facts = startFacts({ data_is_clean: false });
  const one = { name: "x", facts, exceptions: [exception("W.1")], expect: { decision: "allow" } };
  const now = await shell.run(
    "policy",
    "explain",
    write("a.json", { ...one, at: "2030-01-31T23:59:59Z" }),
  );
  expect(now.exit).toBe(0);
  expect(now.out).toContain("only because of exception e1 from W.1");
  const late = await shell.run(
    "policy",
    "explain",
    write("b.json", { ...one, at: "2030-02-01T00:00:00Z" }),
  );
  expect(late.exit).toBe(3);
  expect(late.out).toContain("exception e1 does not count: it expired");
});

test("facts that cannot be judged are denied, and a file that cannot be read is an error", async () => {
  const odd = await shell.run(
    "policy",
    "explain",
    write("f.json", { ...startFacts(), x: 1 }),
    "--json",
  );
  expect(odd.exit).toBe(3);
  expect(odd.json()).toMatchObject({ decision: "deny", matched: [], reasons: [{ rule: "A.1" }] });
  expect((await shell.run("policy", "explain", "gone.json")).exit).toBe(2);
  shell.write("twice.json", '{"a":1,"a":2}');
  expect((await shell.run("policy", "explain", "twice.json")).exit).toBe(2);
});

test("Cedar is loaded for policies and for nothing less", () => {
  const script = `
    import { createRequire } from "node:module";
    import { main } from ${JSON.stringify(pathToFileURL(join(DIST, "cli/main.js")).href)};
    const { cache } = createRequire(import.meta.url);
    const loaded = () => Object.keys(cache).some((path) => path.includes("cedar"));
    const io = { out() {}, err() {}, env: process.env, cwd: process.cwd(), home: process.cwd(),
      input: async function* () {}, isTerminal: false, signal: new AbortController().signal };
    const seen = {};
    for (const line of [["--version"], ["--help"], ["policy", "test", "--help"], ["policy", "test"]]) {
      await main(line, io);
      seen[line.join(" ")] = loaded();
    }
    console.log(JSON.stringify(seen));`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: shell.cwd,
    env: { SWORN_STATE_DIR: join(shell.folder, "state") },
    encoding: "utf8",
  });
  expect(JSON.parse(out)).toEqual({
    "--version": false,
    "--help": false,
    "policy test --help": false,
    "policy test": true,
  });
});
