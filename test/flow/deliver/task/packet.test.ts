import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { toVerifierKey } from "../../../../src/base/index.ts";
import type { PackedTask } from "../../../../src/flow/deliver/task/pack-task.ts";
import { rerunPacket } from "../../../../src/flow/deliver/task/rerun-packet.ts";
import { isPacketFolder, withPacked } from "../../../../src/flow/packet-folder.ts";
import type { WorkReport } from "../../../../src/schema/work.ts";
import type { ProofOutcome } from "../../../../src/schema/work-proof.ts";
import { temporaryFolder } from "../../../fake/sandbox.ts";
import { GitFolder } from "../../../repo/git-folder.ts";
import { verifies } from "../../../verifies.ts";
import { proveFiles } from "../../work/work-world.ts";
import {
  type DoneWork,
  doneWork,
  failedCheck,
  filesBelow,
  git,
  judged,
  membersOf,
  pack,
  tarFrom,
} from "./delivery-world.ts";
import { resigned } from "./forged-packet.ts";

/** A copy of the work, with the packet that was made from it once. */
async function packedWork(): Promise<{ done: DoneWork; packed: PackedTask }> {
  const done = await doneWork({ isPacked: true });
  const { packed, home } = done.made ?? {};
  if (packed === undefined || home === undefined) throw new Error("it was packed");
  const here = (path: string) => join(done.home, relative(home, path));
  return { done, packed: { ...packed, folder: here(packed.folder), tar: here(packed.tar) } };
}

/** A packet of these members, as a file. */
function written(members: ReadonlyMap<string, Buffer>): string {
  const path = join(temporaryFolder(), "changed.packet.tar");
  writeFileSync(path, tarFrom(members));
  return path;
}

verifies(
  "004-102",
  "a work becomes a packet with every field, which verifies offline",
  async () => {
    const { done, packed } = await packedWork();
    const report = await judged(packed.tar);
    expect(report.checks.filter(({ status }) => status !== "pass")).toEqual([]);
    expect(report).toMatchObject({ status: "pass", work: done.work, commit: done.commit });
    const page = readFileSync(join(packed.folder, "PACKET.md"), "utf8");
    const fields = ["Artifact: ucxl://", `Version: commit ${done.commit}`, "Consensus"];
    const parts = ["Approval and residual risk", "Provenance", "Snapshot", "Final proposal"];
    const rest = [
      "Final diff",
      "Checks that the runtime made",
      "Documents",
      "Rollback",
      "Compliance",
    ];
    for (const field of [...fields, ...parts, ...rest]) expect(page).toContain(field);
    expect(page).toContain("| ST-01 | file | pass |");
    expect(page).toContain("| +ST-01");
  },
);

test("the folder and the tar hold the same bytes, and the same work gives them again", async () => {
  const { done, packed } = await packedWork();
  const first = readFileSync(packed.tar);
  const members = membersOf(packed.tar);
  expect([...filesBelow(packed.folder)].toSorted()).toEqual([...members].toSorted());
  const again = await pack(done);
  expect(again.digest).toBe(packed.digest);
  expect(readFileSync(again.tar).equals(first)).toBe(true);
});

test("a changed byte in any member is found", async () => {
  const { packed } = await packedWork();
  const members = membersOf(packed.tar);
  for (const [name, bytes] of members) {
    const changed = Buffer.from(bytes);
    const at = Math.floor(changed.length / 2);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const path = written(new Map([...members, [name, changed]]));
    expect((await judged(path)).status, name).toBe("fail");
  }
});

test("a member that is gone, added or moved is found", async () => {
  const { packed } = await packedWork();
  const members = [...membersOf(packed.tar)];
  const without = written(new Map(members.filter(([name]) => name !== "votes.json")));
  expect(failedCheck(await judged(without))).toBe("members");
  const last = await judged(written(new Map(members.slice(0, -1))));
  expect(last.checks.find(({ status }) => status === "fail")?.message).toMatch(/, found no more$/);
  const more = written(new Map([...members, ["more.txt", Buffer.from("x")] as const]));
  expect(failedCheck(await judged(more))).toBe("members");
  const moved = written(new Map([...members.slice(0, 3), ...members.slice(3).reverse()]));
  expect(failedCheck(await judged(moved))).toBe("members");
});

test("who signs a changed packet with a key of his own lacks the runtime's word", async () => {
  const { packed } = await packedWork();
  const members = membersOf(packed.tar);
  members.set("PACKET.md", Buffer.from("# Everything passed\n"));
  expect(failedCheck(await judged(written(await resigned(members))))).toBe("note");
});

test("a report that says more than its record becomes no packet", async () => {
  const done = await doneWork();
  const { place, work } = done;
  const path = join(place.store, "work", work, "report.json");
  const report = JSON.parse(readFileSync(path, "utf8"));
  report.subtasks[0].tries[0].proofs[0].output = "1000 tests passed";
  writeFileSync(path, JSON.stringify(report));
  await expect(pack(done)).rejects.toThrow(/report: the checks of .* are not the ones on record/);
});

test("a report that leaves out a weakened test becomes no packet", async () => {
  const done = await doneWork({ name: "weakened", weakened: ["a test demands less"] });
  const { tar } = await pack(done);
  expect(membersOf(tar).get("PACKET.md")?.toString()).toContain(
    "\n- 1 test was weakened: ST-01: a test demands less\n",
  );
  const path = join(done.place.store, "work", done.work, "report.json");
  const report = JSON.parse(readFileSync(path, "utf8"));
  delete report.subtasks[0].tries[0].weakened;
  writeFileSync(path, JSON.stringify(report));
  await expect(pack(done)).rejects.toThrow(/report: the checks of .* are not the ones on record/);
});

test("a report that leaves something out becomes no packet", async () => {
  const done = await doneWork();
  const path = join(done.place.store, "work", done.work, "report.json");
  const whole = readFileSync(path, "utf8");
  const changes: ((report: WorkReport) => void)[] = [
    (report) => report.gates.pop(),
    (report) => report.subtasks.pop(),
    (report) => Object.assign(report, { status: "completed-with-gaps" }),
    (report) => report.unproven.push("nothing of note"),
    (report) => Object.assign(report.subtasks[0] ?? {}, { status: "waived" }),
    (report) => Object.assign(report.subtasks[0] ?? {}, { name: "Another" }),
    (report) => report.subtasks[0]?.unproven.push("nothing of note"),
  ];
  for (const change of changes) {
    const report = JSON.parse(whole);
    change(report);
    writeFileSync(path, JSON.stringify(report));
    await expect(pack(done), String(change)).rejects.toThrow(/does not verify.*: report: /);
  }
  writeFileSync(path, whole);
  await pack(done);
});

verifies(
  "004-72",
  "the minisign program takes the packet's signature, and no other file",
  async () => {
    const { packed } = await packedWork();
    const args = ["-V", "-q", "-p", "minisign.pub", "-x", "packet.json.minisig", "-m"];
    execFileSync("minisign", [...args, "packet.json"], { cwd: packed.folder });
    const other = () =>
      execFileSync("minisign", [...args, "plan.json"], { cwd: packed.folder, stdio: "pipe" });
    expect(other).toThrow(/Command failed/);
  },
);

test("a packet verifies with the key of its runtime, and with no other", async () => {
  const { packed, done } = await packedWork();
  const { signer } = packed.head;
  expect((await judged(packed.tar, signer)).status).toBe("pass");
  const { key } = await done.place.keyring.ensure("stranger");
  const other = await done.place.keyring.signer("stranger", key);
  const wrong = toVerifierKey({ name: "sworn", public: other?.public ?? "" });
  expect(failedCheck(await judged(packed.tar, wrong))).toBe("record");
});

test("git am takes the patch, and comes to the tree that the packet names", async () => {
  const { done, packed } = await packedWork();
  const clone = { ...done, path: join(temporaryFolder(), "clone") };
  git(done, "clone", "-q", "--no-hardlinks", done.path, clone.path);
  git(clone, "am", "-q", join(packed.folder, "change.patch"));
  expect(git(clone, "rev-parse", "HEAD^{tree}")).toBe(packed.head.tree);
});

/** Makes the checks again in the project itself, with a prover of this process. */
function again(
  { done, packed }: Awaited<ReturnType<typeof packedWork>>,
  verdict?: ProofOutcome["verdict"],
) {
  const { repository } = done;
  return rerunPacket(packed.tar, {
    repository,
    prover: {
      prove: async (one, scene) =>
        (await proveFiles(repository, one, scene)).map((found) => ({
          ...found,
          verdict: verdict ?? found.verdict,
        })),
    },
    signal: new AbortController().signal,
    onStep: () => {},
  });
}

test("the checks of a packet are made again on its own change, and compared", async () => {
  const made = await packedWork();
  const same = await again(made);
  expect(same).toMatchObject({
    isSameTree: true,
    checks: [{ subtask: "ST-01", recorded: "pass", now: "pass" }],
    differs: [],
  });
  const { differs } = await again(made, "fail");
  expect(differs).toEqual([expect.stringContaining("recorded pass, now fail")]);
});

test("without the commit that it began with nothing is made again", async () => {
  const { packed } = await packedWork();
  const stranger = new GitFolder();
  stranger.commit({ "other.txt": "x" });
  const repository = await stranger.open();
  const prover = { prove: async () => [] };
  const signal = new AbortController().signal;
  await expect(
    rerunPacket(packed.tar, { repository, prover, signal, onStep: () => {} }),
  ).rejects.toThrow(/is not in this repository/);
});

test("a packet that was unpacked verifies as a folder, and what was done to it is found", async () => {
  const { packed } = await packedWork();
  const check = (folder: string) => withPacked(folder, (path) => judged(path));
  const folder = join(temporaryFolder(), "unpacked");
  mkdirSync(folder);
  execFileSync("tar", ["-xf", packed.tar, "-C", folder]);
  expect(isPacketFolder(folder)).toBe(true);
  const before = leftOver();
  expect(await check(folder)).toEqual(await judged(packed.tar));
  writeFileSync(join(folder, "notes.txt"), "mine\n");
  expect(failedCheck(await check(folder))).toBe("members");
  rmSync(join(folder, "notes.txt"));
  const report = join(folder, "report.json");
  const whole = readFileSync(report);
  writeFileSync(report, Buffer.concat([whole, Buffer.from(" ")]));
  expect(failedCheck(await check(folder))).toBe("members");
  rmSync(report);
  expect(failedCheck(await check(folder))).toBe("members");
  symlinkSync(packed.tar, report);
  await expect(check(folder)).rejects.toThrow(/report\.json", which is no member of a packet/);
  expect(leftOver()).toEqual(before);
});

/** Private folders of this process that were not removed. */
function leftOver(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`sworn-packet-${process.pid}-`));
}
