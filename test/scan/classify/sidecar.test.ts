import { expect, test } from "vitest";
import {
  awaitingReview,
  raisedBy,
  sidecarBytes,
  sidecarPathOf,
  sidecarsAmong,
} from "../../../src/scan/classify/index.ts";
import { verifies } from "../../verifies.ts";

const INTERNAL = { classification: "internal", pii: false } as const;
const said = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

test("a sidecar has one spelling and lies beside its file", () => {
  expect(sidecarPathOf("a/b.txt")).toBe("a/b.txt.meta.json");
  expect(sidecarBytes({ pii: true, classification: "public" }).toString()).toBe(
    '{"classification":"public","pii":true}\n',
  );
});

test("what a task says about its own file may raise and never lower", () => {
  expect(raisedBy(INTERNAL, said({ classification: "public", pii: false }))).toEqual(INTERNAL);
  expect(raisedBy({ ...INTERNAL, pii: true }, said(INTERNAL)).pii).toBe(true);
  expect(raisedBy(INTERNAL, said({ classification: "restricted", pii: true }))).toEqual({
    classification: "restricted",
    pii: true,
  });
});

test.each([
  ["no JSON", Buffer.from("public")],
  ["another shape", said({ ...INTERNAL, cleared: true })],
  ["an unknown word", said({ classification: "secret", pii: false })],
  ["nothing", Buffer.alloc(0)],
  ["a very long one", Buffer.from(`${JSON.stringify(INTERNAL)}${" ".repeat(5_000)}`)],
  ["a key given twice", Buffer.from('{"classification":"restricted","pii":true,"pii":false}')],
])("a sidecar with %s raises to the top", (_, bytes) => {
  expect(raisedBy(INTERNAL, bytes)).toEqual({ classification: "restricted", pii: true });
});

test("sidecars are told from artifacts by the file they belong to", () => {
  expect([...sidecarsAmong(["a", "a.meta.json", "b", "x.meta.json"])]).toEqual([
    ["a.meta.json", "a"],
  ]);
});

test("one artifact.meta.json is accepted for a single artifact, and for no more than one", () => {
  expect([...sidecarsAmong(["dist/app", "artifact.meta.json"])]).toEqual([
    ["artifact.meta.json", "dist/app"],
  ]);
  expect([...sidecarsAmong(["a", "b", "artifact.meta.json"])]).toEqual([]);
  expect([...sidecarsAmong(["artifact.meta.json"])]).toEqual([]);
});

verifies("004-64", "a flagged file waits until somebody else clears exactly its bytes", () => {
  const file = { path: "a", sha256: "1".repeat(64), isFlagged: true, isBlocking: false };
  const waits = (reviewer: string, sha256: string, more: object = {}) =>
    awaitingReview([{ ...file, ...more }], "maker", [{ reviewer, sha256 }]).length > 0;
  expect(awaitingReview([file], "maker", [])).toEqual([file]);
  expect(waits("critic", file.sha256)).toBe(false);
  expect(waits("maker", file.sha256)).toBe(true);
  expect(waits("critic", "2".repeat(64))).toBe(true);
  expect(waits("critic", file.sha256, { isBlocking: true })).toBe(true);
  expect(awaitingReview([{ ...file, isFlagged: false }], "maker", [])).toEqual([]);
});
