import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { quotedAt } from "../../../../src/flow/context/address-part.ts";
import { deliverTask, type TaskDelivery } from "../../../../src/flow/deliver/task/deliver-task.ts";
import { submitWork } from "../../../../src/flow/deliver/task/submit-work.ts";
import { readTrace } from "../../../../src/flow/trace/look.ts";
import { verifies } from "../../../verifies.ts";
import { type Act, planOf, subtask } from "../../work/work-world.ts";
import { agreeOn, deliveryOf } from "./agreed-work.ts";
import {
  type DoneWork,
  doneWork,
  failedCheck,
  git,
  judged,
  membersOf,
  tarFrom,
} from "./delivery-world.ts";
import { FakeForge } from "./fake-forge.ts";

const TOKEN = "not-a-real-token-0123456789";
const signal = new AbortController().signal;

function deliver(done: DoneWork, to: string, more: Partial<TaskDelivery> = {}) {
  return deliverTask({ ...deliveryOf(done, to, TOKEN), ...more });
}

/** Lists a sink in the project's own file. */
function list({ path }: DoneWork, text: string): void {
  writeFileSync(join(path, "sworn.yaml"), `deliver:\n  out: ${text}\n`);
}

/** An empty repository that can be pushed to. */
function remoteOf(done: DoneWork): string {
  const path = join(done.home, "remote.git");
  git(done, "init", "-q", "--bare", path);
  return path;
}

test("a work goes onto a branch of its own, once, and nobody's files are touched", async () => {
  const done = await doneWork();
  const before = git(done, "rev-parse", "HEAD");
  const first = await deliver(done, "branch");
  expect(first.effect).toMatchObject({ status: "sent" });
  const branch = `sworn/delivered/${done.work}`;
  expect(git(done, "rev-parse", branch)).toBe(done.commit);
  expect(git(done, "rev-parse", "HEAD")).toBe(before);
  expect(git(done, "status", "--porcelain")).toBe("");
  const again = await deliver(done, "branch");
  expect(again.effect).toMatchObject({ status: "present" });
  expect(again.packet?.digest).toBe(first.packet?.digest);
  const types = readTrace(done.place, first.trace ?? "").map(({ type }) => type);
  expect(types).toContain("final_statement_signed");
});

test("what was delivered and then checked out is there already", async () => {
  const done = await doneWork();
  await deliver(done, "branch");
  git(done, "checkout", "-q", `sworn/delivered/${done.work}`);
  const again = await deliver(done, "branch");
  expect(again).toMatchObject({ refused: undefined, effect: { status: "present" } });
});

test("a branch that is checked out or elsewhere is left alone", async () => {
  const done = await doneWork();
  const branch = `sworn/delivered/${done.work}`;
  git(done, "checkout", "-q", "-b", branch);
  expect((await deliver(done, "branch")).refused).toMatchObject({
    rule: "U.6",
    reason: expect.stringContaining("is checked out"),
  });
  git(done, "checkout", "-q", "main");
  expect((await deliver(done, "branch")).refused).toMatchObject({
    rule: "U.6",
    reason: expect.stringContaining("nothing is moved by force"),
  });
  expect(git(done, "rev-parse", branch)).toBe(done.start);
});

verifies("004-41", "a place that is not listed is a hard refusal, and is on record", async () => {
  const done = await doneWork();
  for (const to of ["elsewhere", "constructor", "https://paste.example.org/x?token=1"]) {
    const { refused, trace, packet } = await deliver(done, to, { isSent: true });
    expect(refused?.rule).toBe("U.2");
    expect(refused?.reason).not.toContain("token=1");
    expect(packet).toBeUndefined();
    expect(readTrace(done.place, trace ?? "").at(-1)?.type).toBe("session_aborted");
  }
  list(done, "{ kind: git, url: https://gist.github.com/somebody/1 }");
  expect((await deliver(done, "out", { isSent: true })).refused?.rule).toBe("U.1");
});

test("a remote is pushed to only with a word, once, and never by force", async () => {
  const done = await doneWork();
  const remote = remoteOf(done);
  list(done, `{ kind: git, url: ${remote} }`);
  const there = { ...done, path: remote };
  expect((await deliver(done, "out")).effect?.status).toBe("planned");
  expect(git(there, "branch", "--list")).toBe("");
  expect((await deliver(done, "out", { isSent: true })).effect?.status).toBe("sent");
  const branch = `sworn/delivered/${done.work}`;
  expect(git(there, "rev-parse", branch)).toBe(done.commit);
  expect((await deliver(done, "out", { isSent: true })).effect?.status).toBe("present");
  // Somebody else moved it meanwhile.
  git(there, "update-ref", `refs/heads/${branch}`, done.start);
  expect((await deliver(done, "out", { isSent: true })).refused).toMatchObject({
    rule: "U.6",
    reason: expect.stringContaining(`is at ${done.start}, not at ${done.commit}`),
  });
  expect(git(there, "rev-parse", branch)).toBe(done.start);
});

test("a token is asked for only where something is sent", async () => {
  const done = await doneWork();
  const remote = remoteOf(done);
  const at = `api: "http://127.0.0.1:9", repository: team/app, url: ${remote}`;
  list(done, `{ kind: pull-request, ${at}, token_env: SWORN_DELIVER_TOKEN }`);
  const { env } = done;
  expect((await deliver(done, "out", { env })).effect?.status).toBe("planned");
  await expect(deliver(done, "out", { env, isSent: true })).rejects.toThrow(
    /^the variable SWORN_DELIVER_TOKEN is not set: a place of the kind pull-request needs it/,
  );
});

test("the path of a remote is taken from where the list of them stands", async () => {
  const done = await doneWork();
  const remote = remoteOf(done);
  list(done, `{ kind: git, url: ./${relative(done.path, remote)} }`);
  const { effect } = await deliver(done, "out", { isSent: true });
  expect(effect?.status).toBe("sent");
  const there = { ...done, path: remote };
  expect(git(there, "rev-parse", `sworn/delivered/${done.work}`)).toBe(done.commit);
});

const SECRET = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hL3nR6"}`;
const RECIPIENT = "age1lelzzyt9ryxpqaz59n4gx0r6awgskz3m3dn9qpcr76dfqh2g0ezs0vf9xd";

test("what looks like a secret in the change keeps all of it here, whatever the sink", async () => {
  const act = () => ({
    files: { "st-01.txt": `token = "${SECRET}"\n` },
    output: { path: "st-01.txt" },
  });
  const done = await doneWork({ act, name: "secret" });
  const remote = remoteOf(done);
  const forge = await FakeForge.start();
  const folder = join(done.home, "results");
  mkdirSync(folder);
  for (const sink of [
    "{ kind: branch }",
    `{ kind: git, url: ${remote} }`,
    `{ kind: pull-request, api: "${forge.api}", repository: team/app, url: ${remote}, token_env: SWORN_DELIVER_TOKEN }`,
    `{ kind: folder, path: ${folder}, plain: true }`,
    `{ kind: folder, path: ${folder}, recipients: [${RECIPIENT}] }`,
    `{ kind: https, url: "https://127.0.0.1:9/", recipients: [${RECIPIENT}] }`,
  ]) {
    list(done, sink);
    const { refused, effect } = await deliver(done, "out", { isSent: true });
    expect(refused, sink).toMatchObject({
      rule: "W.2",
      reason: expect.stringContaining("change.diff"),
    });
    expect(refused?.reason).not.toContain(SECRET);
    expect(effect).toBeUndefined();
  }
  expect(git(done, "branch", "--list", "sworn/delivered/*")).toBe("");
  expect(git({ ...done, path: remote }, "branch", "--list")).toBe("");
  expect([forge.asked, readdirSync(folder)]).toEqual([[], []]);
});

/** The second of two subtasks takes away again what the first one left beside its own file. */
function passing(name: string, text: string): Act {
  return ({ subtask: { id } }) => {
    const path = `${id.toLowerCase()}.txt`;
    return id === "ST-01"
      ? { files: { [path]: "one\n", [name]: text }, output: { path } }
      : { files: { [path]: "two\n" }, gone: [name], output: { path } };
  };
}

test("what a later commit took out again keeps all of it here: the branch would bring it along", async () => {
  for (const [name, text, found] of [
    ["notes.txt", `token = "${SECRET}"\n`, "a commit on the way to it"],
    [".env", "PORT=8080\n", ".env (its name)"],
  ] as const) {
    const plan = planOf([subtask("ST-01"), subtask("ST-02", { depends_on: ["ST-01"] })]);
    const done = await doneWork({ act: passing(name, text), name, plan });
    expect(git(done, "diff", "--name-only", done.start, done.commit)).toBe("st-01.txt\nst-02.txt");
    const { refused } = await deliver(done, "branch");
    expect(refused).toMatchObject({ rule: "W.2", reason: expect.stringContaining(found) });
    expect(refused?.reason).not.toContain(SECRET);
    expect(git(done, "branch", "--list", "sworn/delivered/*")).toBe("");
  }
});

test("a file with a secret can be deleted, and not moved, changed or sent along in a packet", async () => {
  const files = { ".env": `TOKEN=${SECRET}\n`, "config/app.env": "PORT=1\n" };
  const done = (name: string, more: object) => {
    const act = () => ({ files: { "st-01.txt": "one\n" }, output: { path: "st-01.txt" }, ...more });
    return doneWork({ act, name, files });
  };
  const gone = await done("deleted", { gone: [".env", "config/app.env"] });
  expect(git(gone, "diff", "--name-status", gone.start, gone.commit)).toContain("D\t.env");
  expect(await deliver(gone, "branch")).toMatchObject({ refused: undefined });
  const remote = remoteOf(gone);
  list(gone, `{ kind: git, url: ${remote} }`);
  expect(await deliver(gone, "out", { isSent: true })).toMatchObject({ refused: undefined });
  // A packet goes to somebody who may never have had the file.
  const folder = join(gone.home, "results");
  mkdirSync(folder);
  list(gone, `{ kind: folder, path: ${folder}, plain: true }`);
  const { refused } = await deliver(gone, "out", { isSent: true });
  expect(refused).toMatchObject({ rule: "W.2", reason: expect.stringContaining("change.diff") });
  const one = { "st-01.txt": "one\n" };
  const moved = { gone: [".env"], files: { ...one, "notes.txt": `TOKEN=${SECRET}\n` } };
  const changed = { files: { ...one, "config/app.env": "PORT=2\n" } };
  for (const [name, more, found] of [
    ["moved", moved, "change.diff"],
    ["changed", changed, "config/app.env (its name)"],
  ] as const) {
    expect(await deliver(await done(name, more), "branch"), name).toMatchObject({
      refused: { rule: "W.2", reason: expect.stringContaining(found) },
    });
  }
});

test("a team's work waits until others agreed on its commit, and their votes go along", async () => {
  const done = await doneWork({ profile: "team" });
  expect((await deliver(done, "branch")).refused).toMatchObject({
    rule: "2.6",
    reason: expect.stringContaining("nobody has agreed"),
  });
  await agreeOn(done);
  const { packet, effect } = await deliver(done, "branch");
  expect(effect?.status).toBe("sent");
  expect(packet?.head.consensus).toMatchObject({ phase: "CONSENSUS", green: 3, yellow: 0, red: 0 });
  expect((await judged(packet?.tar ?? "")).status).not.toBe("fail");
  const page = readFileSync(join(packet?.folder ?? "", "PACKET.md"), "utf8");
  expect(page).toContain("cleo, critic: green: I read it");
  expect(page).toContain("| tests | done |");
  expect(page).toContain("- Licences: done:");
  // Whoever has the project finds everything that the packet came from.
  const addresses = [...page.matchAll(/ucxl:\/\/[^\s`]+/g)].map(([address]) => address);
  expect(addresses.length).toBeGreaterThan(3);
  const files = { repository: done.path, env: done.env, signal };
  for (const address of addresses) {
    const quoted = await quotedAt(address, { place: done.place, files, traces: undefined });
    expect(quoted, address).toHaveLength(1);
  }
  // The agreement cannot be had without the record of the votes.
  const members = membersOf(packet?.tar ?? "");
  members.delete("review.tar");
  writeFileSync(join(done.home, "cut.packet.tar"), tarFrom(members));
  expect(failedCheck(await judged(join(done.home, "cut.packet.tar")))).toBe("members");
});

test("a folder gets the packet once, plain here and encrypted as a vault", async () => {
  const done = await doneWork();
  mkdirSync(join(done.home, "shelf"));
  list(done, "{ kind: folder, path: ../shelf, plain: true }");
  expect((await deliver(done, "out", { isSent: true })).effect?.status).toBe("sent");
  expect((await deliver(done, "out", { isSent: true })).effect?.status).toBe("present");
  const [name = "", ...more] = readdirSync(join(done.home, "shelf"));
  expect(more).toEqual([]);
  expect(name).toMatch(/^[0-9a-z]{26}-[0-9a-f]{16}\.packet\.tar$/);
  const age = await import("age-encryption");
  const identity = await age.generateIdentity();
  list(
    done,
    `{ kind: folder, path: ../shelf, recipients: [${await age.identityToRecipient(identity)}] }`,
  );
  expect((await deliver(done, "out", { isSent: true })).effect?.status).toBe("sent");
  const decrypter = new age.Decrypter();
  decrypter.addIdentity(identity);
  const sealed = readFileSync(join(done.home, "shelf", `${name}.age`));
  const plain = Buffer.from(await decrypter.decrypt(sealed));
  expect(plain.equals(readFileSync(join(done.home, "shelf", name)))).toBe(true);
  list(done, "{ kind: folder, path: ../shelf }");
  expect((await deliver(done, "out", { isSent: true })).refused?.rule).toBe("U.4.encrypted");
});

test("a pull request shows what was checked, what was not, and how to verify", async () => {
  const done = await doneWork();
  const forge = await FakeForge.start();
  const remote = remoteOf(done);
  const at = `api: "${forge.api}", repository: team/app, url: ${remote}`;
  list(done, `{ kind: pull-request, ${at}, token_env: SWORN_DELIVER_TOKEN }`);
  expect((await deliver(done, "out")).effect?.status).toBe("planned");
  expect(forge.asked).toEqual([]);
  const sent = await deliver(done, "out", { isSent: true });
  expect(sent.effect).toMatchObject({
    status: "sent",
    url: "https://forge.example.org/team/app/pull/1",
  });
  const asked = forge.asked.find(({ method }) => method === "POST")?.body;
  expect(asked).toMatchObject({ base: "main", head: `sworn/delivered/${done.work}` });
  const body = String(asked?.["body"]);
  expect(body).toContain("| ST-01 | file | pass |");
  expect(body).toContain("Claims that it could not confirm");
  expect(body).toContain("sworn verify --rerun");
  expect(body).toContain(`sha256:${sent.packet?.digest}`);
  expect((await deliver(done, "out", { isSent: true })).effect?.status).toBe("present");
  expect(forge.asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  Object.assign(forge.requests[0] ?? {}, { state: "closed" });
  expect((await deliver(done, "out", { isSent: true })).refused?.rule).toBe("U.6");
  const traces = readdirSync(join(done.place.store, "traces"));
  const kept = traces
    .flatMap((one) => readTrace(done.place, one))
    .map((one) => JSON.stringify(one));
  expect(kept.join("\n")).not.toContain(TOKEN);
});

const CODER = { agent: "coder", role: "executor", task: "t", run: undefined, depth: 0 } as const;
const SUBMISSION = { files: [], notify_roles: [], urgency: "standard" } as const;

verifies(
  "004-103",
  "an agent's submission is accepted, queued or rejected, and is one",
  async () => {
    const done = await doneWork();
    const { place, env, work, commit } = done;
    const submit = (artifact: string, more: object = {}) =>
      submitWork(
        { place, env, signal },
        {
          ...SUBMISSION,
          artifact,
          packet_markdown: "It is done.",
          files: [],
          notify_roles: [],
          ...more,
        },
        CODER,
      );
    const first = await submit(`ucxl://any:any@project:${work}/git:${commit}`);
    expect(first).toMatchObject({ status: "accepted" });
    expect(git(done, "rev-parse", `sworn/delivered/${work}`)).toBe(commit);
    expect(await submit(`ucxl://any:any@project:${work}/git:${commit}`)).toEqual(first);
    expect(await submit(`git:${"0".repeat(40)}`)).toMatchObject({ status: "rejected" });
    const kept = readdirSync(join(place.store, "submissions"));
    expect(kept).toEqual([`${first.submission_id}.json`]);
    expect(readFileSync(join(place.store, "submissions", kept[0] ?? ""), "utf8")).toContain(
      "ucxl://",
    );
    list(done, "{ kind: git, url: ../nowhere.git }");
    expect((await submit(work)).status).toBe("queued");
    expect(existsSync(join(done.home, "nowhere.git"))).toBe(false);
    expect(await submit("ucxl://any:any@project:x/*^")).toMatchObject({ status: "rejected" });
    expect(await submit(work, { files: ["none.txt"] })).toMatchObject({
      status: "rejected",
      error: expect.stringContaining("none.txt"),
    });
    const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hL3nR6"}`;
    expect(await submit(work, { packet_markdown: secret })).toMatchObject({ status: "rejected" });
  },
);
