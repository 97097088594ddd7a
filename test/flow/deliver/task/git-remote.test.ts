import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deliverTask } from "../../../../src/flow/deliver/task/deliver-task.ts";
import { readTrace } from "../../../../src/flow/trace/look.ts";
import { Repository } from "../../../../src/repo/index.ts";
import { Config } from "../../../../src/schema/config.ts";
import { temporaryFolder } from "../../../fake/sandbox.ts";
import { deliveryOf } from "./agreed-work.ts";
import { type DoneWork, doneWork, filesBelow, git } from "./delivery-world.ts";
import { gitServer, watchedPrograms } from "./git-server.ts";

const TOKEN = "not-a-real-token-9876543210";
const BASIC = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");

/** A work, an empty repository elsewhere, and programs that note how they are called. */
async function scene() {
  const done = await doneWork();
  const root = temporaryFolder();
  const remote = join(root, "app.git");
  git(done, "init", "-q", "--bare", remote);
  const watched = watchedPrograms(root);
  const branch = `sworn/delivered/${done.work}`;
  return { done, root, remote, watched, branch, there: { ...done, path: remote } };
}

/** Delivers to a listed remote, with the watched programs and what the user's environment has. */
async function send(done: DoneWork, listed: string, env: Record<string, string>, token = TOKEN) {
  writeFileSync(join(done.path, "sworn.yaml"), `deliver:\n  out: ${listed}\n`);
  const delivery = deliveryOf(done, "out", token);
  const repository = await Repository.open(done.path, { env: { ...done.env, ...env } });
  try {
    return await deliverTask({ ...delivery, repository, isSent: true });
  } finally {
    repository.close();
  }
}

test("https: a token lets the branch in, and is in no argument, no packet and no record", async () => {
  const { done, root, watched, branch, there } = await scene();
  const server = await gitServer(root, TOKEN);
  const listed = `{ kind: git, url: "${server.url}/app.git", token_env: SWORN_DELIVER_TOKEN }`;
  const env = { PATH: watched.path, GIT_SSL_CAINFO: server.caFile };
  const { effect, packet, trace } = await send(done, listed, env);
  expect(effect).toMatchObject({ status: "sent" });
  expect(git(there, "rev-parse", branch)).toBe(done.commit);
  expect(server.shown).toContain(`Basic ${BASIC}`);
  expect((await send(done, listed, env)).effect?.status).toBe("present");
  const calls = readFileSync(watched.log, "utf8");
  expect(calls).toContain("push --no-verify");
  const kept = [...filesBelow(packet?.folder ?? ""), ...filesBelow(join(done.path, ".sworn"))];
  const all = [calls, JSON.stringify(readTrace(done.place, trace ?? ""))];
  for (const secret of [TOKEN, BASIC]) {
    expect(all.join("\n")).not.toContain(secret);
    expect(kept.filter(([, bytes]) => bytes.includes(secret)).map(([name]) => name)).toEqual([]);
  }
}, 60_000);

test("https: a wrong token and an unknown authority are failures that tell no token", async () => {
  const { done, root, watched } = await scene();
  const server = await gitServer(root, "another-token");
  const listed = `{ kind: git, url: "${server.url}/app.git", token_env: SWORN_DELIVER_TOKEN }`;
  const env = { PATH: watched.path, GIT_SSL_CAINFO: server.caFile };
  const wrong = await send(done, listed, env).catch(String);
  expect(wrong).toContain("did not take it");
  const unknown = await send(done, listed, { PATH: watched.path }).catch(String);
  expect(unknown).toContain("did not take it");
  for (const words of [wrong, unknown]) {
    expect(words).not.toContain(TOKEN);
    expect(words).not.toContain(BASIC);
  }
}, 60_000);

test("https: a branch that diverged is refused with both commits, also when it comes between", async () => {
  const { done, root, watched, branch, there } = await scene();
  const server = await gitServer(root, TOKEN);
  const listed = `{ kind: git, url: "${server.url}/app.git", token_env: SWORN_DELIVER_TOKEN }`;
  const env = { PATH: watched.path, GIT_SSL_CAINFO: server.caFile };
  git(done, "push", "-q", there.path, `${done.start}:refs/heads/main`);
  // Between our look and the push somebody makes the branch, at a commit that ours is on top of.
  server.beforePush = () => void git(there, "update-ref", `refs/heads/${branch}`, done.start);
  await expect(send(done, listed, env)).rejects.toThrow(/did not take it.*stale info/s);
  expect(git(there, "rev-parse", branch)).toBe(done.start);
  const { refused } = await send(done, listed, env);
  expect(refused).toMatchObject({ rule: "U.6" });
  expect(refused?.reason).toContain(`is at ${done.start}, not at ${done.commit}`);
  expect(git(there, "rev-parse", branch)).toBe(done.start);
}, 60_000);

test("ssh: the branch goes through git's own protocol, once, without a prompt or a token", async () => {
  const { done, remote, watched, branch, there } = await scene();
  const listed = `{ kind: git, url: "ssh://git@forge.example.org${remote}", token_env: SWORN_DELIVER_TOKEN }`;
  const env = { PATH: watched.path };
  expect((await send(done, listed, env)).effect?.status).toBe("sent");
  expect(git(there, "rev-parse", branch)).toBe(done.commit);
  expect((await send(done, listed, env)).effect?.status).toBe("present");
  const calls = readFileSync(watched.log, "utf8");
  expect(calls).toMatch(/^ssh -a -x -o BatchMode=yes .*git@forge\.example\.org git-receive-pack /m);
  for (const secret of [TOKEN, BASIC]) expect(calls).not.toContain(secret);
  git(there, "update-ref", `refs/heads/${branch}`, done.start);
  const { refused } = await send(done, listed, env);
  expect(refused?.reason).toContain(`is at ${done.start}, not at ${done.commit}`);
  expect(readdirSync(remote)).toContain("objects");
}, 60_000);

test("an address with a password in it is no place that can be listed", () => {
  const listed = (url: string) =>
    Config.safeParse({ deliver: { out: { kind: "git", url } } }).success;
  expect(listed("https://forge.example.org/team/app.git")).toBe(true);
  expect(listed("ssh://git@forge.example.org:22/team/app.git")).toBe(true);
  expect(listed("https://user:word@forge.example.org/team/app.git")).toBe(false);
  expect(listed("https://token@forge.example.org/team/app.git")).toBe(false);
  expect(listed("ssh://git:word@forge.example.org/team/app.git")).toBe(false);
  expect(listed("http://forge.example.org/team/app.git")).toBe(false);
  expect(listed("ext::sh -c evil")).toBe(false);
});
