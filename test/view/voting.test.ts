import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { type Event, linksOf, verdictOf } from "../../src/view/index.ts";
import { verifies } from "../verifies.ts";
import { ballot, completion, move, worldIn } from "./way.ts";
import { freshKey, type World } from "./world.ts";

type Voter = "critic" | "auditor" | "operator";

/** A session with a completion k1 by eli, in which nobody has voted. */
function proposed(more: object = {}): World {
  const world = worldIn("claiming");
  const texts = ["document"];
  world.take("completion_proposed", completion("k1", more), { role: "executor", texts });
  return world;
}

const propose = (world: World, id: string, more: object) =>
  world.take("completion_proposed", completion(id, more), {
    role: "executor",
    texts: ["document", "words"],
  });
const vote = (world: World, role: Voter, colour: string, id = "k1", more: object = {}) =>
  world.take("vote_cast", ballot(id, colour, more), { role });
const asked = (world: World, role: Voter, colour: string, more: object = {}) =>
  world.ask("vote_cast", ballot("k1", colour, more), { role })?.rule;
const agreed = (world: World, more: object = {}, role: "runtime" | "operator" = "runtime") =>
  world.ask("review_moved", move("k1", "consensus", more), { role })?.rule;
const decide = (world: World, id: string, role: Voter | "executor" = "operator") =>
  world.take(
    "decision_recorded",
    { decision_id: id, context: "c", options: ["o"], choice: "o" },
    { role },
  );

/** The votes of critic, auditor and operator, as letters. */
function voted(letters: string): World {
  const world = proposed();
  const colours: Record<string, string> = { G: "green", Y: "yellow", R: "red" };
  for (const [index, role] of (["critic", "auditor", "operator"] as const).entries()) {
    const colour = colours[letters[index] ?? ""];
    if (colour) vote(world, role, colour);
  }
  return world;
}

verifies(["004-93", "004-94"], "three votes pass by the table, written out", () => {
  const table: Record<string, string | undefined> = {
    GGG: undefined,
    GGY: undefined,
    GYY: "FINALIZATION_GUARD",
    YYY: "FINALIZATION_GUARD",
    GGR: "FINALIZATION_GUARD",
    RRR: "FINALIZATION_GUARD",
    GG: "FINALIZATION_GUARD",
    G: "FINALIZATION_GUARD",
  };
  for (const [letters, rule] of Object.entries(table)) {
    expect(agreed(voted(letters)), letters).toBe(rule);
  }
  const decided = voted("GYY");
  decide(decided, "d1");
  expect(agreed(decided, { decision_id: "d1" })).toBeUndefined();
  const yellow = voted("YYY");
  decide(yellow, "d1");
  expect(agreed(yellow, { decision_id: "d1" })).toBe("FINALIZATION_GUARD");
});

test("of more than three votes, the greens decide as they do among three", () => {
  const counts = { green: 2, yellow: 9, red: 0 };
  expect(verdictOf(counts)).toBe("pass");
  expect(verdictOf({ ...counts, green: 1 })).toBe("pass-with-decision");
  expect(verdictOf({ ...counts, green: 0 })).toBe("no");
  expect(verdictOf({ ...counts, green: 9, red: 1 })).toBe("blocked");
});

verifies("004-93", "three reviewers of one side are no quorum", () => {
  const world = proposed();
  world.take(
    "agent_enrolled",
    { agent: "nia", roles: ["critic"], ...freshKey() },
    {
      role: "runtime",
    },
  );
  vote(world, "critic", "green");
  vote(world, "operator", "green");
  world.take("vote_cast", ballot("k1", "green"), { role: "critic", agent: "nia" });
  expect(agreed(world)).toBe("FINALIZATION_GUARD");
  vote(world, "auditor", "green");
  expect(agreed(world)).toBeUndefined();
});

verifies("004-104", "nobody votes on what they made, proposed or handed on", () => {
  const world = proposed({ authors: [{ agent: "otto" }] });
  expect(asked(world, "auditor", "green")).toBe("INDEPENDENCE_GUARD");
  for (const agent of ["eli", "ada"]) {
    world.session.agents.set(agent, {
      roles: ["critic", "executor"],
      key: world.session.agents.get(agent)?.key,
    });
    const self = world.ask("vote_cast", ballot("k1", "green"), { role: "critic", agent });
    expect(self?.rule).toBe("INDEPENDENCE_GUARD");
  }
  propose(world, "k2", { revises: "k1", subject: sha256Hex("other") });
  const later = world.ask("vote_cast", ballot("k2", "green"), { role: "auditor" });
  expect(later?.rule).toBe("INDEPENDENCE_GUARD");
});

test("a vote counts no more when its voter took part later", () => {
  const world = voted("GGG");
  world.session.authors.add("cleo");
  expect(agreed(world)).toBe("FINALIZATION_GUARD");
});

verifies(
  "004-105",
  "a yellow vote has mitigations, a red one a way to fix it, and all have anchors",
  () => {
    const world = proposed();
    expect(asked(world, "critic", "yellow", { mitigations: undefined })).toBe("EVIDENCE_GUARD");
    expect(asked(world, "critic", "red", { fix: undefined })).toBe("EVIDENCE_GUARD");
    expect(asked(world, "critic", "yellow")).toBeUndefined();
    expect(asked(world, "critic", "red")).toBeUndefined();
  },
);

test("a second vote on a digest replaces the first one, and says so", () => {
  const world = proposed();
  expect(asked(world, "critic", "green", { replaces: true })).toBe("ORDER_GUARD");
  vote(world, "critic", "yellow");
  expect(asked(world, "critic", "green")).toBe("IDENTITY_GUARD");
  const again = ballot("k1", "green", { replaces: true });
  const event = world.toEvent("vote_cast", again, { role: "critic" }) as Event<"vote_cast">;
  const { seq = 0 } = world.session.completions.get("k1")?.votes.get("cleo") ?? {};
  expect(linksOf(world.session, event)).toContainEqual({ seq, kind: "supersedes" });
  world.take("vote_cast", again, { role: "critic" });
  expect(world.session.completions.get("k1")?.votes.size).toBe(1);
  expect(world.session.completions.get("k1")?.votes.get("cleo")?.vote).toBe("green");
});

verifies("004-108", "a changed proposal has no votes, and old ones cannot be cast any more", () => {
  const world = voted("GGG");
  expect(asked(world, "critic", "green", { digest: sha256Hex("words"), replaces: true })).toBe(
    "ORDER_GUARD",
  );
  propose(world, "k2", { revises: "k1", digest: sha256Hex("words") });
  expect(agreed(world)).toBe("ORDER_GUARD");
  expect(asked(world, "critic", "green", { replaces: true })).toBe("ORDER_GUARD");
  const next = move("k2", "consensus", { digest: sha256Hex("words") });
  expect(world.ask("review_moved", next, { role: "runtime" })?.rule).toBe("FINALIZATION_GUARD");
});

verifies(
  "004-95",
  "a red vote stands whatever the proposal is called, until its voter votes otherwise",
  () => {
    const world = voted("GGR");
    const done = { consolidated_claim_ids: ["c1"], final_verdict_text: "t" };
    const conclude = () => world.ask("final_statement_signed", done, { role: "executor" })?.rule;
    expect(conclude()).toBe("FINALIZATION_GUARD");
    propose(world, "k2", { revises: "k1", digest: sha256Hex("words") });
    expect(conclude()).toBe("FINALIZATION_GUARD");
    const digest = sha256Hex("words");
    for (const role of ["critic", "auditor"] as const) vote(world, role, "green", "k2", { digest });
    const nia = { agent: "nia", roles: ["critic"], ...freshKey() };
    world.take("agent_enrolled", nia, { role: "runtime" });
    world.take("vote_cast", ballot("k2", "green", { digest }), { role: "critic", agent: "nia" });
    // Three are green on these words, and the red vote on the same bytes still stands.
    const agree = () =>
      world.ask("review_moved", move("k2", "consensus", { digest }), { role: "runtime" })?.rule;
    expect(agree()).toBe("FINALIZATION_GUARD");
    world.take("vote_cast", ballot("k2", "green", { digest }), { role: "operator" });
    expect(agree()).toBeUndefined();
    expect(conclude()).toBeUndefined();
  },
);

test("an audit cannot pass while a red vote stands", () => {
  const world = worldIn("auditing");
  propose(world, "k1", {});
  vote(world, "critic", "red");
  world.take("verification_run_started", { verification_id: "v1" }, { role: "auditor" });
  const end = (status: string) =>
    world.ask(
      "verification_run_completed",
      {
        verification_id: "v1",
        status,
        report: sha256Hex("report"),
        size: world.session.size,
        head: "0".repeat(64),
      },
      { role: "auditor", texts: ["report"] },
    )?.rule;
  expect(end("pass")).toBe("FINALIZATION_GUARD");
  expect(end("fail")).toBeUndefined();
});

verifies("004-96", "reviewers vote again once; then the disagreement is on record", () => {
  const world = voted("YYY");
  const to = (where: string, more: object = {}) =>
    world.ask("review_moved", move("k1", where, more), { role: "planner" })?.rule;
  decide(world, "d1");
  expect(to("disagreement", { decision_id: "d1" })).toBe("ORDER_GUARD");
  world.take("review_moved", move("k1", "converge"), { role: "planner" });
  expect(to("converge")).toBe("LIMIT_GUARD");
  expect(to("disagreement")).toBe("ORDER_GUARD");
  expect(to("disagreement", { decision_id: "d1" })).toBeUndefined();
});

verifies("004-109", "doubts that stay are borne by the operator alone, on a decision", () => {
  const world = voted("YYY");
  decide(world, "d1");
  expect(agreed(world, { decision_id: "d1" }, "operator")).toBe("FINALIZATION_GUARD");
  world.take("review_moved", move("k1", "converge"), { role: "planner" });
  expect(agreed(world, { decision_id: "d1" }, "runtime")).toBe("FINALIZATION_GUARD");
  expect(agreed(world, {}, "operator")).toBe("FINALIZATION_GUARD");
  expect(agreed(world, { decision_id: "d1" }, "operator")).toBeUndefined();
});

verifies(
  "004-110",
  "in place of an absent owner two decide: both green, both sides, on record",
  () => {
    const world = proposed();
    decide(world, "d1");
    vote(world, "critic", "green");
    expect(agreed(world, { by_duo: true, decision_id: "d1" })).toBe("FINALIZATION_GUARD");
    vote(world, "auditor", "green");
    expect(agreed(world, { decision_id: "d1" })).toBe("FINALIZATION_GUARD");
    expect(agreed(world, { by_duo: true })).toBe("FINALIZATION_GUARD");
    expect(agreed(world, { by_duo: true, decision_id: "d1" })).toBeUndefined();
  },
);

test("a decision on which work passes is not its author's", () => {
  const world = voted("GYY");
  decide(world, "d1", "executor");
  expect(agreed(world, { decision_id: "d1" })).toBe("INDEPENDENCE_GUARD");
  const deferred = [{ item: "docs", decision_id: "d1" }];
  const body = completion("k2", { deferred });
  const asking = { role: "executor", texts: ["document"] } as const;
  expect(world.ask("completion_proposed", body, asking)?.rule).toBe("INDEPENDENCE_GUARD");
});

verifies("004-90", "a review goes from draft to its end and skips nothing", () => {
  const world = proposed({ undone: ["tests"] });
  expect(asked(world, "critic", "green")).toBe("ORDER_GUARD");
  propose(world, "k2", { revises: "k1" });
  const phase = () => world.session.completions.get("k2")?.phase;
  expect(phase()).toBe("REVIEW");
  for (const role of ["critic", "auditor", "operator"] as const) vote(world, role, "green", "k2");
  const to = (where: string) =>
    world.ask("review_moved", move("k2", where), { role: "runtime" })?.rule;
  expect([to("submitted"), to("merged")]).toEqual(["ORDER_GUARD", "ORDER_GUARD"]);
  for (const where of ["consensus", "submitted", "merged"]) {
    world.take("review_moved", move("k2", where), { role: "runtime" });
    expect(phase()).toBe(where.toUpperCase());
  }
  expect(to("rejected")).toBe("ORDER_GUARD");
});
