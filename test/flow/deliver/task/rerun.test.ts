import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { canonicalize, sha256Hex } from "../../../../src/base/index.ts";
import { AgentRunner } from "../../../../src/flow/agent/agent-runner.ts";
import type { PackedTask } from "../../../../src/flow/deliver/task/pack-task.ts";
import { SealedProver } from "../../../../src/flow/work/sealed-prover.ts";
import type { Prover } from "../../../../src/flow/work/work-parts.ts";
import type { WorkProof } from "../../../../src/schema/work-proof.ts";
import { sworn } from "../../../fake/child.ts";
import { type Act, planOf, subtask, WorkWorld } from "../../work/work-world.ts";
import { membersOf, pack, tarFrom } from "./delivery-world.ts";
import { resigned } from "./forged-packet.ts";

const COUNT: WorkProof = {
  kind: "command",
  argv: ["wc", "-l", "st-01.txt"],
  exit: 0,
  stdout: "1 st-01.txt",
};
const NAMED: WorkProof = { kind: "python", assertion: 'assert result["path"] == "st-01.txt"' };

interface Delivered {
  readonly world: WorkWorld;
  readonly packed: PackedTask;
}

/** A packet whose checks were made in the sandbox, or by a prover that says whatever it likes. */
async function delivered(how: { prover?: Prover; act?: Act } = {}): Promise<Delivered> {
  const world = await WorkWorld.open(how.act);
  const { path: folder, env, home } = world.project;
  const placeFor = () => world.place;
  const runner = await AgentRunner.open({ folder, env, home, placeFor, tooling: {} });
  const sealed = new SealedProver(runner.scene, undefined);
  onTestFinished(async () => {
    await sealed.close();
    await runner.close();
  });
  const plan = planOf([subtask("ST-01", { proofs: [COUNT, NAMED] })]);
  const { report } = await world.run(plan, { profile: "solo", prover: how.prover ?? sealed });
  expect(report.reason).toBeUndefined();
  const { place, repository } = world;
  return { world, packed: await pack({ place, repository, work: report.work }) };
}

/** `sworn verify --rerun`, by somebody who has the project and none of its keys. */
async function again({ project }: WorkWorld, path: string, ...more: string[]) {
  const here = { project: project.path, state: join(project.home, "strangers-state") };
  const { code, out, err } = await sworn(here, ["verify", "--rerun", "--json", path, ...more]);
  return { code, json: JSON.parse(out === "" ? "{}" : out), err };
}

/** A prover that does not look. */
const LIAR: Prover = {
  prove: async ({ proofs }) =>
    proofs.map((proof) => ({
      proof,
      verdict: "pass" as const,
      reason: "expected exit code 0, found 0",
      output: "1 st-01.txt",
    })),
};
/** Hands in a file that is not what its checks ask for. */
const TWO_LINES: Act = () => ({
  files: { "st-01.txt": "one\ntwo\n" },
  output: { path: "st-01.txt" },
});

test("checks of a truthful packet come out in the sandbox as they were recorded", async () => {
  const { world, packed } = await delivered();
  const { code, json } = await again(world, packed.tar);
  expect(json.rerun).toMatchObject({
    isSameTree: true,
    differs: [],
    checks: [
      { subtask: "ST-01", kind: "command", recorded: "pass", now: "pass", printed: null },
      { subtask: "ST-01", kind: "python", recorded: "pass", now: "pass" },
    ],
  });
  expect(code).toBe(0);
}, 90_000);

test("what a runtime recorded without looking differs, and is told with what was found", async () => {
  const { world, packed } = await delivered({ prover: LIAR, act: TWO_LINES });
  // Whole, signed by its own runtime throughout: without a key and without a look it passes.
  const { code, json } = await again(world, packed.tar);
  expect([code, json.status]).toEqual([4, "pass"]);
  expect(json.rerun.differs).toEqual([
    expect.stringMatching(/^ST-01, command: recorded pass, now fail: .*1 st-01\.txt/),
  ]);
  expect(json.rerun.checks[0].printed.now).toContain("2 st-01.txt");
}, 90_000);

test("a forged output is refused before anything runs, whoever signs it again", async () => {
  const { world, packed } = await delivered();
  const members = membersOf(packed.tar);
  for (const name of ["report.json", "proofs.json"]) {
    const text = members.get(name)?.toString().replaceAll("1 st-01.txt", "9 st-01.txt") ?? "";
    members.set(name, Buffer.from(text));
  }
  const tampered = join(world.project.home, "tampered.packet.tar");
  writeFileSync(tampered, tarFrom(members));
  expect(await again(world, tampered)).toMatchObject({ code: 4, json: { status: "fail" } });
  // The list of digests is made to fit, and everything that can be signed is signed with another key.
  writeFileSync(tampered, tarFrom(await resigned(members)));
  const { code, json } = await again(world, tampered);
  expect([code, json.rerun]).toEqual([4, undefined]);
  expect(json.checks.find(({ status }: { status: string }) => status === "fail").id).toBe("note");
}, 90_000);

test("a plan that was swapped for an easier one is refused before anything runs", async () => {
  const { world, packed } = await delivered();
  const members = membersOf(packed.tar);
  const plan = JSON.parse(members.get("plan.json")?.toString() ?? "");
  plan.subtasks[0].proofs = [];
  members.set("plan.json", Buffer.from(canonicalize(plan)));
  const digest = sha256Hex(canonicalize(plan));
  const path = join(world.project.home, "easier.packet.tar");
  const forged = await resigned(members, { head: { contract_digest: digest } });
  writeFileSync(path, tarFrom(forged));
  expect(await again(world, path)).toMatchObject({ code: 4, json: { status: "fail" } });
}, 90_000);
