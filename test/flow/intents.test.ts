import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { EventRequest } from "../../src/schema/index.ts";
import { verifies } from "../verifies.ts";
import { Copy, codesOf } from "../verify/copy.ts";
import { completed, evidence, failed, intent, judgement, started, work } from "./requests.ts";
import { Stage } from "./stage.ts";

verifies("002-24", "an intent states its risk, a reason and the hash of its input", async () => {
  const whole = intent("i1");
  for (const part of ["risk_class", "justification", "normalized_input_hash"]) {
    const { [part as "risk_class"]: _, ...body } = whole.body as Record<string, unknown>;
    expect([part, EventRequest.safeParse({ ...whole, body }).success]).toEqual([part, false]);
  }
  expect(EventRequest.safeParse(whole).success).toBe(true);
  const stage = await Stage.at("executing");
  await stage.accept(whole);
  expect(stage.last("tool_intent_signed").body).toMatchObject({
    risk_class: "low",
    justification: "it is the plan",
    normalized_input_hash: sha256Hex("input of i1"),
  });
});

verifies("002-25", "the critic may block an intent, also one it approved before", async () => {
  const stage = await Stage.at("executing", { policy: { approval_from: "medium" } });
  await stage.accept(intent("i1", { risk_class: "critical" }), judgement("i1", "blocked"));
  await stage.refuse(started("e1", "i1"), "ACTION_GUARD");
  await stage.accept(intent("i2", { risk_class: "high" }), judgement("i2", "approved"));
  await stage.accept(judgement("i2", "blocked"));
  await stage.refuse(started("e2", "i2"), "ACTION_GUARD");
  await stage.refuse(judgement("i9", "blocked"), "ORDER_GUARD"); // unknown
  await stage.accept(intent("i3"), judgement("i3", "approved"));
  await stage.refuse(judgement("i3", "approved"), "ORDER_GUARD"); // said already
  await stage.accept(started("e3", "i3"));
  await stage.refuse(judgement("i3", "blocked"), "ORDER_GUARD"); // it runs
  const copy = new Copy(stage);
  const body = { execution_id: "e1", intent_id: "i1" };
  await copy.forge({ agent: "eli", role: "executor", type: "tool_execution_started", body });
  expect(codesOf(await (await copy.sign()).verify())).toEqual(["ROLE_POLICY_VIOLATION"]);
});

verifies("002-26", "an approved intent runs, and its start points to it", async () => {
  const stage = await Stage.at("executing", { policy: { approval_from: "low" } });
  await stage.accept(intent("i1"));
  await stage.refuse(started("e1", "i1"), "ACTION_GUARD");
  await stage.accept(judgement("i1", "approved"), started("e1", "i1"));
  const { seq } = stage.last("tool_intent_signed");
  expect(stage.last("tool_execution_started").parents).toEqual([{ seq, kind: "executes" }]);
  expect(stage.session.executions.get("e1")?.status).toBe("running");
});

verifies(
  "002-46",
  "a tool above the risk threshold runs only with the critic's approval, in every profile",
  async () => {
    const cases = [
      ["solo", "medium", "high"],
      ["team", "low", "medium"],
      ["strict", undefined, "low"],
    ] as const;
    for (const [profile, free, guarded] of cases) {
      const stage = await Stage.at("executing", { profile });
      if (free) {
        await stage.accept(intent("i1", { risk_class: free }), started("e1", "i1"));
        await stage.accept(completed("e1"));
      }
      await stage.accept(intent("i2", { risk_class: guarded }));
      await stage.refuse(started("e2", "i2"), "ACTION_GUARD");
      await stage.accept(judgement("i2", "approved"), started("e2", "i2"));
    }
  },
);

verifies("002-46", "calling a dangerous tool harmless does not make it so", async () => {
  const policy = { tool_risk: { deploy: "high" } };
  const stage = await Stage.at("executing", { policy });
  await stage.accept(intent("i1", { tool_name: "deploy", risk_class: "low" }));
  await stage.refuse(started("e1", "i1"), "ACTION_GUARD");
  await stage.accept(judgement("i1", "approved"), started("e1", "i1"));
});

verifies(
  ["002-27", "002-50"],
  "an execution has its input in the store before it starts and its output when it ends",
  async () => {
    const stage = await Stage.at("executing");
    const unstored = { ...intent("i1", { normalized_input_hash: sha256Hex("elsewhere") }) };
    await stage.accept({ ...unstored, artifacts: [] });
    await stage.refuse(started("e1", "i1"), "EVIDENCE_GUARD");
    await stage.accept({ ...started("e1", "i1"), artifacts: [{ text: "elsewhere" }] });
    await stage.refuse({ ...completed("e1"), artifacts: [] }, "EVIDENCE_GUARD");
    await stage.refuse({ ...evidence("log"), artifacts: [] }, "EVIDENCE_GUARD");
    await stage.refuse(evidence("log", { execution_id: "e9" }), "ORDER_GUARD");
    await stage.accept(completed("e1"), evidence("log", { execution_id: "e1" }));
    for (const execution of stage.session.executions.values()) {
      const { inputHash } = stage.session.intents.get(execution.intent) ?? { inputHash: "" };
      expect(stage.place.artifacts.has(inputHash)).toBe(true);
    }
    const [output] = stage.last("tool_execution_completed").artifacts;
    expect(Buffer.concat([...stage.place.artifacts.read(output?.hash ?? "")]).toString()).toBe(
      "output of e1",
    );
    expect((await stage.verify()).failures).toEqual([]);
    // Kept means kept: the verifier looks for both.
    const copy = new Copy(stage);
    copy.artifacts.delete(sha256Hex("elsewhere"));
    expect(codesOf(await copy.verify())).toEqual(["ARTIFACT_MISSING"]);
    rmSync(stage.place.artifacts.pathOf(output?.hash ?? ""));
    expect(codesOf(await stage.verify())).toEqual(["ARTIFACT_MISSING"]);
  },
);

verifies(
  "002-50",
  "an execution without a stored artifact is a violation of the record",
  async () => {
    const stage = await Stage.at("executing");
    await stage.accept({
      ...intent("i1", { normalized_input_hash: sha256Hex("x") }),
      artifacts: [],
    });
    const copy = new Copy(stage);
    const eli = { agent: "eli", role: "executor" } as const;
    const body = { execution_id: "e1", intent_id: "i1" };
    await copy.forge({ ...eli, type: "tool_execution_started", body });
    expect(await (await copy.sign()).verify()).toMatchObject({
      status: "fail",
      failures: [{ code: "CLAIM_UNPROVEN", message: expect.stringContaining("EVIDENCE_GUARD") }],
    });
  },
);

verifies(
  "002-28",
  "an execution ends once: completed with its result, or failed with what led to it",
  async () => {
    const stage = await Stage.at("executing");
    await stage.accept(...work(1), intent("i2"), started("e2", "i2"), failed("e2"));
    expect(stage.last("tool_execution_completed").body).toEqual({
      execution_id: "e1",
      exit_status: 0,
      summary: "done",
    });
    expect(stage.last("tool_execution_failed").body).toEqual({
      execution_id: "e2",
      failure: "the port was taken",
      handling: "accept",
      exit_status: 1,
    });
    await stage.accept(intent("i3"), started("e3", "i3"));
    await stage.refuse(completed("e1"), "ORDER_GUARD");
    await stage.refuse(failed("e1"), "ORDER_GUARD");
    await stage.refuse(completed("e2"), "ORDER_GUARD");
    for (const part of ["execution_id", "exit_status"]) {
      const { [part as "exit_status"]: _, ...body } = completed("e3").body as {
        exit_status: number;
      };
      expect(EventRequest.safeParse({ ...completed("e3"), body }).success).toBe(false);
    }
    for (const part of ["failure", "handling"]) {
      const { [part as "failure"]: _, ...body } = failed("e3").body as { failure: string };
      expect(EventRequest.safeParse({ ...failed("e3"), body }).success).toBe(false);
    }
  },
);

test("an intent may cite an input by the name it was recorded under", async () => {
  const stage = await Stage.at("claiming");
  const again = { ...intent("i2", { normalized_input_hash: "in-i1" }), artifacts: [] };
  await stage.accept(again);
  expect(stage.last("tool_intent_signed").body.normalized_input_hash).toBe(
    sha256Hex("input of i1"),
  );
  const unknown = { ...intent("i3", { normalized_input_hash: "no-such-name" }), artifacts: [] };
  await stage.refuse(unknown, "EVIDENCE_GUARD");
});
