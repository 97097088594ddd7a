import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { admit } from "../../src/admit/index.ts";
import { policySource } from "../../src/flow/policy/policy-source.ts";
import { loadPolicies } from "../../src/policy/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { NOW, startFacts } from "./facts.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const load = (outside: string[] = []) => loadPolicies({ folder, outside });
const FORBID_NODE = `
  @rule("team.node") @why("this team uses python") @fix("ask the team")
  forbid (principal, action, resource) when { context.run.environment.name == "node" };`;

async function decide(facts: unknown) {
  return admit(facts, await load(), [], () => NOW);
}

test("a user's forbid refuses what the shipped policies allow", async () => {
  write("team.cedar", FORBID_NODE);
  const decision = await decide(startFacts());
  expect(decision).toMatchObject({ decision: "deny", matched: ["user/team.cedar#1"] });
  expect(decision.reasons).toEqual([
    {
      rule: "team.node",
      policy: "user/team.cedar#1",
      message: "this team uses python; ask the team",
    },
  ]);
});

test("a user's policies change the digest, and what the shipped ones refuse stays refused", async () => {
  const { digest } = await loadPolicies();
  write("team.cedar", FORBID_NODE.replaceAll("node", "rust"));
  expect((await load()).digest).not.toBe(digest);
  expect((await decide(startFacts())).decision).toBe("allow");
  expect((await decide(startFacts({ network: "host" }))).matched).toEqual(["F.1.network"]);
});

test("the example of the documentation does what it says", async () => {
  const readme = readFileSync(resolve(import.meta.dirname, "../../policies/README.md"), "utf8");
  const [, example = ""] = /```cedar\n([^`]+)```/.exec(readme) ?? [];
  write("team.cedar", example);
  expect((await decide(startFacts())).decision).toBe("allow");
  const { limits } = startFacts();
  const large = startFacts({ limits: { ...limits, memory_bytes: 4_294_967_297 } });
  expect((await decide(large)).reasons).toMatchObject([{ rule: "team.memory" }]);
});

test("a user's forbid without annotations says where it stands", async () => {
  write("b.cedar", "forbid (principal, action, resource) when { context.run.limits.pids > 100 };");
  const { reasons } = await decide(startFacts());
  expect(reasons[0]).toMatchObject({ rule: "user/b.cedar#1", policy: "user/b.cedar#1" });
});

test("a forbid that fails while it is judged is a no, where Cedar by itself would pass over it", async () => {
  write(
    "sum.cedar",
    `forbid (principal, action, resource)
     when { context.run.limits.memory_bytes * 9223372036854775807 > 0 };`,
  );
  const decision = await decide(startFacts());
  expect(decision.decision).toBe("deny");
  expect(decision.errors.join()).toMatch(/user\/sum\.cedar#1.*overflow/);
});

test.each([
  ["a permit", "permit (principal, action, resource);", /is a permit; expected forbid/],
  [
    "a permit behind a forbid",
    `${FORBID_NODE} permit (principal, action, resource);`,
    /team\.cedar#2 is a permit/,
  ],
  [
    "a permit under a name of ours",
    '@rule("A.1") permit (principal, action, resource);',
    /is a permit/,
  ],
  ["a template", "forbid (principal == ?principal, action, resource);", /has a template/],
  [
    "an attribute that does not exist",
    'forbid (principal, action, resource) when { context.run.netwrok != "none" };',
    /do not fit their schema.*netwrok/,
  ],
  [
    "a comparison that can never hold",
    "forbid (principal, action, resource) when { context.run.same_node == 7 };",
    /do not fit their schema/,
  ],
  [
    "a policy that can never apply",
    'forbid (principal, action == Sworn::Action::"start", resource) when { context has output };',
    /do not fit their schema/,
  ],
  ["what is not Cedar", "allow everything", /team\.cedar is not Cedar/],
  ["nothing", "// later\n", /no policy in it/],
])("%s is refused when it is loaded", async (_, text, message) => {
  write("team.cedar", text);
  await expect(load()).rejects.toThrow(message);
});

test("a file that is no policy is refused instead of being passed over", async () => {
  write("rules.rego", "package sworn\nallow := true");
  await expect(load()).rejects.toThrow(/rules\.rego is no policy.*opa build/);
});

test("documents and cases may lie beside policies", async () => {
  write("README.md", "# Ours");
  write("a.facts.json", "{}");
  await expect(load()).resolves.toMatchObject({ opaCount: 0 });
});

test("a tree that is judged supplies no policies, not even through a link", async () => {
  const tree = temporaryFolder();
  folder = join(tree, "policies");
  mkdirSync(folder);
  write("team.cedar", FORBID_NODE);
  await expect(load([tree])).rejects.toMatchObject({ code: "PATH_ESCAPES" });
  await expect(load([folder])).rejects.toMatchObject({ code: "PATH_ESCAPES" });
  const link = join(temporaryFolder(), "policies");
  symlinkSync(folder, link);
  await expect(loadPolicies({ folder: link, outside: [tree] })).rejects.toThrow(/lies in/);
  await expect(load([temporaryFolder()])).resolves.toBeDefined();
});

test("a link in the folder is not followed", async () => {
  const tree = temporaryFolder();
  writeFileSync(join(tree, "x.cedar"), FORBID_NODE);
  symlinkSync(join(tree, "x.cedar"), join(folder, "x.cedar"));
  await expect(load()).rejects.toThrow(/not a link/);
});

test("a policy that everybody can write is refused", async () => {
  write("team.cedar", FORBID_NODE);
  chmodSync(join(folder, "team.cedar"), 0o646);
  await expect(load()).rejects.toThrow(/team\.cedar can be written by everybody/);
  chmodSync(join(folder, "team.cedar"), 0o644);
  chmodSync(folder, 0o777);
  await expect(load()).rejects.toThrow(/can be written by everybody/);
});

test("a policy that is too long is refused before it is parsed", async () => {
  write("team.cedar", `//${"x".repeat(1_048_576)}`);
  await expect(load()).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
});

test("a folder that is named and not there is an error", async () => {
  folder = join(folder, "gone");
  await expect(load()).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("policies are taken from the user's state, and from nowhere when there are none", () => {
  expect(policySource(folder, ["/srv/tree"])).toBeUndefined();
  mkdirSync(join(folder, "policies"));
  expect(policySource(folder, ["/srv/tree"])).toEqual({
    folder: join(folder, "policies"),
    outside: ["/srv/tree"],
  });
});
