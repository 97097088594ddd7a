import { expect, test } from "vitest";
import { admit } from "../../src/admit/index.ts";
import { sha256Hex } from "../../src/base/index.ts";
import { admissionRequest } from "../../src/flow/policy-record.ts";
import { readTrace } from "../../src/index.ts";
import { loadPolicies } from "../../src/policy/index.ts";
import { EventRequest } from "../../src/schema/index.ts";
import { opening, recording, temporaryPlace } from "../fake/sandbox.ts";
import { NOW, startFacts } from "./facts.ts";

test("a decision goes into the record with its policies, its reasons and the facts", async () => {
  const policies = await loadPolicies();
  const facts = startFacts({ network: "bridge" });
  const decision = await admit(facts, policies, [], () => NOW);
  const actor = { agent: "mara", role: "operator" } as const;
  const request = admissionRequest(actor, "admission-1", facts, decision);
  expect(EventRequest.parse(request)).toEqual(request);

  const place = temporaryPlace();
  const { outcome, recorder } = await recording(place, [opening(), request]);
  expect(outcome).toEqual({ recorded: 2 });
  const entries = readTrace(place, recorder.id);
  const last = entries.at(-1);
  expect(last).toMatchObject({
    type: "decision_recorded",
    body: { decision_id: "admission-1", choice: "deny", options: ["allow", "deny"] },
  });
  expect(last).toHaveProperty("body.context", expect.stringContaining(policies.digest));
  expect(last).toHaveProperty("body.context", expect.stringContaining("F.1.network: a task has"));
  const text = request.artifacts?.[0]?.text ?? "";
  expect(last?.artifacts).toEqual([expect.objectContaining({ hash: sha256Hex(text) })]);
  expect(JSON.parse(text)).toEqual({ facts, decision });
});
