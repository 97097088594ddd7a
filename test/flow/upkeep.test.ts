import { expect, test } from "vitest";
import { request } from "../fake/sandbox.ts";
import { Stage } from "./stage.ts";

const question = (id: string) =>
  request("eli", "executor", "question_asked", {
    question_id: id,
    text: "Which?",
    default: "this",
  });
const answer = (id: string) =>
  request("mara", "operator", "question_answered", { question_id: id, answer: "That." });
const decision = (id: string) =>
  request("ada", "planner", "decision_recorded", {
    decision_id: id,
    context: "Where to count",
    options: ["here", "there"],
    choice: "here",
  });
const exception = (id: string, more: object = {}) =>
  request("mara", "operator", "exception_recorded", {
    exception_id: id,
    rule: "no network",
    reason: "a package is missing",
    requester: "eli",
    owner: "mara",
    expires_at: "2030-01-01T00:00:00.000Z",
    rollback: "remove it again",
    ...more,
  });

test("a question is asked once and answered once", async () => {
  const stage = await Stage.at("planning");
  await stage.refuse(answer("q1"), "ORDER_GUARD");
  await stage.accept(question("q1"));
  await stage.refuse(question("q1"), "IDENTITY_GUARD");
  await stage.accept(answer("q1"));
  expect(stage.last("question_answered").parents).toEqual([{ seq: 1, kind: "answers" }]);
  await stage.refuse(answer("q1"), "ORDER_GUARD");
});

test("decisions and exceptions have names of their own", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(decision("d1"), exception("x1"));
  await stage.refuse(decision("d1"), "IDENTITY_GUARD");
  await stage.refuse(exception("x1"), "IDENTITY_GUARD");
  await stage.refuse(exception("d1"), "IDENTITY_GUARD");
});

test("an exception is for somebody else than who grants it, and for somebody who is there", async () => {
  const stage = await Stage.at("planning");
  await stage.refuse(exception("x1", { requester: "mara" }), "INDEPENDENCE_GUARD");
  await stage.refuse(exception("x1", { requester: "zoe" }), "ORDER_GUARD");
  await stage.accept(exception("x1"));
  expect((await stage.verify()).failures).toEqual([]);
});

test("a key is revoked once, by its agent or the operator, and for that agent only", async () => {
  const stage = await Stage.at("planning");
  const keys = Object.fromEntries(
    [...stage.session.agents].map(([agent, { key }]) => [agent, key]),
  );
  const revoke = (agent: string, role: string, more: object) =>
    request(agent, role, "key_revoked", { agent: "eli", reason: "lost", ...more });
  await stage.refuse(revoke("cleo", "critic", {}), "ROLE_GUARD");
  await stage.refuse(revoke("mara", "operator", { key: keys["cleo"] }), "KEY_GUARD");
  await stage.accept(revoke("mara", "operator", { key: keys["eli"] }));
  await stage.refuse(revoke("mara", "operator", { key: keys["eli"] }), "KEY_GUARD");
  await stage.refuse(revoke("mara", "operator", {}), "KEY_GUARD");
  await stage.accept(revoke("cleo", "critic", { agent: "cleo" }));
});
