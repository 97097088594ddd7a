import { expect, test } from "vitest";
import { makeContract } from "../../src/plan/index.ts";
import {
  BreakerMemory,
  CircuitBreaker,
  circuitsOf,
  openCircuitGap,
} from "../../src/verify/contract/index.ts";
import { verifies } from "../verifies.ts";
import { CONTRACT, NONCE } from "./contract-delivered.ts";

const { layer0, layer2 } = circuitsOf({ ...CONTRACT, verification: { enabled: true } });

function opened(circuit = layer0, atMs = 1_000): CircuitBreaker {
  const breaker = new CircuitBreaker(circuit);
  for (let failure = 0; failure < circuit.failure_threshold; failure++) breaker.failed(atMs);
  return breaker;
}

verifies("000-5", "layer 0 opens for 60 s at 3 failures in a row, layer 2 for 120 s at 2", () => {
  for (const [circuit, failures, seconds] of [
    [layer0, 3, 60],
    [layer2, 2, 120],
  ] as const) {
    const breaker = new CircuitBreaker(circuit);
    for (let failure = 1; failure < failures; failure++) {
      breaker.failed(1_000);
      expect(breaker.ask(1_000)).toEqual({ kind: "closed" });
    }
    breaker.failed(1_000);
    const retryMs = 1_000 + seconds * 1_000;
    expect(breaker.ask(1_000)).toEqual({ kind: "open", failures, retryMs });
    expect(breaker.ask(retryMs - 1).kind).toBe("open");
    expect(breaker.ask(retryMs).kind).toBe("half-open");
  }
});

test("the defaults are those that new contracts are made with", () => {
  const agents = ["a", "b", "c"].map((name) => ({ name, role: "Review" }));
  const made = makeContract({
    workflow: "review",
    outputDir: "out",
    timestamp: "2026-02-11T10:30:00Z",
    nonce: NONCE,
    agents,
  });
  if (made.kind !== "contract") throw new Error(made.reason);
  expect(circuitsOf(made.contract)).toEqual({ layer0, layer2 });
});

test("a contract's own circuits come before the defaults", () => {
  const circuit = { failure_threshold: 1, recovery_seconds: 5 };
  const own = { ...CONTRACT, verification: { enabled: true, layer_2_circuit: circuit } };
  expect(circuitsOf(own)).toEqual({
    layer0: { failure_threshold: 3, recovery_seconds: 60 },
    layer2: circuit,
  });
});

test("only failures in a row count", () => {
  const breaker = new CircuitBreaker(layer0);
  breaker.failed(1);
  breaker.failed(2);
  breaker.succeeded();
  breaker.failed(3);
  breaker.failed(4);
  expect(breaker.ask(5)).toEqual({ kind: "closed" });
});

test("half open, one try goes through; the others stay out", () => {
  const breaker = opened();
  expect(breaker.ask(61_000)).toEqual({ kind: "half-open" });
  expect(breaker.ask(61_000)).toMatchObject({ kind: "open" });
  expect(breaker.ask(120_999)).toMatchObject({ kind: "open" });
});

test("the try decides: a success closes, a failure opens for another while", () => {
  const good = opened();
  good.ask(61_000);
  good.succeeded();
  expect(good.ask(61_000)).toEqual({ kind: "closed" });
  const bad = opened();
  bad.ask(61_000);
  bad.failed(62_000);
  expect(bad.ask(121_999)).toEqual({ kind: "open", failures: 4, retryMs: 122_000 });
  expect(bad.ask(122_000)).toEqual({ kind: "half-open" });
});

test("a check that began earlier and ends late does not close an open breaker", () => {
  const breaker = opened();
  breaker.succeeded();
  expect(breaker.ask(2_000)).toMatchObject({ kind: "open" });
});

test("a try that never reported is replaced after another while", () => {
  const breaker = opened();
  breaker.ask(61_000);
  expect(breaker.ask(121_000)).toEqual({ kind: "half-open" });
});

test("a clock that goes back keeps it open", () => {
  expect(opened(layer0, 1_000_000).ask(0)).toMatchObject({ kind: "open" });
});

test("the memory survives being written down", () => {
  const breaker = opened();
  const written: unknown = JSON.parse(JSON.stringify(breaker.memory));
  expect(BreakerMemory.parse(written)).toEqual({ failures: 3, opened_ms: 1_000, trial_ms: null });
  const restored = CircuitBreaker.restore(layer0, written);
  expect(restored.ask(2_000)).toMatchObject({ kind: "open" });
  expect(restored.ask(61_000)).toEqual({ kind: "half-open" });
  expect(CircuitBreaker.restore(layer0, restored.memory).ask(61_001)).toMatchObject({
    kind: "open",
  });
});

test("a fresh memory can be written down and read back", () => {
  const { memory } = new CircuitBreaker(layer0);
  expect(CircuitBreaker.restore(layer0, memory).ask(0)).toEqual({ kind: "closed" });
  const early = opened(layer0, 0).memory;
  expect(CircuitBreaker.restore(layer0, early).ask(59_999)).toMatchObject({ kind: "open" });
});

test("a memory that cannot be read is an error and not a closed breaker", () => {
  for (const memory of [null, {}, { failures: -1, opened_ms: null, trial_ms: null }, "closed"]) {
    expect(() => CircuitBreaker.restore(layer0, memory)).toThrow(/cannot be read/);
  }
});

test("a check left out by an open breaker is a gap", () => {
  const answer = opened().ask(2_000);
  if (answer.kind !== "open") throw new Error("expected an open breaker");
  expect(openCircuitGap("layer 0 of ward", answer)).toEqual({
    what: "layer 0 of ward",
    why: "not checked: it failed 3 times in a row and waits",
  });
});
