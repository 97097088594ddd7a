import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import type { Place } from "../../src/flow/place.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { LocalLedger } from "../../src/ledger/local.ts";
import { AGENTS, request, temporaryPlace } from "../fake/sandbox.ts";
import { PHONE } from "../scan/personal/people.ts";

const KEY = `AKIA${"QYLPMN5HHHFPZAM2"}`;

async function linesOf(
  text: string,
  idem?: string,
  place: Place = temporaryPlace(),
): Promise<string[]> {
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

test("a secret in a message is not recorded; a keyed hash of it is", async () => {
  const lines = await linesOf(`use ${KEY} for the upload`);
  expect(lines.join("\n")).not.toContain(KEY);
  expect(lines.at(-2)).toContain("use [REDACTED:");
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual([
    { rule: expect.any(String), hmac_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
});

test("what was taken out cannot be found by trying: the hash is another one in every store", async () => {
  const text = `call ${PHONE}`;
  const [one, other] = [temporaryPlace(), temporaryPlace()];
  const first = (await linesOf(text, undefined, one)).at(-1) ?? "";
  expect(first).toContain("hmac_sha256");
  expect(first).not.toContain(sha256Hex(PHONE));
  expect((await linesOf(text, undefined, one)).at(-1)).toBe(first);
  expect((await linesOf(text, undefined, other)).at(-1)).not.toBe(first);
});

test("the secret of a store is its owner's alone, and one that others could read is not used", async () => {
  const place = temporaryPlace();
  await linesOf(`call ${PHONE}`, undefined, place);
  const [name = ""] = readdirSync(place.keyFolder).filter((one) => one.endsWith(".redaction"));
  const path = join(place.keyFolder, name);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  await expect(linesOf(`call ${PHONE}`, undefined, place)).rejects.toThrow("can be read by others");
  chmodSync(path, 0o600);
  writeFileSync(path, "short");
  await expect(linesOf(`call ${PHONE}`, undefined, place)).rejects.toThrow("is damaged");
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
