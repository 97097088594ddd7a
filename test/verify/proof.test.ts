import { expect, test } from "vitest";
import { proveEntry } from "../../src/flow/trace/prove.ts";
import { Proof } from "../../src/schema/index.ts";
import { verifyProof } from "../../src/verify/index.ts";
import { message } from "../flow/requests.ts";
import { Stage } from "../flow/stage.ts";

test("every entry of a trace can be proven, and every earlier size shown to be a prefix", async () => {
  const stage = await Stage.at("planning");
  for (let size = 1; size <= 9; size += 1) {
    for (let seq = 0; seq < size; seq += 1) {
      const proof = proveEntry(stage.place, stage.id, seq, seq + 1);
      expect(Proof.parse(JSON.parse(JSON.stringify(proof)))).toEqual(proof);
      expect(proof).toMatchObject({ trace: stage.id, seq, size });
      expect(proof.entry).toBe(stage.lines()[seq]);
      expect(verifyProof(proof, undefined)).toEqual({ status: "pass", reasons: [] });
    }
    await stage.accept(message(`entry ${size}`));
  }
});

test("a proof that was altered anywhere does not hold", async () => {
  const stage = await Stage.at("completed");
  const other = await Stage.at("completed");
  const proof = proveEntry(stage.place, stage.id, 6, 4);
  const { consistency } = proof;
  if (!consistency) throw new Error("a consistency proof was asked for");
  const digest = "0".repeat(64);
  const altered: Partial<Proof>[] = [
    { entry: proof.entry.replace("The limit works", "The limit fails") },
    { entry: stage.lines()[5] ?? "" },
    { seq: 5 },
    { seq: 99 },
    { size: 9 },
    { path: proof.path.slice(1) },
    { path: [...proof.path, digest] },
    { path: proof.path.toReversed() },
    { path: [digest, ...proof.path.slice(1)] },
    { trace: other.id },
    { checkpoint: other.checkpoint() },
    { checkpoint: proof.checkpoint.replace("\n10\n", "\n11\n") },
    { signer: (await other.verify()).signer ?? "" },
    { signer: "nonsense" },
    { consistency: { ...consistency, root: digest } },
    { consistency: { ...consistency, size: 5 } },
    { consistency: { ...consistency, size: 11 } },
    { consistency: { ...consistency, path: consistency.path.slice(1) } },
    { consistency: { ...consistency, path: [...consistency.path, digest] } },
  ];
  for (const change of altered) {
    const verdict = verifyProof({ ...proof, ...change }, undefined);
    expect([Object.keys(change), verdict.status]).toEqual([Object.keys(change), "fail"]);
    expect(verdict.reasons.length).toBeGreaterThan(0);
  }
  expect(verifyProof(proof, undefined).status).toBe("pass");
});

test("a proof agrees with the key the reader knows, not with the one it brings", async () => {
  const [stage, other] = [await Stage.at("completed"), await Stage.at("completed")];
  const proof = proveEntry(stage.place, stage.id, 3);
  const [own, foreign] = [(await stage.verify()).signer, (await other.verify()).signer];
  expect(verifyProof(proof, own ?? "").status).toBe("pass");
  expect(verifyProof(proof, foreign ?? "").status).toBe("fail");
});

test("there is no proof of what is not there", async () => {
  const stage = await Stage.at("planning");
  for (const [seq, since] of [
    [1, undefined],
    [-1, undefined],
    [0.5, undefined],
    [0, 0],
    [0, 2],
  ] as const) {
    expect(() => proveEntry(stage.place, stage.id, seq, since)).toThrow(
      expect.objectContaining({ code: "NOT_FOUND" }),
    );
  }
});
