import { expect, onTestFinished, test } from "vitest";
import { SealedProver } from "../../../src/flow/work/sealed-prover.ts";
import { withoutVacuous } from "../../../src/run/proof/index.ts";
import { BwrapEngine } from "../../../src/sandbox/index.ts";
import type { SubtaskType } from "../../../src/schema/plan.ts";
import { WorkProof } from "../../../src/schema/work-proof.ts";
import { GitFolder } from "../../repo/git-folder.ts";
import { subtask } from "./work-world.ts";

/** What the proofs of a subtask come to when a change was made, and when none was. */
async function proven(
  proofs: readonly object[],
  about: {
    readonly type?: SubtaskType;
    readonly files?: Record<string, string>;
    readonly output?: unknown;
    readonly owns?: readonly string[];
    readonly onStep?: (words: string) => void;
  } = {},
): Promise<string[]> {
  const project = new GitFolder();
  const before = project.commit({
    "check.mjs": "process.exit(1);\n",
    "config.json": '{"port":80}',
    "README.md": "# Sample\n",
  });
  const after = about.files === undefined ? before : project.commit(about.files);
  const repository = await project.open();
  const environment = { root: { kind: "host" as const }, name: "host", digest: "" };
  const scene = { engine: new BwrapEngine(), environment, repository, env: project.env };
  const prover = new SealedProver(scene as never, undefined);
  onTestFinished(() => prover.close());
  const one = subtask("ST-01", {
    type: about.type ?? "CONFIG",
    proofs: proofs.map((proof) => WorkProof.parse(proof)),
    output_schema: { port: "the port", error: "what went wrong" },
  });
  const found = await prover.prove(one, {
    ...{ before, after, files: about.owns ?? [], onStep: about.onStep ?? (() => {}) },
    output: about.output === undefined ? undefined : JSON.stringify(about.output),
    signal: new AbortController().signal,
  });
  return found.map(({ verdict, reason }) => `${verdict}: ${reason}`);
}

const IDLE = { kind: "command", argv: ["sh", "-c", "true"] };
const OLD = { kind: "file", path: "README.md", present: true };

test("proofs that would all pass without the work show nothing, whatever they are called", async () => {
  const files = { "other.txt": "something else\n" };
  const json = { kind: "json", path: "config.json", pointer: "/port", equals: 80 };
  const python = { kind: "python", assertion: "assert result['port'] == 80" };
  const found = await proven([IDLE, OLD, json, python], { files });
  expect(found).toHaveLength(4);
  for (const one of found) expect(one).toMatch(/^unproven: it passes on the commit that the work/);
});

test("one proof that the work alone could turn green is enough, and the others stay with it", async () => {
  const json = { kind: "json", path: "config.json", pointer: "/port", equals: 81 };
  const steps: string[] = [];
  const onStep = (words: string) => steps.push(words);
  const files = { "config.json": '{"port":81}' };
  const found = await proven([IDLE, OLD, json], { files, onStep });
  expect(found.map((one) => one.slice(0, 5))).toEqual(["pass:", "pass:", "pass:"]);
  // Whoever watches is told which of them is only a look at how it was before.
  expect(steps.map((one) => one.replace(/: .*/, ""))).toEqual([
    ...["proof 1 of 3", "proof 2 of 3", "proof 3 of 3"],
    ...["without the work, proof 1 of 1", "without the work, proof 1 of 1"],
  ]);
});

test("what a worker says of its own work is not enough by itself", async () => {
  const python = { kind: "python", assertion: "assert result['port'] == 81" };
  const about = { type: "DOCS" as const, output: { port: 81 }, files: { "a.md": "# A\n" } };
  expect(await proven([python], about)).toEqual([
    "unproven: it judges what the worker says of its own work, and no other proof looks at that",
  ]);
  const file = { kind: "file", path: "a.md", present: true };
  expect(await proven([python, file], about)).toEqual([
    expect.stringMatching(/^pass: it holds/),
    "pass: a.md is there",
  ]);
});

test("an assertion that holds for any result is no check", async () => {
  const file = { kind: "file", path: "a.md", present: true };
  const about = { type: "DOCS" as const, output: { port: 81 }, files: { "a.md": "# A\n" } };
  const verdict = async (assertion: string) =>
    (await proven([{ kind: "python", assertion }, file], about))[0]?.split(":")[0];
  for (const empty of [
    "assert result is not None",
    "assert isinstance(result, dict)",
    "assert str(result)",
    "assert len(result) < 100000",
    "assert result != 5",
    "assert all(x == x for x in result)",
    "assert print(result) is None",
    "assert 'zzz' not in result",
  ]) {
    expect([empty, await verdict(empty)]).toEqual([empty, "unproven"]);
  }
  for (const real of [
    "assert result['port'] == 81",
    "assert result['port'] > 0",
    "assert 'error' not in result",
    "assert result.get('error') is None",
    "assert set(result) <= {'port'}",
  ]) {
    expect([real, await verdict(real)]).toEqual([real, "pass"]);
  }
});

test("a check that was called off before its meaning was known has passed nowhere", async () => {
  const proof = WorkProof.parse(IDLE);
  const passed = { proof, verdict: "pass", reason: "it ended with 0", output: "" } as const;
  const found = await withoutVacuous([passed], "CONFIG", async () => undefined);
  expect(found).toMatchObject([
    { verdict: "unproven", reason: expect.stringMatching(/^it was called off/) },
  ]);
});

test("a check that the worker emptied is no check, unless the plan gives it that file", async () => {
  const check = { kind: "command", argv: ["node", "check.mjs"] };
  const files = { "check.mjs": "" };
  expect(await proven([check], { files })).toEqual([
    expect.stringMatching(/^fail: check\.mjs, which decides what this command does, was changed/),
  ]);
  const owned = await proven([check], { files, owns: ["check.mjs"] });
  expect(owned).toEqual([expect.stringMatching(/^pass: /)]);
});
