import { ed25519 } from "@noble/curves/ed25519.js";
import { expect, test } from "vitest";
import { Recorder } from "../../src/flow/record/recorder.ts";
import type { Entry, EventRequest, Role } from "../../src/schema/index.ts";
import { VerificationReport } from "../../src/schema/index.ts";
import { AGENTS, opening, temporaryPlace } from "../fake/sandbox.ts";
import { verifies } from "../verifies.ts";
import {
  auditEnd,
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
  rework,
  started,
} from "./requests.ts";
import { Stage } from "./stage.ts";

/** Checks an entry's signature with another implementation, against the key its agent enrolled. */
function isSigned(stage: Stage, { seq, actor, sig }: Entry): boolean {
  const line = stage.lines()[seq] ?? "";
  const [first] = stage.entries();
  if (first?.type !== "session_initialized") return false;
  const agent = first.body.agents.find((one) => one.agent === actor.agent);
  const bytes = Buffer.from(line.replace(`,"sig":"${sig}"`, ""));
  return (
    agent?.key === actor.key &&
    ed25519.verify(Buffer.from(sig, "base64"), bytes, Buffer.from(agent.public, "base64"))
  );
}

verifies(
  "002-1",
  "a trace does not begin without a planner, an executor, a critic and an auditor",
  async () => {
    for (const role of ["planner", "executor", "critic", "auditor"]) {
      const place = temporaryPlace();
      const agents = AGENTS.filter(({ roles }) => !roles.includes(role));
      const request = opening({ agents });
      const { refusal } = await Recorder.start(place).record([request], { artifactRoots: [] });
      expect(refusal).toMatchObject({
        rule: "ROLE_GUARD",
        reason: expect.stringContaining(`no agent is registered as ${role}`),
      });
      expect(place.traces()).toEqual([]);
    }
    const stage = await Stage.at("completed");
    expect(stage.last("verification_run_completed").actor).toMatchObject({ role: "auditor" });
  },
);

verifies("002-2", "proposals are the planner's, each signed with the planner's key", async () => {
  const stage = await Stage.at("planning");
  for (const [agent, role] of [
    ["eli", "executor"],
    ["cleo", "critic"],
    ["otto", "auditor"],
    ["mara", "operator"],
    ["sworn", "runtime"],
  ] as const) {
    await stage.refuse(by(agent, role, proposal("p1")), "ROLE_GUARD");
  }
  await stage.accept(proposal("p1"), proposal("p2"));
  const proposals = stage.entries().filter(({ type }) => type === "proposal_created");
  expect(proposals).toHaveLength(2);
  for (const entry of proposals) {
    expect(entry.actor).toMatchObject({ agent: "ada", role: "planner" });
    expect(isSigned(stage, entry)).toBe(true);
  }
});

verifies(
  "002-3",
  "the executor signs its intents, stores what ran, and its claims fall with their evidence",
  async () => {
    const stage = await Stage.at("claiming");
    await stage.accept(evidence("log", { execution_id: "e1" }), claim("c1", { evidence: ["log"] }));
    const signed = stage.last("tool_intent_signed");
    expect(signed.actor).toMatchObject({ agent: "eli", role: "executor" });
    expect(isSigned(stage, signed)).toBe(true);
    const [output] = stage.last("tool_execution_completed").artifacts;
    const stored = Buffer.concat([...stage.place.artifacts.read(output?.hash ?? "")]);
    expect(stored.toString()).toBe("output of e1");
    const made = stage.last("claim_issued");
    expect(made.body.evidence).toEqual([stage.last("artifact_recorded").artifacts[0]?.hash]);
    expect((await stage.verify()).failures).toEqual([]);
    const { rmSync } = await import("node:fs");
    rmSync(stage.place.artifacts.pathOf(made.body.evidence[0] ?? ""));
    expect((await stage.verify()).failures.map(({ code }) => code).sort()).toEqual([
      "ARTIFACT_MISSING",
      "CLAIM_UNPROVEN",
    ]);
  },
);

verifies(
  "002-4",
  "the critic judges proposals and intents, may stop an intent and may challenge a claim",
  async () => {
    const stage = await Stage.at("executing");
    expect(stage.last("proposal_reviewed").actor.role).toBe("critic");
    await stage.accept(intent("i1", { risk_class: "high" }), judgement("i1", "blocked"));
    await stage.refuse(started("e1", "i1"), "ACTION_GUARD");
    await stage.accept(intent("i2"), started("e2", "i2"), completed("e2"));
    const about = { execution_ids: ["e2"], evidence: ["out-e2"] };
    await stage.accept(claim("c1", about), challenge("x1", "c1"));
    expect(stage.session.challenges.get("x1")).toMatchObject({ claim: "c1", open: true });
    for (const type of ["proposal_reviewed", "intent_reviewed", "claim_challenged"] as const)
      expect(isSigned(stage, stage.last(type))).toBe(true);
  },
);

verifies(
  "002-5",
  "the auditor alone opens a verification and signs its summary, which points to a report",
  async () => {
    const stage = await Stage.at("auditing");
    for (const [agent, role] of [
      ["ada", "planner"],
      ["eli", "executor"],
      ["cleo", "critic"],
      ["mara", "operator"],
      ["sworn", "runtime"],
    ] as const) {
      await stage.refuse(by(agent, role, auditStart("v1")), "ROLE_GUARD");
    }
    await stage.accept(auditStart("v1"));
    await stage.refuse(by("cleo", "critic", auditEnd("v1")), "ROLE_GUARD");
    await stage.accept(auditEnd("v1"));
    const { body, ...entry } = stage.last("verification_run_completed");
    expect(isSigned(stage, { ...entry, body } as Entry)).toBe(true);
    const bytes = Buffer.concat([...stage.place.artifacts.read(body.report)]);
    const report = VerificationReport.parse(JSON.parse(bytes.toString()));
    expect(report).toMatchObject({ status: "pass", trace: stage.id, entries: body.size });
  },
);

/** What each role may ask for in its own work; nobody else may. */
const OWN: Record<"planner" | "executor" | "critic" | "auditor", EventRequest[]> = {
  planner: [proposal("p9", { revises: "p2" })],
  executor: [
    intent("i9"),
    started("e9", "i8"),
    completed("e8"),
    failed("e8"),
    evidence("n"),
    claim("c9"),
  ],
  critic: [review("p3"), judgement("i8", "approved"), challenge("x9", "c1"), resolution("x1")],
  auditor: [auditStart("v1"), auditEnd("v1")],
};
const HOLDERS: [string, Role][] = [
  ["ada", "planner"],
  ["eli", "executor"],
  ["cleo", "critic"],
  ["otto", "auditor"],
  ["mara", "operator"],
  ["sworn", "runtime"],
];

verifies("002-45", "no role may make the entries of another", async () => {
  const stage = await Stage.at("claiming");
  await stage.accept(claim("c1"));
  for (const [owner, requests] of Object.entries(OWN)) {
    for (const [agent, role] of HOLDERS.filter(([, one]) => one !== owner)) {
      for (const request of requests) await stage.refuse(by(agent, role, request), "ROLE_GUARD");
    }
  }
  for (const [agent, role] of HOLDERS.filter(([, one]) => !["auditor", "operator"].includes(one)))
    await stage.refuse(by(agent, role, rework(1)), "ROLE_GUARD");
  for (const [agent, role] of HOLDERS.filter(([, one]) => !["executor", "planner"].includes(one)))
    await stage.refuse(by(agent, role, finalStatement("c1")), "ROLE_GUARD");
  // A role is held, not picked: the executor does not become a critic by saying so.
  await stage.refuse(by("eli", "critic", challenge("x1", "c1")), "ROLE_GUARD");
  await stage.refuse(by("zoe", "critic", challenge("x1", "c1")), "ROLE_GUARD");
  await stage.accept(by("ada", "planner", finalStatement("c1")));
});

test("an executor goes on with its own work, not with another's", async () => {
  const agents = [...AGENTS, { agent: "zoe", roles: ["executor"] }];
  const stage = await Stage.at("executing", { agents });
  const asZoe = (request: EventRequest) => by("zoe", "executor", request);
  await stage.accept(intent("i1"));
  await stage.refuse(asZoe(started("e1", "i1")), "ROLE_GUARD");
  await stage.accept(started("e1", "i1"));
  await stage.refuse(asZoe(completed("e1")), "ROLE_GUARD");
  await stage.refuse(asZoe(failed("e1")), "ROLE_GUARD");
  await stage.accept(completed("e1"), claim("c1"));
  await stage.refuse(asZoe(claim("c2", { revises: "c1" })), "ROLE_GUARD");
  await stage.accept(asZoe(claim("c2")));
});

test("who holds two roles may not judge its own work with the second", async () => {
  const agents = AGENTS.map(({ agent, roles }) => ({
    agent,
    roles: agent === "eli" ? ["executor", "critic"] : roles,
  }));
  const stage = await Stage.at("executing", { agents });
  const asCritic = (request: EventRequest) => by("eli", "critic", request);
  await stage.accept(intent("i1", { risk_class: "high" }));
  await stage.refuse(asCritic(judgement("i1", "approved")), "INDEPENDENCE_GUARD");
  await stage.accept(judgement("i1", "approved"), started("e1", "i1"), completed("e1"));
  await stage.accept(claim("c1"));
  await stage.refuse(asCritic(challenge("x1", "c1")), "INDEPENDENCE_GUARD");
  await stage.accept(challenge("x1", "c1"));
  await stage.refuse(asCritic(resolution("x1")), "INDEPENDENCE_GUARD");
  await stage.accept(resolution("x1"));
});
