import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deliverTask } from "../../../../src/flow/deliver/task/deliver-task.ts";
import { submitWork } from "../../../../src/flow/deliver/task/submit-work.ts";
import { Bus } from "../../../../src/flow/talk/bus.ts";
import { readBus } from "../../../../src/flow/talk/read-bus.ts";
import { readTrace } from "../../../../src/flow/trace/look.ts";
import { findReview } from "../../../../src/flow/vote/find-review.ts";
import { sworn } from "../../../fake/child.ts";
import { agreeOn, deliveryOf } from "./agreed-work.ts";
import { type DoneWork, doneWork, git, judged } from "./delivery-world.ts";

const signal = new AbortController().signal;

function deliver(done: DoneWork, to = "branch", isSent = false) {
  return deliverTask({ ...deliveryOf(done, to, "not-a-real-token"), isSent });
}

/** `sworn settle`, in the project. */
function settle(done: DoneWork, ...args: string[]) {
  const here = { project: done.path, state: join(done.home, "state") };
  return sworn(here, ["settle", "--json", ...args]);
}

test("a delivery moves its review to submitted, once, and changes no packet", async () => {
  const done = await doneWork({ profile: "team" });
  const { trace, completion } = await agreeOn(done);
  const phase = () => findReview({ place: done.place, trace }, completion).phase;
  expect(phase()).toBe("CONSENSUS");
  const first = await deliver(done);
  expect([first.effect?.status, first.review, phase()]).toEqual(["sent", "SUBMITTED", "SUBMITTED"]);
  const moved = () =>
    readTrace(done.place, trace).flatMap(({ type, body, actor }) =>
      type === "review_moved" ? [`${body.to} by ${actor.role}`] : [],
    );
  expect(moved()).toEqual(["consensus by runtime", "submitted by runtime"]);
  // What is said behind the agreement is no part of what was agreed on.
  const again = await deliver(done);
  expect([again.effect?.status, again.review]).toEqual(["present", "SUBMITTED"]);
  expect(again.packet?.digest).toBe(first.packet?.digest);
  expect(again.packet?.head.consensus?.phase).toBe("CONSENSUS");
  expect((await judged(again.packet?.tar ?? "")).status).not.toBe("fail");
  expect(moved()).toHaveLength(2);
});

test("a rehearsal and a refusal move no review", async () => {
  const done = await doneWork({ profile: "team" });
  const { trace, completion } = await agreeOn(done);
  writeFileSync(join(done.path, "sworn.yaml"), "deliver:\n  out: { kind: git, url: ../no.git }\n");
  expect((await deliver(done, "out")).effect?.status).toBe("planned");
  expect((await deliver(done, "elsewhere", true)).refused?.rule).toBe("U.2");
  git(done, "branch", `sworn/delivered/${done.work}`, done.start);
  expect((await deliver(done)).refused?.rule).toBe("U.6");
  expect(findReview({ place: done.place, trace }, completion).phase).toBe("CONSENSUS");
});

test("a review ends when the branch holds the commit, and not before", async () => {
  const done = await doneWork({ profile: "team" });
  const { trace, completion } = await agreeOn(done);
  await deliver(done);
  const early = await settle(done, completion);
  expect([early.code, JSON.parse(early.out).moved]).toEqual([0, null]);
  // The same files in another commit are not the one that was agreed on.
  git(done, "merge", "--squash", done.commit);
  git(done, "commit", "-q", "-m", "squashed");
  expect(JSON.parse((await settle(done, completion)).out).moved).toBe(null);
  git(done, "reset", "-q", "--hard", done.start);
  git(done, "merge", "-q", "--no-ff", "-m", "merge", done.commit);
  const late = await settle(done, completion, "--into", "main");
  expect([late.code, JSON.parse(late.out).moved]).toEqual([0, "merged"]);
  const last = readTrace(done.place, trace).at(-1);
  expect([last?.actor.role, last?.type]).toEqual(["runtime", "review_moved"]);
  expect(findReview({ place: done.place, trace }, completion).phase).toBe("MERGED");
  expect((await settle(done, completion, "--rejected", "--why", "too late")).code).toBe(3);
});

test("what a person says of a delivery is recorded as theirs, with the reason", async () => {
  const done = await doneWork({ profile: "team" });
  const { trace, completion } = await agreeOn(done);
  // Nothing is merged that nobody handed over.
  const early = await settle(done, completion, "--merged", "--why", "It is in");
  expect(early.code).toBe(3);
  await deliver(done);
  expect((await settle(done, completion, "--rejected")).code).toBe(2);
  const { code } = await settle(done, completion, "--rejected", "--why", "Not needed any more");
  expect(code).toBe(0);
  const last = readTrace(done.place, trace).at(-1);
  expect([last?.actor.role, last?.body]).toEqual([
    "operator",
    expect.objectContaining({ to: "rejected", reason: "Not needed any more" }),
  ]);
});

const CODER = { agent: "coder", role: "executor", task: "t", run: undefined, depth: 0 } as const;

test("the roles that are to know of a submission are told once, by the runtime", async () => {
  const done = await doneWork();
  const { place, env, work, commit } = done;
  const submit = () =>
    submitWork(
      { place, env, signal },
      {
        ...{ artifact: work, packet_markdown: "It is done.", files: [] },
        ...{ notify_roles: ["critic", "auditor"], urgency: "hotfix" },
      },
      CODER,
    );
  const { submission_id: id, status } = await submit();
  expect(status).toBe("accepted");
  await submit();
  const bus = Bus.open({ place, task: "t" });
  const said = readBus(bus, {});
  bus.close();
  expect(said).toMatchObject([
    {
      kind: "WARNING",
      text: `For auditor,critic: submission ${id}, a hotfix, of commit ${commit} is accepted.`,
      meta: { submission: id, status: "accepted", urgency: "hotfix", roles: "auditor,critic" },
    },
  ]);
  const kept = readFileSync(join(place.store, "submissions", `${id}.json`), "utf8");
  expect(JSON.parse(kept)).toMatchObject({
    urgency: "hotfix",
    notify_roles: ["critic", "auditor"],
  });
});

test("a queued submission is accepted when somebody has sent it", async () => {
  const done = await doneWork();
  const { place, env, work, home } = done;
  const remote = join(home, "remote.git");
  git(done, "init", "-q", "--bare", remote);
  writeFileSync(join(done.path, "sworn.yaml"), `deliver:\n  out: { kind: git, url: ${remote} }\n`);
  const asked = {
    ...{ artifact: work, packet_markdown: "It is done.", files: [] },
    ...{ notify_roles: [], urgency: "standard" as const },
  };
  const submit = () => submitWork({ place, env, signal }, asked, CODER);
  const first = await submit();
  expect(first.status).toBe("queued");
  expect((await deliver(done, "out")).effect?.status).toBe("planned");
  expect((await submit()).status).toBe("queued");
  expect((await deliver(done, "out", true)).effect?.status).toBe("sent");
  expect(await submit()).toEqual({ ...first, status: "accepted" });
  expect(readdirSync(join(place.store, "submissions"))).toHaveLength(1);
});

test("a submission that cannot be read is named, and what arrived counts as delivered", async () => {
  const done = await doneWork();
  const { place, env, work, home } = done;
  const remote = join(home, "remote.git");
  git(done, "init", "-q", "--bare", remote);
  writeFileSync(join(done.path, "sworn.yaml"), `deliver:\n  out: { kind: git, url: ${remote} }\n`);
  const asked = {
    ...{ artifact: work, packet_markdown: "It is done.", files: [] },
    ...{ notify_roles: [], urgency: "standard" as const },
  };
  const submit = () => submitWork({ place, env, signal }, asked, CODER);
  const { submission_id } = await submit();
  const folder = join(place.store, "submissions");
  writeFileSync(join(folder, "sub-0000000000000000.json"), '{"v":1,"work":7}');
  writeFileSync(join(folder, "sub-1111111111111111.json"), "{");
  const steps: string[] = [];
  const onStep = (words: string) => steps.push(words);
  const to = deliveryOf(done, "out", "not-a-real-token");
  const sent = await deliverTask({ ...to, isSent: true, onStep });
  expect(sent.effect?.status).toBe("sent");
  expect(await submit()).toEqual({ submission_id, status: "accepted" });
  const named = steps.filter((words) => words.includes("sub-"));
  expect(named).toHaveLength(2);
  expect(named[0]).toMatch(/sub-0{16}\.json cannot be read: id is missing/);
  expect(named[1]).toMatch(/sub-1{16}\.json cannot be read: not JSON: /);
});

test("a report of a work that is damaged is named in one line", async () => {
  const done = await doneWork();
  const path = join(done.place.store, "work", done.work, "report.json");
  const delivered = async () => {
    const error: unknown = await deliver(done).catch((thrown: unknown) => thrown);
    return error instanceof Error ? [Reflect.get(error, "code"), error.message] : undefined;
  };
  writeFileSync(path, '{"v":1}');
  const [code, words = ""] = (await delivered()) ?? [];
  expect([code, words.includes("\n")]).toEqual(["STORE_UNREADABLE", false]);
  expect(words).toContain(`${path} cannot be read: `);
  writeFileSync(path, "{");
  expect(await delivered()).toEqual([
    "STORE_UNREADABLE",
    expect.stringContaining(`${path} cannot be read: not JSON: `),
  ]);
});

test("four who deliver the same work at once take turns, and it is delivered once", async () => {
  const done = await doneWork();
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => deliver(done)));
  const statuses = outcomes.map(({ effect }) => effect?.status).toSorted();
  expect(statuses).toEqual(["present", "present", "present", "sent"]);
  expect(new Set(outcomes.map(({ packet }) => packet?.digest)).size).toBe(1);
  expect((await judged(outcomes[0]?.packet?.tar ?? "")).status).not.toBe("fail");
  const left = readdirSync(join(done.place.store, "work", done.work, "delivering"));
  expect(left).toEqual([]);
});

test("a damaged report of a work is named to who submits, and keeps no other work from it", async () => {
  const done = await doneWork();
  const { place, env, work, commit } = done;
  const submit = (artifact: string) =>
    submitWork(
      { place, env, signal },
      {
        ...{ artifact, packet_markdown: "It is done.", files: [] },
        ...{ notify_roles: [], urgency: "standard" },
      },
      CODER,
    );
  const newer = join(place.store, "work", "z".repeat(26));
  mkdirSync(newer);
  writeFileSync(join(newer, "report.json"), "{");
  expect((await submit(`git:${commit}`)).status).toBe("accepted");
  expect(await submit(`git:${"0".repeat(40)}`)).toMatchObject({
    status: "rejected",
    error: expect.stringMatching(/z{26}\/report\.json cannot be read: not JSON: /),
  });
  writeFileSync(join(place.store, "work", work, "report.json"), "{");
  expect(await submit(work)).toMatchObject({
    status: "rejected",
    error: expect.stringContaining(`${work}/report.json cannot be read: not JSON: `),
  });
});
