import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { BODIES, EventRequest } from "../../src/schema/index.ts";
import { AGENTS, request } from "../fake/sandbox.ts";
import {
  auditStart,
  by,
  challenge,
  claim,
  completed,
  evidence,
  failed,
  finalStatement,
  intent,
  judgement,
  proposal,
  resolution,
  review,
  started,
  UNIT,
  work,
} from "./requests.ts";
import { Stage } from "./stage.ts";

/** The usual agents, some of them with further roles, and Zoe, who may do everything that agents do. */
const withRoles = (more: Readonly<Record<string, string[]>> = {}) => ({
  agents: [
    ...AGENTS.map(({ agent, roles }) => ({ agent, roles: [...roles, ...(more[agent] ?? [])] })),
    { agent: "zoe", roles: ["planner", "executor", "critic", "auditor"] },
  ],
});
/** The work of i1 under another name. */
const same = { normalized_input_hash: "in-i1" };

test("what the critic blocked does not run under a new name before it is approved", async () => {
  const stage = await Stage.at("executing");
  await stage.accept(intent("i1"), judgement("i1", "blocked"), intent("i2", same));
  await stage.refuse(started("e2", "i2"), "ACTION_GUARD");
  await stage.accept(intent("i3"), started("e3", "i3"));
  await stage.accept(judgement("i2", "approved"), started("e2", "i2"));
  expect((await stage.verify()).failures).toEqual([]);
});

test("an author does not get to review its proposal by way of somebody's revision", async () => {
  const stage = await Stage.at("reviewing", withRoles({ ada: ["critic"] }));
  await stage.accept(by("zoe", "planner", proposal("p2", { revises: "p1" })));
  await stage.refuse(by("ada", "critic", review("p2")), "INDEPENDENCE_GUARD");
  await stage.accept(review("p2"), intent("i1", { proposal_id: "p2" }), started("e1", "i1"));
  await stage.accept(failed("e1", "fallback"), proposal("p3", { fallback_for: "e1" }));
  await stage.refuse(by("zoe", "critic", review("p3")), "INDEPENDENCE_GUARD");
  await stage.accept(review("p3"));
});

test("an author does not get to review its intent by way of somebody's retry", async () => {
  const stage = await Stage.at("executing", withRoles({ eli: ["critic"] }));
  await stage.accept(intent("i1"), judgement("i1", "blocked"));
  await stage.accept(by("zoe", "executor", intent("i2", { retry_of: "i1" })));
  await stage.refuse(by("eli", "critic", judgement("i2", "approved")), "INDEPENDENCE_GUARD");
  await stage.accept(judgement("i2", "approved"));
});

test("who records evidence, concludes, or outside solo settles a challenge, may not audit", async () => {
  const byZoe = by("zoe", "auditor", auditStart("v1"));
  const recorded = await Stage.at("claiming", withRoles());
  await recorded.accept(claim("c1"), by("zoe", "executor", evidence("note")));
  await recorded.refuse(byZoe, "INDEPENDENCE_GUARD");
  const concluded = await Stage.at("claiming", withRoles());
  await concluded.accept(claim("c1"), by("zoe", "planner", finalStatement("c1")));
  await concluded.refuse(byZoe, "INDEPENDENCE_GUARD");
  const settled = await Stage.at("claiming", { ...withRoles(), profile: "team" });
  await settled.accept(claim("c1"), challenge("x1", "c1"));
  await settled.accept(by("zoe", "critic", resolution("x1", "upheld")));
  await settled.refuse(byZoe, "INDEPENDENCE_GUARD");
  await settled.accept(auditStart("v1"));
});

test("a challenge is withdrawn by nobody but its maker", async () => {
  const stage = await Stage.at("claiming", withRoles());
  await stage.accept(claim("c1"), challenge("x1", "c1"));
  await stage.refuse(by("zoe", "critic", resolution("x1", "withdrawn")), "ROLE_GUARD");
  await stage.accept(resolution("x1", "withdrawn"));
});

test("in strict, origins are executions that the claim names and that gave the evidence", async () => {
  const stage = await Stage.at("executing", { profile: "strict" });
  const begin = { ...started("e2", "i2"), artifacts: [{ name: "begun", text: "not run yet" }] };
  await stage.accept(intent("i1"), judgement("i1", "approved"), started("e1", "i1"));
  await stage.accept(intent("i2"), judgement("i2", "approved"), begin);
  await stage.accept(completed("e1"), completed("e2"), evidence("log", { execution_id: "e2" }));
  const both = ["e1", "e2"];
  const shams = [
    { evidence: ["out-e1", "log"], execution_ids: both },
    { evidence: ["out-e1", "begun"], execution_ids: both },
    { evidence: ["out-e1", "out-e2"], execution_ids: ["e1"] },
  ];
  for (const [number, sham] of shams.entries()) {
    const revises = number === 0 ? {} : { revises: `c${number - 1}` };
    await stage.accept(claim(`c${number}`, { ...sham, ...revises }));
    await stage.refuse(finalStatement(`c${number}`), "FINALIZATION_GUARD");
    expect((await stage.verify()).failures).toMatchObject([{ code: "CLAIM_UNPROVEN" }]);
  }
  const sound = { evidence: ["out-e1", "out-e2", "log"], execution_ids: both, revises: "c2" };
  await stage.accept(claim("c3", sound), finalStatement("c3"));
  expect((await stage.verify()).failures).toEqual([]);
});

test("a struck claim is not made again on the same evidence", async () => {
  const stage = await Stage.at("claiming");
  const cited = { evidence: ["out-e1", "in-i1"] };
  await stage.accept(claim("c1", cited), challenge("x1", "c1"), resolution("x1", "upheld"));
  await stage.refuse(claim("c2", cited), "EVIDENCE_GUARD");
  await stage.refuse(claim("c2"), "EVIDENCE_GUARD");
  await stage.accept(...work(2));
  await stage.accept(claim("c2", { evidence: ["out-e1", "out-e2"], execution_ids: ["e2"] }));
});

test("leaving out retry_of wins no further attempt, and success forgets the failures", async () => {
  const stage = await Stage.at("executing", { policy: { attempts_max: 2 } });
  await stage.accept(intent("i0"), started("e0", "i0"));
  await stage.accept(intent("i1"), started("e1", "i1"), failed("e1"));
  await stage.accept(intent("i2", same), started("e2", "i2"), completed("e2"));
  await stage.accept(intent("i3", same), started("e3", "i3"), failed("e3"));
  await stage.accept(intent("i4", same), intent("i5", same), started("e4", "i4"));
  await stage.refuse(started("e5", "i5"), "LIMIT_GUARD");
  await stage.refuse(failed("e4", "retry"), "LIMIT_GUARD");
  await stage.accept(failed("e4"));
  await stage.refuse(started("e5", "i5"), "LIMIT_GUARD");
  await stage.refuse(intent("i6", same), "LIMIT_GUARD");
  await stage.refuse(intent("i6", { ...same, retry_of: "i4" }), "LIMIT_GUARD");
  // What can no longer start is cleared away by the critic.
  await stage.accept(judgement("i5", "blocked"), completed("e0"));
  expect(stage.state).toBe("claiming");
});

test("another spelling of a tool has the same risk", async () => {
  const units = [{ ...UNIT, required_tools: ["deploy", "DEPLOY "] }];
  const stage = await Stage.at("planning", { policy: { tool_risk: { " Deploy": "high" } } });
  await stage.accept(proposal("p1", { units }), review("p1"));
  for (const [id, tool_name] of [
    ["i1", "deploy"],
    ["i2", "DEPLOY "],
  ] as const) {
    await stage.accept(intent(id, { tool_name }));
    await stage.refuse(started("e1", id), "ACTION_GUARD");
  }
});

test.each([
  ["deploy", true],
  ["npm run a~b", true],
  ["x".repeat(256), true],
  ["x".repeat(257), false],
  ["", false],
  ["depl\u043ey", false], // a Cyrillic letter
  ["de\u200bploy", false], // a space of no width
  ["deploy\n", false],
  ["de\u007fploy", false],
])("the tool name %j is well formed: %s", (name, isGood) => {
  const signed = { ...intent("i1").body, tool_name: name };
  const units = [{ ...UNIT, required_tools: [name] }];
  const asked = [
    { ...intent("i1"), body: signed },
    { ...proposal("p1"), body: { proposal_id: "p1", units } },
    {
      actor: { agent: "ada", role: "planner" },
      type: "session_initialized",
      body: {
        task: "t1",
        objective: "o",
        agents: AGENTS,
        policy: { tool_risk: { [name]: "low" } },
      },
    },
  ];
  for (const one of asked) expect(EventRequest.safeParse(one).success).toBe(isGood);
  const entry = { ...signed, normalized_input_hash: sha256Hex("input") };
  expect(BODIES.tool_intent_signed.safeParse(entry).success).toBe(isGood);
  expect(BODIES.proposal_created.safeParse({ proposal_id: "p1", units }).success).toBe(isGood);
});

test("an agent cannot take back what it signed by calling its own key stolen", async () => {
  const stage = await Stage.at("executing");
  const revoke = (agent: string, role: string, more: object) =>
    request(agent, role, "key_revoked", { agent: "eli", reason: "stolen", ...more });
  await stage.refuse(revoke("eli", "executor", { compromised_from: 0 }), "ROLE_GUARD");
  await stage.accept(revoke("eli", "executor", {}));
});
