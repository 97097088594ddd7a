import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deliverTask } from "../../../../src/flow/deliver/task/deliver-task.ts";
import { askForge } from "../../../../src/flow/deliver/task/look-for-merge.ts";
import { endReview } from "../../../../src/flow/deliver/task/move-delivered.ts";
import { RUNTIME } from "../../../../src/flow/talk/bus.ts";
import { readTrace } from "../../../../src/flow/trace/look.ts";
import { soundEntries } from "../../../../src/flow/trace/sound-entries.ts";
import { findReview } from "../../../../src/flow/vote/find-review.ts";
import { sworn } from "../../../fake/child.ts";
import { agreeOn, deliveryOf } from "./agreed-work.ts";
import { type DoneWork, doneWork, git } from "./delivery-world.ts";
import { FakeForge } from "./fake-forge.ts";

const TOKEN = "not-a-real-token-0123456789";
const OTHER = "a".repeat(40);

/** A work that was agreed on and handed to a forge as request 1, and what asks about it. */
async function scene() {
  const done = await doneWork({ profile: "team" });
  const forge = await FakeForge.start();
  const remote = join(done.home, "remote.git");
  git(done, "init", "-q", "--bare", remote);
  const listed = `{ kind: pull-request, api: "${forge.api}", repository: team/app, url: ${remote}, token_env: SWORN_DELIVER_TOKEN }`;
  list(done, listed);
  const agreed = await agreeOn(done);
  const { effect } = await deliverTask({ ...deliveryOf(done, "out", TOKEN), isSent: true });
  expect(effect).toMatchObject({ status: "sent", request: 1 });
  forge.asked.splice(0);
  return { done, forge, ...agreed };
}

function list({ path }: DoneWork, text: string): void {
  writeFileSync(join(path, "sworn.yaml"), `deliver:\n  out: ${text}\n`);
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** What the forge knows of the request by now. */
function become({ forge, done }: Scene, more: object): void {
  const known = { state: "closed", merged: false, merge_commit_sha: OTHER, base: { ref: "main" } };
  const head = { ref: `sworn/delivered/${done.work}`, sha: done.commit };
  Object.assign(forge.requests[0] ?? {}, { ...known, head, ...more });
}

function reviewIn({ done, trace, completion }: Scene) {
  return findReview({ place: done.place, trace }, completion);
}

/** Asks the forge and records what it says, without waiting between attempts. */
async function ask(scene: Scene) {
  const { place, path: root, env } = scene.done;
  const asking = {
    ...{ place, root, env: { ...env, SWORN_DELIVER_TOKEN: TOKEN }, onStep: () => {} },
    ...{ signal: new AbortController().signal, pause: async () => {} },
  };
  const review = reviewIn(scene);
  return endReview(place, review, RUNTIME, await askForge(asking, review));
}

/** `sworn settle --ask`, in the project. */
function settle({ done, completion }: Scene, ...more: string[]) {
  const here = { project: done.path, state: join(done.home, "state") };
  const env = { SWORN_DELIVER_TOKEN: TOKEN };
  return sworn(here, ["settle", "--json", completion, ...more], { env });
}

test("a request that was merged at the delivered commit ends its review, by the runtime", async () => {
  const one = await scene();
  become(one, { merged: true });
  const { code, out } = await settle(one, "--ask");
  expect([code, JSON.parse(out)]).toEqual([
    0,
    expect.objectContaining({
      moved: "merged",
      reason: `request 1 of team/app was merged into main as ${OTHER}`,
    }),
  ]);
  expect(one.forge.asked).toMatchObject([
    { method: "GET", path: "/repos/team/app/pulls/1", authorization: `Bearer ${TOKEN}` },
  ]);
  expect(reviewIn(one).phase).toBe("MERGED");
  const last = readTrace(one.done.place, one.trace).at(-1);
  expect([last?.type, last?.actor.role]).toEqual(["review_moved", "runtime"]);
  expect((await soundEntries(one.done.place, one.trace)).entries.at(-1)).toEqual(last);
  // It is over: nobody is asked again.
  expect(JSON.parse((await settle(one, "--ask")).out)).toMatchObject({ moved: null });
  expect(one.forge.asked).toHaveLength(1);
});

test("a request that was closed is a rejection, an open one is nothing yet", async () => {
  const one = await scene();
  become(one, { state: "open" });
  expect(await ask(one)).toMatchObject({ moved: null, reason: "request 1 of team/app is open" });
  expect(reviewIn(one).phase).toBe("SUBMITTED");
  become(one, {});
  expect(await ask(one)).toMatchObject({ moved: "rejected" });
  expect(reviewIn(one).phase).toBe("REJECTED");
});

test("a request with another head is stale, merged or not", async () => {
  const one = await scene();
  const head = { ref: `sworn/delivered/${one.done.work}`, sha: OTHER };
  for (const merged of [true, false]) {
    become(one, { merged, head });
    const found = await ask(one);
    expect(found).toMatchObject({ moved: null });
    expect(JSON.stringify(found)).toContain(
      `${merged ? "merged" : "closed"} and stale: its head is ${OTHER}, not ${one.done.commit}`,
    );
  }
  expect(reviewIn(one).phase).toBe("SUBMITTED");
});

test("what was merged into another branch than the listed one is not merged", async () => {
  const one = await scene();
  become(one, { merged: true, base: { ref: "scratch" } });
  expect(await ask(one)).toMatchObject({
    moved: null,
    reason: "request 1 of team/app was merged into scratch, not into main",
  });
  expect(reviewIn(one).phase).toBe("SUBMITTED");
});

test("an answer that does not count records nothing", async () => {
  const one = await scene();
  const elsewhere = await FakeForge.start();
  const before = readTrace(one.done.place, one.trace).length;
  become(one, { merged: true });
  const good = one.forge.requests[0] ?? {};
  const location = `${elsewhere.api}/repos/team/app/pulls/1`;
  const faults = [
    [/answered 404/, { status: 404, body: { message: "Not Found" } }],
    [/answered 401.*SWORN_DELIVER_TOKEN/, { status: 401, body: { message: "no" } }],
    [/answered 301.*redirects are not followed/, { status: 301, headers: { location } }],
    [/more than 1048576 bytes/, { status: 200, body: { ...good, more: "x".repeat(2 << 20) } }],
    [/else than request 1/, { status: 200, body: { ...good, number: 2 } }],
    [/else than request 1/, { status: 200, body: { ...good, state: "open" } }],
    [/in a form that no forge has/, { status: 200, body: { ...good, merged: "yes" } }],
    [/in a form that no forge has/, { status: 200, body: [good] }],
    [/limits how often it is asked/, { status: 429 }],
    [/limits how often it is asked/, { status: 403, headers: { "x-ratelimit-remaining": "0" } }],
    [/answered 500, 4 times/, { status: 500 }],
  ] as const;
  for (const [words, fault] of faults) {
    one.forge.faults.splice(0, Infinity, ...Array.from({ length: 4 }, () => fault));
    await expect(ask(one)).rejects.toThrow(words);
  }
  one.forge.faults.splice(0);
  expect(elsewhere.asked).toEqual([]);
  expect(readTrace(one.done.place, one.trace)).toHaveLength(before);
  // The same forge, in order again, is believed.
  expect(await ask(one)).toMatchObject({ moved: "merged" });
});

test("nobody is asked who is not listed any more, or about what was no request", async () => {
  const one = await scene();
  become(one, { merged: true });
  expect((await settle(one, "--ask", "--merged", "--why", "x")).code).toBe(2);
  list(one.done, "{ kind: branch }");
  await expect(ask(one)).rejects.toThrow(/does not list as a pull request any more/);
  const other = await doneWork({ profile: "team" });
  const agreed = await agreeOn(other);
  await deliverTask(deliveryOf(other, "branch", TOKEN));
  await expect(ask({ ...one, ...agreed, done: other })).rejects.toThrow(
    /no record says that .* was delivered as a pull request/,
  );
  expect(one.forge.asked).toEqual([]);
});

test("the branch that it was delivered on, and no branch at all, are not where it is merged", async () => {
  const done = await doneWork({ profile: "team" });
  const { trace, completion } = await agreeOn(done);
  writeFileSync(
    join(done.path, "sworn.yaml"),
    "deliver:\n  out: { kind: branch, prefix: done/ }\n",
  );
  await deliverTask(deliveryOf(done, "out", TOKEN));
  const settle = async (...more: string[]) => {
    const here = { project: done.path, state: join(done.home, "state") };
    return JSON.parse((await sworn(here, ["settle", "--json", completion, ...more])).out);
  };
  git(done, "checkout", "-q", `done/${done.work}`);
  expect(await settle()).toMatchObject({ moved: null });
  git(done, "checkout", "-q", "--detach");
  expect(await settle()).toMatchObject({ moved: null });
  expect(await settle("--into", done.commit)).toMatchObject({ moved: null });
  git(done, "branch", "sworn/work/x", done.commit);
  expect(await settle("--into", "sworn/work/x")).toMatchObject({ moved: null });
  expect(findReview({ place: done.place, trace }, completion).phase).toBe("SUBMITTED");
  git(done, "checkout", "-q", "main");
  git(done, "merge", "-q", `done/${done.work}`);
  expect(await settle()).toMatchObject({ moved: "merged", reason: "main contains it" });
});
