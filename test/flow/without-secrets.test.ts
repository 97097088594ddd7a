import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { Recorder } from "../../src/flow/recorder.ts";
import { LocalLedger } from "../../src/ledger/local.ts";
import { AGENTS, request, temporaryPlace } from "../fake/sandbox.ts";

const KEY = `AKIA${"QYLPMN5HHHFPZAM2"}`;

async function linesOf(text: string, idem?: string): Promise<string[]> {
  const place = temporaryPlace();
  const recorder = Recorder.start(place);
  const opening = { task: "t", objective: "o", profile: "solo", agents: AGENTS };
  await recorder.record([request("ada", "planner", "session_initialized", opening)], {
    artifactRoots: [],
  });
  const message = { ...request("eli", "executor", "message_posted", { text }), idem };
  for (let times = 0; times < 2; times += 1) {
    const { refusal } = await recorder.record([message as never], { artifactRoots: [] });
    expect(refusal).toBeUndefined();
    if (idem === undefined) break;
  }
  recorder.close();
  const ledger = LocalLedger.openForReading(recorder.id, place.ledgerPath(recorder.id));
  const lines = [...ledger.read()];
  ledger.close();
  const [artifact] = JSON.parse(lines.at(-1) ?? "{}").artifacts as { hash: string }[];
  const kept = artifact ? Buffer.concat([...place.artifacts.read(artifact.hash)]).toString() : "";
  return [...lines, kept];
}

test("a secret in a message is not recorded; its hash is", async () => {
  const lines = await linesOf(`use ${KEY} for the upload`);
  expect(lines.join("\n")).not.toContain(KEY);
  expect(lines.at(-2)).toContain("use [REDACTED:");
  expect(lines.at(-1)).toContain(sha256Hex(KEY));
});

test("a message without secrets is recorded as it is, and carries nothing with it", async () => {
  const lines = await linesOf("nothing to see");
  expect(lines.at(-2)).toContain('"body":{"text":"nothing to see"}');
  expect(lines.at(-1)).toBe("");
});

test("the same request again is the same, also where something was taken out", async () => {
  const lines = await linesOf(`use ${KEY} for the upload`, "once");
  expect(lines).toHaveLength(3);
});
