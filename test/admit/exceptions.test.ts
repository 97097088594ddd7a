import { beforeAll, expect, test } from "vitest";
import { admit } from "../../src/admit/index.ts";
import { loadPolicies, type Policies } from "../../src/policy/index.ts";
import { completeFacts, exception, mount, NOW, startFacts } from "../policy/facts.ts";
import { verifies } from "../verifies.ts";

let policies: Policies;
beforeAll(async () => {
  policies = await loadPolicies();
});
const decide = (facts: unknown, ...exceptions: unknown[]) =>
  admit(facts, policies, exceptions, () => NOW);
const unclean = startFacts({ data_is_clean: false });

test("a valid exception lets its rule be broken, and the decision names it", async () => {
  const decision = await decide(unclean, exception("W.1"));
  expect(decision).toMatchObject({
    decision: "allow",
    matched: ["A.1"],
    exceptions: [{ id: "e1", rule: "W.1" }],
  });
});

test("an exception that was not needed is not named", async () => {
  expect(await decide(startFacts(), exception("W.1"))).toMatchObject({
    decision: "allow",
    exceptions: [],
  });
});

test("an exception from one rule is none from another", async () => {
  const decision = await decide({ ...unclean, same_node: false }, exception("W.1"));
  expect(decision).toMatchObject({ decision: "deny", matched: ["N.1"] });
});

test("a control that cannot be enforced can be excepted, by its own name only", async () => {
  const facts = startFacts();
  const without = { ...facts, controls: { ...facts.controls, cpu: false } };
  expect((await decide(without, exception("X.1.cpu"))).decision).toBe("allow");
  expect((await decide(without, exception("X.1.memory"))).decision).toBe("deny");
});

verifies("004-112", "an exception without owner, expiry or rollback denies", async () => {
  for (const member of ["owner", "expires_at", "rollback", "approver", "reason", "scope"]) {
    const { [member as "owner"]: _, ...incomplete } = exception("W.1");
    const decision = await decide(unclean, incomplete);
    expect(decision.decision, member).toBe("deny");
    expect(decision.errors.join()).toContain(member);
    // Also where it would not have been needed: nobody knows what it was meant to say.
    expect((await decide(startFacts(), incomplete)).decision).toBe("deny");
  }
  const more = { ...exception("W.1"), silent: true };
  expect((await decide(unclean, more)).decision).toBe("deny");
  expect((await decide(unclean, exception("W.1"))).decision).toBe("allow");
});

test("an expired exception counts for nothing from that very moment on, and the reason says so", async () => {
  const ends = Date.parse("2030-01-01T00:00:00Z");
  const until = exception("W.1", { expires_at: "2030-01-01T00:00:00Z" });
  const at = (now: number) => admit(unclean, policies, [until], () => now);
  expect((await at(ends - 1)).decision).toBe("allow");
  const late = await at(ends);
  expect(late.decision).toBe("deny");
  expect(late.reasons[0]?.message).toContain(
    "exception e1 does not count: it expired at 2030-01-01",
  );
  expect((await at(Number.NaN)).decision).toBe("deny");
});

test.each([
  ["whoever asked for it", { requester: "cleo" }, /asked for it and approved it/],
  ["whoever asks for the task", { requester: "otto", approver: "ada" }, /asks for the task/],
  ["whoever owns it", { owner: "cleo" }, /approved it and owns it/],
  ["somebody, for another task", { scope: { tasks: ["t2"], names: [] } }, /not for the task t1/],
])("an exception approved by %s counts for nothing", async (_, changes, why) => {
  const decision = await decide(unclean, exception("W.1", changes));
  expect(decision.decision).toBe("deny");
  expect(decision.reasons[0]?.message).toMatch(why);
});

test("a network, a secret mount and an upload have no exceptions", async () => {
  const secret = mount({ secret: "it lies in /home/ada/.ssh (SSH keys)" });
  const cases = {
    "F.1.network": startFacts({ network: "bridge" }),
    "F.1.network_none": startFacts({
      controls: { ...startFacts().controls, network_none: false },
    }),
    "F.3": startFacts({ argv: ["git", "push"] }),
    "S.1": startFacts({ mounts: [secret] }),
  };
  for (const [rule, facts] of Object.entries(cases)) {
    const scope = { tasks: ["t1"], names: [secret.source] };
    const decision = await decide(facts, exception(rule, { scope }));
    expect(decision, rule).toMatchObject({ decision: "deny", matched: [rule], exceptions: [] });
    expect(decision.reasons[0]?.message).toContain(`rule ${rule} has no exceptions`);
  }
});

test("an exception from a rule that does not exist counts for nothing", async () => {
  expect((await decide(unclean, exception("W.9"))).decision).toBe("deny");
  expect((await decide(startFacts(), exception("W.9"))).decision).toBe("allow");
});

verifies(
  "004-57",
  "a critical vulnerability yields to an exception that names it, and to no other",
  async () => {
    const found = startFacts({ critical_vulnerabilities: ["CVE-2030-0001", "CVE-2030-0002"] });
    const naming = (...names: string[]) =>
      decide(found, exception("I.2", { scope: { tasks: ["t1"], names } }));
    expect((await decide(found)).matched).toEqual(["I.2"]);
    expect((await naming()).reasons[0]?.message).toContain("exceptions for named things only");
    expect((await naming("CVE-2030-0001")).decision).toBe("deny");
    expect((await naming("CVE-2030-0001", "CVE-2030-0002")).decision).toBe("allow");
    const two = ["CVE-2030-0001", "CVE-2030-0002"].map((name, at) =>
      exception("I.2", { id: `e${at}`, scope: { tasks: ["t1"], names: [name] } }),
    );
    expect(await decide(found, ...two)).toMatchObject({ decision: "allow", exceptions: [{}, {}] });
  },
);

verifies(
  "004-53",
  "a remote volume needs an exception that names it, and somebody else's review for secrets",
  async () => {
    const remote = mount({ source: "/mnt/share", remote: true });
    const facts = startFacts({ mounts: [remote] });
    const scope = { tasks: ["t1"], names: ["/mnt/share"] };
    const message = async (changes: object) => {
      const decision = await decide(facts, exception("N.2", { scope, ...changes }));
      return decision.decision === "allow" ? "allow" : decision.reasons[0]?.message;
    };
    expect((await decide(facts)).matched).toEqual(["N.2"]);
    expect(await message({})).toContain("also needs a review for secrets");
    expect(await message({ secret_review: "ada" })).toContain("ada reviewed their own request");
    expect(await message({ secret_review: "otto" })).toBe("allow");
    const elsewhere = { tasks: ["t1"], names: ["/mnt/other"] };
    expect(await message({ secret_review: "otto", scope: elsewhere })).not.toBe("allow");
  },
);

test("leave to mount something remote is no leave to mount it outside the workspace", async () => {
  const facts = startFacts({
    mounts: [mount({ source: "/mnt/share", target: "/mnt/share", remote: true })],
  });
  const scope = { tasks: ["t1"], names: ["/mnt/share"] };
  const decision = await decide(facts, exception("N.2", { scope, secret_review: "otto" }));
  expect(decision).toMatchObject({ decision: "deny", matched: ["F.1.mounts"] });
});

test("an exception for one output file covers no other", async () => {
  const { output, ...facts } = completeFacts();
  const leaking = { ...facts, output: { ...output, secret_files: ["a.pem", "b.pem"] } };
  const naming = (...names: string[]) =>
    decide(leaking, exception("W.2", { scope: { tasks: ["t1"], names } }));
  expect((await naming("a.pem")).decision).toBe("deny");
  expect((await naming("a.pem", "b.pem")).decision).toBe("allow");
});
