import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { admit } from "../../src/admit/index.ts";
import type { Policies } from "../../src/policy/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { NOW, startFacts } from "./facts.ts";
import {
  ANSWER,
  constant,
  FOR_EVER,
  grow,
  type OpaModule,
  OTHER_ANSWER,
  opaModule,
  println,
  refuseInputWith,
  TRAP,
} from "./opa-module.ts";

// The built one: a thread runs a file, and that has to be JavaScript.
const BUILT = pathToFileURL(resolve(import.meta.dirname, "../../dist/policy/index.js")).href;

async function loadWith(policy: OpaModule | Buffer): Promise<Policies> {
  const { loadPolicies } = (await import(BUILT)) as typeof import("../../src/policy/index.ts");
  const folder = temporaryFolder();
  const bytes = Buffer.isBuffer(policy) ? policy : opaModule(policy);
  writeFileSync(join(folder, "team.wasm"), bytes);
  const policies = await loadPolicies({ folder, outside: [] });
  onTestFinished(() => policies.close());
  return policies;
}

async function decide(policy: OpaModule, facts: unknown = startFacts()) {
  return admit(facts, await loadWith(policy), [], () => NOW);
}

const evaluate = constant(ANSWER);

test.each(['[{"result":true}]', '[{"result":{"allow":true}}]'])("%s is a yes", async (answer) => {
  const decision = await decide({ evaluate, answer });
  expect(decision).toMatchObject({ decision: "allow", matched: ["A.1", "user/team.wasm"] });
});

test.each([
  '[{"result":false}]',
  '[{"result":"true"}]',
  '[{"result":1}]',
  '[{"result":[true]}]',
  '[{"result":{"allow":"true"}}]',
  '[{"result":{"allow":true,"unless":1}}]',
  '[{"result":{}}]',
  '[{"result":null}]',
  '[{"allow":true}]',
  '[{"result":true,"x":1}]',
  '[{"result":true},{"result":true}]',
  "[]",
  "true",
  "{}",
  "null",
])("%s is a no", async (answer) => {
  const decision = await decide({ evaluate, answer });
  expect(decision).toMatchObject({ decision: "deny", matched: ["user/team.wasm"] });
  expect(decision.reasons[0]).toMatchObject({ rule: "user/team.wasm" });
});

test("it judges the same request as Cedar does", async () => {
  const policies = await loadWith({ evaluate: refuseInputWith("!") });
  const ask = (argv: string[]) => admit(startFacts({ argv }), policies, [], () => NOW);
  expect((await ask(["npm", "test"])).decision).toBe("allow");
  expect((await ask(["echo", "!"])).decision).toBe("deny");
  expect((await ask(["npm", "test"])).decision).toBe("allow");
});

test("its yes widens nothing", async () => {
  const decision = await decide({ evaluate }, startFacts({ network: "host" }));
  expect(decision).toMatchObject({ decision: "deny", matched: ["F.1.network"] });
});

test("one that never ends is ended, and that is a no", async () => {
  const policies = await loadWith({ evaluate: FOR_EVER });
  const decision = await admit(startFacts(), policies, [], () => NOW);
  expect(decision.decision).toBe("deny");
  expect(decision.errors).toEqual(["user/team.wasm: no answer within 5 seconds"]);
});

test("one that answers without an end to its answer is ended, too", async () => {
  // The reader of the answer looks for a zero byte; behind the end of memory there is none.
  const decision = await decide({ evaluate: constant(64 * 65_536 * 16 - 1) });
  expect(decision.decision).toBe("deny");
});

test("one that traps says no, and so it does the next time", async () => {
  const policies = await loadWith({ evaluate: TRAP });
  for (let round = 0; round < 2; round += 1) {
    const decision = await admit(startFacts(), policies, [], () => NOW);
    expect(decision.decision).toBe("deny");
    expect(decision.errors.join()).toContain("unreachable");
  }
});

test("one that wants much memory does not get it", async () => {
  expect((await decide({ evaluate: grow(100) })).decision).toBe("allow");
  expect((await decide({ evaluate: grow(1_024) })).decision).toBe("deny");
});

test("one with memory of its own is refused when it is loaded", async () => {
  await expect(loadWith({ evaluate, ownMemoryPages: 60_000 })).rejects.toThrow(/memory of its own/);
});

test("what is no module is refused when it is loaded", async () => {
  await expect(loadWith(Buffer.from("not wasm"))).rejects.toThrow(/not a WebAssembly module/);
  const cut = opaModule({ evaluate }).subarray(0, -3);
  await expect(loadWith(Buffer.from(cut))).rejects.toThrow(/not a WebAssembly module/);
  await expect(loadWith(Buffer.alloc(16_777_217))).rejects.toMatchObject({
    code: "LIMIT_EXCEEDED",
  });
});

test("another version of the interface is a no", async () => {
  const decision = await decide({ evaluate, abiVersion: 2 });
  expect(decision.errors.join()).toContain("unsupported ABI version 2");
  expect(decision.decision).toBe("deny");
});

test("of several entry points the one with the known name is asked, and none other", async () => {
  const both = '{"sworn/allow":0,"sworn/deny":1}';
  expect((await decide({ evaluate, entrypoints: both })).decision).toBe("allow");
  const unknown = await decide({ evaluate, entrypoints: '{"a/allow":0,"b/allow":1}' });
  expect(unknown.decision).toBe("deny");
  expect(unknown.errors.join()).toContain("expected one, or sworn/allow");
});

test("what it prints does not reach our output", async () => {
  const written: string[] = [];
  const { write } = process.stdout;
  onTestFinished(() => {
    process.stdout.write = write;
  });
  process.stdout.write = ((text: string) => written.push(text) > 0) as typeof write;
  const loud = { evaluate: [...println(OTHER_ANSWER), ...evaluate], otherAnswer: "LOUD" };
  expect((await decide(loud)).decision).toBe("allow");
  await new Promise((done) => setImmediate(done));
  expect(written.join("")).not.toContain("LOUD");
});

test("questions that come together are all answered", async () => {
  const policies = await loadWith({ evaluate: refuseInputWith("!") });
  const asked = ["a", "!", "b", "!", "c"].map((word) =>
    admit(startFacts({ argv: [word] }), policies, [], () => NOW),
  );
  const decisions = (await Promise.all(asked)).map(({ decision }) => decision);
  expect(decisions).toEqual(["allow", "deny", "allow", "deny", "allow"]);
});
