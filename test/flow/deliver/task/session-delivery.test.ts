import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deliverTask } from "../../../../src/flow/deliver/task/deliver-task.ts";
import { rerunPacket } from "../../../../src/flow/deliver/task/rerun-packet.ts";
import { Place } from "../../../../src/flow/place.ts";
import { readTrace } from "../../../../src/flow/trace/look.ts";
import { castVote } from "../../../../src/flow/vote/cast-vote.ts";
import { proposeCommit } from "../../../../src/flow/vote/propose-commit.ts";
import { sworn } from "../../../fake/child.ts";
import { GitFolder } from "../../../repo/git-folder.ts";
import { auditEnd, auditStart, claim, finalStatement } from "../../requests.ts";
import { Stage } from "../../stage.ts";
import { granted, MEASURED } from "../../vote/review-scene.ts";
import { deliveryOf } from "./agreed-work.ts";
import { type DoneWork, failedCheck, judged, membersOf, tarFrom } from "./delivery-world.ts";
import { resealed } from "./forged-packet.ts";

const signal = new AbortController().signal;

/** A session without a plan's proofs, up to its claim, in a project whose last commit it made. */
async function sessionOf(hasVotes: boolean) {
  const project = new GitFolder();
  const start = project.commit({ "README.md": "# Sample\n" });
  const commit = project.commit({ "limit.txt": "5\n" });
  project.git("checkout", "--quiet", "-B", "main", start);
  const { path, home, env } = project;
  const place = new Place({ store: join(path, ".sworn"), state: join(home, "state") });
  const stage = await Stage.at("claiming", { profile: "solo" }, place);
  await stage.accept(claim("c1"));
  const source = { repository: path, env, signal };
  const { completion_id } = granted(
    await proposeCommit({
      ...{ place, trace: stage.id, ...source, commit, base: start, facts: MEASURED, scope: [] },
      ...{ why: "It was asked for", risks: ["none"], rollback: "revert" },
      authors: [{ agent: "eli" }],
    }),
  );
  if (hasVotes) {
    const ballot = { vote: "green", focus: ["limit.txt"], rationale: "I read it" } as const;
    for (const author of [
      { agent: "cleo", role: "critic" },
      { agent: "otto", role: "auditor" },
      { agent: "mara", role: "operator" },
    ] as const) {
      const booth = { place, trace: stage.id, author, source };
      granted(await castVote(booth, completion_id, { ...ballot, evidence: ["limit.txt:1"] }));
    }
  }
  const repository = await project.open();
  const known = { home, path, env, place, repository, work: stage.id, commit, start };
  const done: DoneWork = { ...known, made: undefined };
  const finish = () => stage.accept(finalStatement("c1"), auditStart("v1"), auditEnd("v1"));
  return { done, stage, project, finish };
}

const deliver = (done: DoneWork) => deliverTask(deliveryOf(done, "branch", "not-a-real-token"));

test("a session that ended well with a commit is delivered by its trace, and verifies", async () => {
  const { done, project, finish, stage } = await sessionOf(true);
  expect((await deliver(done)).refused).toMatchObject({
    rule: "1.9",
    reason: expect.stringContaining("no audit passed behind a final statement"),
  });
  await finish();
  const first = await deliver(done);
  const branch = `sworn/delivered/${stage.id.slice("trace_".length).toLowerCase()}`;
  expect(first.effect).toMatchObject({ status: "sent", where: `branch ${branch}` });
  expect(project.git("rev-parse", branch)).toBe(done.commit);
  const report = await judged(first.packet?.tar ?? "");
  expect(failedCheck(report)).toBeUndefined();
  // What was claimed was audited, and not checked again: nobody calls it proven.
  expect(report.status).toBe("pass-with-warnings");
  expect(report.unproven).toEqual(["c1, claimed by eli: The limit works"]);
  // The review that moved on stands in the same record, behind the part that is delivered.
  expect(first.review).toBe("SUBMITTED");
  expect(readTrace(done.place, stage.id).at(-1)?.type).toBe("review_moved");
  const again = await deliver(done);
  expect([again.effect?.status, again.packet?.digest]).toEqual(["present", first.packet?.digest]);
});

test("a session's packet holds what its record says: another report or commit is refused", async () => {
  const { done, finish } = await sessionOf(false);
  await finish();
  const { packet } = await deliver(done);
  const members = membersOf(packet?.tar ?? "");
  const path = join(done.home, "forged.packet.tar");
  const noWith = async (name: string, change: (text: string) => string, head: object = {}) => {
    const text = change(members.get(name)?.toString() ?? "");
    const forged = new Map([...members, [name, Buffer.from(text)]]);
    writeFileSync(path, tarFrom(await resealed(done, forged, { head })));
    return failedCheck(await judged(path));
  };
  const proven = (text: string) => text.replace(/"unproven":\[[^\]]*\]/, '"unproven":[]');
  expect(await noWith("report.json", proven)).toBe("report");
  const other = (text: string) => text.replaceAll(done.commit, done.start);
  expect(await noWith("report.json", other, { commit: done.start })).toBe("report");
  expect(await noWith("plan.json", (text) => text.replace("Count", "Skip"))).toBe("contract");
  const again = await rerunPacket(packet?.tar ?? "", {
    repository: done.repository,
    prover: { prove: async () => [] },
    ...{ signal, onStep: () => {} },
  });
  expect(again).toEqual({ isSameTree: true, checks: [], differs: [] });
});

test("a session without a commit is not delivered, and the command line says why", async () => {
  const project = new GitFolder();
  project.commit({ "README.md": "# Sample\n" });
  const { path, home } = project;
  const state = join(home, "state");
  const place = new Place({ store: join(path, ".sworn"), state });
  const stage = await Stage.at("completed", {}, place);
  stage.close();
  const { code, out } = await sworn({ project: path, state }, ["deliver", stage.id]);
  expect([code, out]).toEqual([3, expect.stringContaining("proposes no commit as complete")]);
  expect(project.git("branch", "--list", "sworn/*")).toBe("");
});
