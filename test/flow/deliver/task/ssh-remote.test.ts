import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deliverTask } from "../../../../src/flow/deliver/task/deliver-task.ts";
import { readTrace } from "../../../../src/flow/trace/look.ts";
import { Repository } from "../../../../src/repo/index.ts";
import { temporaryFolder } from "../../../fake/sandbox.ts";
import { deliveryOf } from "./agreed-work.ts";
import { doneWork, git } from "./delivery-world.ts";
import { type SshServer, sshServer } from "./ssh-server.ts";

/** A work, and an empty repository behind a real sshd that the client does not know yet. */
async function scene() {
  const done = await doneWork();
  const root = temporaryFolder();
  const remote = join(root, "app.git");
  git(done, "init", "-q", "--bare", remote);
  const folder = join(root, "ssh");
  mkdirSync(folder, { mode: 0o700 });
  const server = await sshServer(folder);
  const branch = `sworn/delivered/${done.work}`;
  const send = async () => {
    const listed = `{ kind: git, url: "${server.url}${remote}" }`;
    writeFileSync(join(done.path, "sworn.yaml"), `deliver:\n  out: ${listed}\n`);
    const env = { ...done.env, PATH: server.path };
    const repository = await Repository.open(done.path, { env });
    try {
      return await deliverTask({ ...deliveryOf(done, "out", ""), repository, isSent: true });
    } finally {
      repository.close();
    }
  };
  return { done, server, branch, send, there: { ...done, path: remote } };
}

function know({ knownHosts, knownLine }: SshServer): void {
  writeFileSync(knownHosts, `${knownLine}\n`);
}

test("sshd: a known host takes the branch once, and is asked for nothing but git's services", async () => {
  const { done, server, branch, send, there } = await scene();
  know(server);
  expect((await send()).effect).toMatchObject({ status: "sent", branch });
  expect(git(there, "rev-parse", branch)).toBe(done.commit);
  expect(server.asked()).toEqual([
    `git-upload-pack '${there.path}'`,
    `git-receive-pack '${there.path}'`,
  ]);
  expect((await send()).effect?.status).toBe("present");
  expect(server.asked()).toHaveLength(3);
  expect(server.asked()[2]).toContain("git-upload-pack");
  expect(readFileSync(server.knownHosts, "utf8")).toBe(`${server.knownLine}\n`);
}, 60_000);

test("sshd: a host whose key nobody knows gets nothing, whatever the client's settings say", async () => {
  const { done, server, send, there } = await scene();
  for (const lines of [[], ["StrictHostKeyChecking accept-new"], ["StrictHostKeyChecking no"]]) {
    server.configure(...lines);
    await expect(send()).rejects.toThrow(
      /did not take it.*Host key verification failed.*connect to it once/s,
    );
  }
  expect(server.asked()).toEqual([]);
  expect(readFileSync(server.knownHosts, "utf8")).toBe("");
  expect(git(there, "branch", "--list")).toBe("");
  const last = done.place.traces().at(-1) ?? "";
  const types = readTrace(done.place, last).map(({ type }) => type);
  expect(types).toContain("tool_execution_failed");
  expect(types).not.toContain("tool_execution_completed");
}, 60_000);

test("sshd: a host that shows another key than the known one gets nothing", async () => {
  const { server, send } = await scene();
  const other = await scene();
  const [, ...otherKey] = other.server.knownLine.split(" ");
  const [host] = server.knownLine.split(" ");
  writeFileSync(server.knownHosts, `${[host, ...otherKey].join(" ")}\n`);
  server.configure("StrictHostKeyChecking no");
  await expect(send()).rejects.toThrow(/did not take it/);
  expect(server.asked()).toEqual([]);
}, 60_000);

test("sshd: nothing that is there is moved, also where it comes to be between look and push", async () => {
  const { done, server, branch, send, there } = await scene();
  know(server);
  git(done, "push", "-q", there.path, `${done.start}:refs/heads/main`);
  // The server would take a push by force: only we can keep from it.
  git(there, "config", "receive.denyNonFastForwards", "false");
  server.beforePush(`git -C '${there.path}' update-ref 'refs/heads/${branch}' ${done.start}`);
  await expect(send()).rejects.toThrow(/did not take it.*stale info/s);
  expect(git(there, "rev-parse", branch)).toBe(done.start);
  const tree = git(there, "rev-parse", `${done.start}^{tree}`);
  const apart = git(there, "commit-tree", tree, "-m", "something else");
  git(there, "update-ref", `refs/heads/${branch}`, apart);
  server.beforePush("true");
  const before = server.asked().length;
  const { refused } = await send();
  expect(refused).toMatchObject({ rule: "U.6" });
  expect(refused?.reason).toContain(`is at ${apart}, not at ${done.commit}`);
  expect(git(there, "rev-parse", branch)).toBe(apart);
  expect(server.asked().slice(before)).toEqual([`git-upload-pack '${there.path}'`]);
}, 60_000);
