import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { admit } from "../../src/admit/index.ts";
import { loadPolicies, type Policies } from "../../src/policy/index.ts";
import { AdmissionDecision, type AdmissionFacts, CONTROLS } from "../../src/schema/admission.ts";
import { completeFacts, mount, NOW, startFacts } from "../policy/facts.ts";
import { verifies } from "../verifies.ts";

let policies: Policies;
beforeAll(async () => {
  policies = await loadPolicies();
});
const decide = (facts: unknown) => admit(facts, policies, [], () => NOW);
const rulesOf = async (facts: unknown) => (await decide(facts)).reasons.map(({ rule }) => rule);

test("a yes names the policies it rests on and nothing else", async () => {
  for (const facts of [startFacts(), completeFacts()]) {
    const decision = await decide(facts);
    expect(decision).toEqual({
      decision: "allow",
      policy_digest: policies.digest,
      matched: ["A.1"],
      reasons: [],
      errors: [],
      exceptions: [],
    });
    expect(AdmissionDecision.parse(decision)).toEqual(decision);
  }
});

test("a no names every rule that was broken, what was found and what helps", async () => {
  const decision = await decide(
    startFacts({ network: "bridge", same_node: false, argv: ["git", "push"] }),
  );
  expect(decision.matched).toEqual(["F.1.network", "F.3", "N.1"]);
  expect(decision.reasons[0]).toEqual({
    rule: "F.1.network",
    policy: "F.1.network",
    message:
      "a task has no network of any kind when it starts (found: bridge); " +
      "leave the network at none; packages come in through a pull phase",
  });
});

verifies(
  ["004-58", "004-77"],
  "every control is stated and enforced, or nothing is created",
  async () => {
    const { controls, limits, ...facts } = startFacts();
    expect(CONTROLS.length).toBe(18);
    for (const control of CONTROLS) {
      const { [control]: _, ...others } = controls;
      expect(
        (await decide({ ...facts, limits, controls: { ...others, [control]: false } })).decision,
      ).toBe("deny");
      const missing = await decide({ ...facts, limits, controls: others });
      expect(missing.decision).toBe("deny");
      expect(missing.reasons[0]?.message).toContain(`facts.controls.${control}`);
    }
    for (const limit of Object.keys(limits)) {
      const { [limit as keyof typeof limits]: _, ...others } = limits;
      const unset = await decide({ ...facts, controls, limits: others });
      expect(unset.decision).toBe("deny");
      expect(unset.errors[0]).toContain(`facts.limits.${limit}`);
    }
  },
);

test("a fact that is missing, unknown or of another type denies, wherever it stands", async () => {
  const places = (value: unknown, path: string[] = []): string[][] =>
    typeof value !== "object" || value === null
      ? []
      : Object.entries(value).flatMap(([key, inner]) => [
          [...path, key],
          ...places(inner, [...path, key]),
        ]);
  const at = (facts: object, path: readonly string[]) =>
    path.reduce<Record<string, unknown>>(
      (object, key) => object[key] as Record<string, unknown>,
      facts as Record<string, unknown>,
    );
  const paths = places(completeFacts()).filter((path) => !path.some((key) => /^\d+$/.test(key)));
  expect(paths.length).toBeGreaterThan(50);
  for (const path of paths) {
    const key = path.at(-1) ?? "";
    const without = completeFacts();
    delete at(without, path.slice(0, -1))[key];
    expect((await decide(without)).decision, `without ${path.join(".")}`).toBe("deny");
    const other = completeFacts();
    at(other, path.slice(0, -1))[key] = { odd: 1 };
    expect((await decide(other)).decision, `odd ${path.join(".")}`).toBe("deny");
    const more = completeFacts();
    at(more, path.slice(0, -1))["surprise"] = true;
    expect((await decide(more)).decision, `more beside ${path.join(".")}`).toBe("deny");
  }
});

test("facts of the start do not pass for facts of the end, nor the other way round", async () => {
  expect((await decide({ ...startFacts(), moment: "complete" })).decision).toBe("deny");
  expect((await decide({ ...completeFacts(), moment: "start" })).decision).toBe("deny");
  expect((await decide({ ...startFacts(), moment: "later" })).decision).toBe("deny");
});

test("a setting that is empty or none removes no sandbox", async () => {
  for (const change of [
    { engine: "none" },
    { engine: "" },
    { network: "" },
    { controls: {} },
    { argv: [] },
  ]) {
    expect((await decide({ ...startFacts(), ...change })).decision, JSON.stringify(change)).toBe(
      "deny",
    );
  }
});

verifies(["004-23", "004-54"], "what is not named by its digest is refused", async () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const other = `sha256:${"b".repeat(64)}`;
  const environment = (reference: string, of: string | null = digest) =>
    rulesOf(startFacts({ engine: "docker", environment: { name: "node", digest: of, reference } }));
  expect(await environment(digest)).toEqual([]);
  expect(await environment(`node@${digest}`)).toEqual([]);
  expect(await environment(`node:22@${digest}`)).toEqual([]);
  for (const reference of [
    "node",
    "node:22",
    "node:latest",
    `node@${other}`,
    `${digest}x`,
    "host",
  ]) {
    expect(await environment(reference), reference).toEqual(["I.1"]);
  }
  expect(await environment("node:22", null)).toEqual(["I.1"]);
});

verifies(["004-51", "004-52"], "a task on another machine is refused", async () => {
  expect(await rulesOf(startFacts({ same_node: false }))).toEqual(["N.1"]);
});

verifies(
  ["004-70", "004-43"],
  "results may go to stores, registries and releases on the list",
  async () => {
    for (const sink of ["artifact-store", "package-registry", "vcs-release"] as const) {
      expect(await rulesOf(delivering({ sink })), sink).toEqual([]);
    }
  },
);

verifies("004-71", "results go to no other kind of place, listed or not", async () => {
  for (const sink of [
    "personal-remote",
    "arbitrary-url",
    "pastebin",
    "smtp",
    "chat-webhook",
  ] as const) {
    expect(await rulesOf(delivering({ sink })), sink).toEqual(["U.1"]);
  }
  expect((await decide(delivering({ sink: "somewhere" as never }))).decision).toBe("deny");
});

test("only the agent uploads, encrypted, on record, to what is listed", async () => {
  expect(await rulesOf(delivering({ by: "task" }))).toEqual(["U.3"]);
  expect(await rulesOf(delivering({ encrypted: false }))).toEqual(["U.4.encrypted"]);
  expect(await rulesOf(delivering({ logged: false }))).toEqual(["U.4.logged"]);
  expect(await rulesOf(delivering({ listed: false }))).toEqual(["U.2"]);
  expect(await rulesOf(delivering({ signed: false }))).toEqual(["U.5"]);
});

type Output = Extract<AdmissionFacts, { moment: "complete" }>["output"];

function delivering(changes: Partial<Output["deliveries"][number]>) {
  const usual = {
    sink: "artifact-store",
    destination: "store",
    listed: true,
    by: "agent",
    encrypted: true,
    logged: true,
    signed: true,
  } as const;
  const { output, ...facts } = completeFacts();
  return { ...facts, output: { ...output, deliveries: [{ ...usual, ...changes }] } };
}

verifies("004-49", "a network, a secret mount or an upload command is a hard no", async () => {
  const secret = mount({ secret: "it lies in /home/ada/.ssh (SSH keys)" });
  expect(await rulesOf(startFacts({ network: "host" }))).toEqual(["F.1.network"]);
  expect(await rulesOf(startFacts({ mounts: [secret] }))).toEqual(["S.1"]);
  expect(await rulesOf(startFacts({ argv: ["sh", "-c", "true; scp a me@host:"] }))).toEqual([
    "F.3",
  ]);
  // Also in a pull phase: it is for pulling.
  const proxy = mount({ kind: "proxy", target: "/run/sworn", writable: true });
  const egress = { mode: "pull-only" as const, hosts: ["registry.example.org"] };
  const pulling = { egress, mounts: [proxy], argv: ["aws", "s3", "cp", "a", "s3://b"] };
  expect(await rulesOf(startFacts(pulling))).toEqual(["F.3"]);
});

test("a mount over the wrong place of the workspace is foreign", async () => {
  const rules = (changes: Parameters<typeof mount>[0]) =>
    rulesOf(startFacts({ mounts: [mount(changes)] }));
  expect(await rules({ target: "/workspace/input/sub" })).toEqual([]);
  expect(await rules({ target: "/workspace/inputs" })).toEqual(["F.1.mounts"]);
  expect(await rules({ target: "/workspace/input/../../etc" })).toEqual(["F.1.mounts"]);
  expect(await rules({ kind: "system", target: "/workspace/output" })).toEqual(["F.1.mounts"]);
  expect(await rules({ kind: "data", target: "/workspace/input", writable: true })).toEqual([
    "F.1.mounts",
  ]);
  expect(await rules({ writable: true })).toEqual(["F.1.read_only"]);
});

test("whatever it is given, it answers, and never with a yes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (facts) => {
      expect((await decide(facts)).decision).toBe("deny");
    }),
    { numRuns: 100 },
  );
});

test("a policy engine that throws is a no", async () => {
  const broken: Policies = { ...policies, decide: () => Promise.reject(new Error("gone")) };
  const decision = await admit(startFacts(), broken, [], () => NOW);
  expect(decision).toMatchObject({ decision: "deny", errors: ["the decision failed: gone"] });
});

test("an allow that comes with an error is a no", async () => {
  const odd: Policies = {
    ...policies,
    decide: () => Promise.resolve({ decision: "allow", matched: ["A.1"], errors: ["odd"] }),
  };
  expect(await admit(startFacts(), odd, [], () => NOW)).toMatchObject({ decision: "deny" });
});

test("text that is no Unicode, or too much of it, is refused before Cedar sees it", async () => {
  const lone = await decide(startFacts({ argv: ["echo", "\ud800"] }));
  expect(lone.errors.join()).toContain("facts.argv");
  const long = await decide(startFacts({ argv: ["echo", "x".repeat(2_097_153)] }));
  expect(long.errors.join()).toContain("facts.argv");
});
