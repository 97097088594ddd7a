import { rmSync } from "node:fs";
import { expect } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { EventRequest } from "../../src/schema/index.ts";
import { verifies } from "../verifies.ts";
import { Copy, codesOf } from "../verify/copy.ts";
import {
  auditEnd,
  auditStart,
  by,
  challenge,
  claim,
  evidence,
  finalStatement,
  proposal,
  resolution,
  rework,
  work,
} from "./requests.ts";
import { Stage } from "./stage.ts";

const NEVER_RECORDED = sha256Hex("nobody stored this");

verifies("002-29", "a claim has a text, a confidence and references to evidence", async () => {
  const whole = claim("c1");
  for (const part of ["claim_text", "confidence", "evidence", "execution_ids"]) {
    const { [part as "evidence"]: _, ...body } = whole.body as { evidence: string[] };
    expect([part, EventRequest.safeParse({ ...whole, body }).success]).toEqual([part, false]);
  }
  for (const wrong of [
    { evidence: [] },
    { claim_text: "" },
    { confidence: 101 },
    { confidence: 0.5 },
  ])
    expect(() => claim("c1", wrong)).toThrow();
  const stage = await Stage.at("claiming");
  await stage.accept(whole);
  expect(stage.last("claim_issued").body).toMatchObject({
    claim_text: "The limit works",
    confidence: 90,
    evidence: [sha256Hex("output of e1")],
    execution_ids: ["e1"],
  });
});

verifies(
  "002-30",
  "a claim can be challenged by the critic, and the dispute ends in a later entry only",
  async () => {
    const stage = await Stage.at("claiming");
    await stage.accept(claim("c1"));
    await stage.refuse(challenge("x1", "c9"), "ORDER_GUARD");
    await stage.accept(challenge("x1", "c1"));
    expect(stage.last("claim_challenged").parents).toEqual([
      { seq: stage.last("claim_issued").seq, kind: "challenges" },
    ]);
    await stage.refuse(challenge("x1", "c1"), "IDENTITY_GUARD");
    await stage.refuse(finalStatement("c1"), "FINALIZATION_GUARD");
    await stage.refuse(resolution("x9"), "ORDER_GUARD");
    await stage.refuse(resolution("x1", "revised"), "ORDER_GUARD");
    // The claim's author cannot settle the dispute, by role or by saying so in the claim.
    await stage.refuse(by("eli", "executor", resolution("x1")), "ROLE_GUARD");
    expect(() => claim("c2", { resolved: true })).toThrow();
    await stage.accept(resolution("x1", "withdrawn"), finalStatement("c1"));

    const upheld = await Stage.at("claiming");
    await upheld.accept(
      claim("c1"),
      claim("c2"),
      challenge("x1", "c1"),
      resolution("x1", "upheld"),
    );
    await upheld.refuse(finalStatement("c1", "c2"), "FINALIZATION_GUARD");
    await upheld.accept(finalStatement("c2"));
  },
);

verifies(
  "002-31",
  "planner and executor revise by adding an entry, and the earlier one stays as it is",
  async () => {
    const stage = await Stage.at("claiming");
    await stage.accept(claim("c1"), challenge("x1", "c1"));
    const before = stage.lines();
    await stage.refuse(claim("c1"), "IDENTITY_GUARD");
    await stage.refuse(claim("c2", { revises: "c9" }), "ORDER_GUARD");
    await stage.accept(claim("c2", { revises: "c1", claim_text: "The limit works for one user" }));
    expect(stage.lines().slice(0, before.length)).toEqual(before);
    expect(stage.last("claim_issued").parents).toContainEqual({
      seq: stage.entries().find(({ type }) => type === "claim_issued")?.seq,
      kind: "revises",
    });
    expect(stage.session.claims.get("c1")?.status).toBe("revised");
    await stage.refuse(claim("c3", { revises: "c1" }), "ORDER_GUARD");
    await stage.accept(resolution("x1", "revised"));

    const planning = await Stage.at("reviewing");
    const first = planning.lines();
    await planning.accept(proposal("p2", { revises: "p1" }));
    expect(planning.lines().slice(0, 2)).toEqual(first);
    for (const [agent, role] of [
      ["cleo", "critic"],
      ["otto", "auditor"],
    ] as const)
      await planning.refuse(by(agent, role, proposal("p3", { revises: "p2" })), "ROLE_GUARD");
  },
);

verifies("002-32", "the final statement bundles exactly the claims that stand", async () => {
  const stage = await Stage.at("claiming");
  await stage.accept(claim("c1"), claim("c2"), claim("c3", { revises: "c1" }));
  await stage.refuse(finalStatement("c2"), "FINALIZATION_GUARD"); // c3 left out
  await stage.refuse(finalStatement("c1", "c2", "c3"), "FINALIZATION_GUARD"); // c1 is revised
  await stage.refuse(finalStatement("c2", "c3", "c4"), "FINALIZATION_GUARD"); // c4 is unknown
  await stage.accept(finalStatement("c2", "c3"));
  const { body, parents } = stage.last("final_statement_signed");
  expect(body.consolidated_claim_ids).toEqual(["c2", "c3"]);
  const seqs = stage.entries().filter(({ type }) => type === "claim_issued");
  expect(parents).toEqual([
    { seq: seqs[1]?.seq, kind: "consolidates" },
    { seq: seqs[2]?.seq, kind: "consolidates" },
  ]);
});

verifies(
  "002-40",
  "a claim on evidence that is missing is recorded, and the audit then fails as expected",
  async () => {
    const stage = await Stage.at("claiming");
    await stage.accept(claim("c1", { evidence: [NEVER_RECORDED] }), auditStart("v1"));
    expect(stage.state).toBe("auditing");
    for (const status of ["pass", "pass-with-warnings"])
      await stage.refuse(auditEnd("v1", status), "FINALIZATION_GUARD");
    await stage.accept(auditEnd("v1", "fail"));
    expect(codesOf(await stage.verify())).toEqual(["CLAIM_UNPROVEN"]);
    // The way back: a round of rework, and a claim that rests on something.
    await stage.accept(rework(1), ...work(2));
    await stage.accept(claim("c2", { evidence: ["out-e2"], execution_ids: ["e2"], revises: "c1" }));
    await stage.accept(finalStatement("c2"), auditStart("v2"), auditEnd("v2"));
    expect(await stage.verify()).toMatchObject({ status: "pass", state: "completed" });
  },
);

verifies(
  "002-40",
  "an artifact lost from the store does not stop a claim, but the audit",
  async () => {
    const stage = await Stage.at("claiming");
    rmSync(stage.place.artifacts.pathOf(sha256Hex("output of e1")));
    await stage.accept(claim("c1"), finalStatement("c1"), auditStart("v1"));
    await stage.refuse(auditEnd("v1", "pass"), "FINALIZATION_GUARD");
    await stage.accept(auditEnd("v1", "fail"));
    expect(codesOf(await stage.verify())).toEqual(["ARTIFACT_MISSING", "CLAIM_UNPROVEN"]);
  },
);

verifies(
  "002-47",
  "a claim names as many different pieces of evidence as the profile asks",
  async () => {
    const solo = await Stage.at("claiming");
    await solo.refuse(claim("c1", { evidence: ["no-such-name"] }), "EVIDENCE_GUARD");
    await solo.accept(claim("c1", { evidence: ["out-e1"] }));

    const strict = await Stage.at("claiming", { policy: { evidence_min: 2 } });
    await strict.refuse(claim("c1", { evidence: ["out-e1"] }), "EVIDENCE_GUARD");
    await strict.refuse(claim("c1", { evidence: ["out-e1", "out-e1"] }), "EVIDENCE_GUARD");
    await strict.accept(claim("c1", { evidence: ["out-e1", "in-i1"] }));
    const copy = new Copy(strict);
    const body = { ...strict.last("claim_issued").body, claim_id: "c2" };
    const thin = { ...body, evidence: body.evidence.slice(1) };
    await copy.forge({ agent: "eli", role: "executor", type: "claim_issued", body: thin });
    expect(codesOf(await (await copy.sign()).verify())).toEqual(["CLAIM_UNPROVEN"]);
  },
);

verifies(
  "002-48",
  "the final statement is refused while evidence, disputes or conditions are open",
  async () => {
    const stage = await Stage.at("claiming", { profile: "team" });
    await stage.accept(claim("c1", { evidence: ["out-e1", NEVER_RECORDED] }));
    await stage.refuse(finalStatement("c1"), "FINALIZATION_GUARD"); // team: all must resolve
    await stage.accept(claim("c2", { revises: "c1" }), challenge("x1", "c2"));
    await stage.refuse(finalStatement("c2"), "FINALIZATION_GUARD");
    await stage.accept(resolution("x1"), finalStatement("c2"));
    expect(stage.state).toBe("auditing");

    const late = await Stage.at("claiming");
    await late.accept(claim("c1", { evidence: [sha256Hex("content of late")] }), evidence("late"));
    await late.refuse(finalStatement("c1"), "FINALIZATION_GUARD"); // recorded after the claim
    expect(codesOf(await late.verify())).toEqual(["CLAIM_UNPROVEN", "EVIDENCE_LATE"]);

    const forged = new Copy(late);
    const body = { consolidated_claim_ids: ["c1"], final_verdict_text: "Done" };
    await forged.forge({ agent: "eli", role: "executor", type: "final_statement_signed", body });
    expect(codesOf(await (await forged.sign()).verify())).toContain("FINALIZATION_VIOLATION");
  },
);

verifies(
  "002-49",
  "a claim's name leads to one entry, and that entry to the one key that signed it",
  async () => {
    const stage = await Stage.at("claiming");
    await stage.accept(claim("c1"), claim("c2"));
    await stage.refuse(claim("c1"), "IDENTITY_GUARD");
    for (const [id, { seq, author }] of stage.session.claims) {
      const makers = stage
        .entries()
        .filter((one) => one.type === "claim_issued" && one.body.claim_id === id);
      expect(makers.map((one) => one.seq)).toEqual([seq]);
      const key = makers[0]?.actor.key ?? "";
      expect(stage.session.keys.get(key)).toMatchObject({ agent: author, status: "active" });
    }
    // Neither a second entry of that name nor another agent's key is believed.
    const twin = new Copy(stage);
    const { body, seq, actor } = stage.last("claim_issued");
    await twin.forge({ agent: "eli", role: "executor", type: "claim_issued", body });
    expect(codesOf(await (await twin.sign()).verify())).toEqual(["ORDER_VIOLATION"]);
    const stolen = new Copy(stage);
    const other = stage.session.agents.get("cleo")?.key ?? "";
    stolen.edit(seq, actor.key, other);
    expect(codesOf(await (await stolen.sign()).verify())).toContain("SIG_INVALID");
  },
);
