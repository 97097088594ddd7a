import { chmodSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ask, takeDefaults } from "../../../src/flow/talk/ask.ts";
import { Bus, OPERATOR, RUNTIME } from "../../../src/flow/talk/bus.ts";
import { followBus } from "../../../src/flow/talk/follow-bus.ts";
import { endRun, enrolAgent, startRun } from "../../../src/flow/talk/join.ts";
import { post } from "../../../src/flow/talk/post.ts";
import { readBus, readMessage } from "../../../src/flow/talk/read-bus.ts";
import { openForReading } from "../../../src/flow/trace/reading.ts";
import { verifies } from "../../verifies.ts";
import { failuresOf, LEAD, NIA, opened, refused, said, talkAbout } from "./scene.ts";

const LONG_AGO = "2020-01-01T00:00:00.000Z";
const texts = (on: Bus, reading = {}) => readBus(on, reading).map(({ text }) => text);

verifies("003-22", "what agents and people say about a task stands on the task's bus", async () => {
  const on = await talkAbout();
  said(await post(on, NIA, { text: "half done", kind: "PROGRESS" }));
  const issue = { url: "https://example.org/7", label: "The report", kind: "issue" };
  said(
    await post(on, OPERATOR, {
      text: "go on",
      kind: "USER",
      issue_id: "BUG-7",
      links: [issue],
      meta: { phase: "work" },
    }),
  );
  expect(readBus(on)).toEqual([
    expect.objectContaining({ id: "MSG-2", agent: "nia", run: "run-1", kind: "PROGRESS" }),
    expect.objectContaining({ kind: "USER", issue_id: "BUG-7", links: [issue] }),
  ]);
  const project = await opened({ place: on.place });
  expect(texts(project)).toEqual([]);
  expect(await failuresOf(on)).toEqual([]);
});

verifies("003-21", "no agent and no person says that a run began or ended", async () => {
  const on = await talkAbout();
  for (const author of [NIA, LEAD, OPERATOR]) {
    expect(refused(await post(on, author, { text: "go", kind: "STOP" })).rule).toBe("ROLE_GUARD");
  }
  said(await post(on, RUNTIME, { text: "go", kind: "START" }));
  // Nor as somebody else: the author comes from the caller, and must be who it says.
  const forged = { agent: "nia", role: "runtime" } as const;
  expect(refused(await post(on, forged, { text: "go", kind: "STOP" })).rule).toBe("ROLE_GUARD");
  const stranger = { agent: "zoe", role: "executor" } as const;
  expect(refused(await post(on, stranger, { text: "hi" })).rule).toBe("ROLE_GUARD");
});

verifies("003-24", "an answer names what it answers, and is found from there", async () => {
  const on = await talkAbout();
  const { id } = said(await post(on, NIA, { text: "8080?" }));
  const parents = [{ id, kind: "reply" }] as const;
  const reply = said(await post(on, LEAD, { text: "443", parents }));
  expect(readMessage(on, reply.id).parents).toEqual(parents);
  expect(readMessage(on, id).answered_in).toEqual([reply.id]);
  const nowhere = { text: "?", parents: [{ id: "MSG-40", kind: "reply" }] } as const;
  expect(refused(await post(on, LEAD, nowhere)).reason).toBe(
    `there is no message MSG-40 on this bus; the nearest is ${reply.id}`,
  );
});

verifies(
  "003-27",
  "reading on gives what came since a message, and nothing before it",
  async () => {
    const on = await talkAbout();
    const ids: string[] = [];
    for (const text of ["a", "b", "c", "d"]) ids.push(said(await post(on, NIA, { text })).id);
    expect(texts(on, { since: ids[1] })).toEqual(["c", "d"]);
    expect(texts(on, { since: ids[3] })).toEqual([]);
    expect(texts(on, { last: 3 })).toEqual(["b", "c", "d"]);
    said(await post(on, NIA, { text: "e", kind: "ERROR" }));
    expect(texts(on, { since: ids[0], kinds: ["ERROR"] })).toEqual(["e"]);
    // Entry 0 is no message, and 99 is not there: a cursor that fits nothing hides nothing.
    for (const since of ["MSG-0", "MSG-99"]) {
      expect(() => readBus(on, { since })).toThrow(`there is no message ${since}`);
    }
  },
);

test("a text of more than 64 KB is stored beside its message, without its secrets", async () => {
  const on = await talkAbout();
  const key = `AKIA${"QYLPMN5HHHFPZAM2"}`;
  const long = `${"a line of a log\n".repeat(5_000)}aws_access_key_id = ${key}\n`;
  const { id } = said(await post(on, NIA, { text: long }));
  const [message] = readBus(on);
  expect(message?.text.length).toBeLessThan(3_000);
  const whole = readMessage(on, id).text;
  expect(whole.startsWith("a line of a log\n".repeat(5_000))).toBe(true);
  expect(whole).not.toContain(key);
  expect(await failuresOf(on)).toEqual([]);
  const path = on.place.artifacts.pathOf(message?.attachment ?? "");
  chmodSync(path, 0o644);
  writeFileSync(path, "something else");
  expect(() => readMessage(on, id)).toThrow("is not as it was recorded");
});

test("what has no right form is refused before anything is written", async () => {
  const on = await talkAbout();
  const wrong = [
    { text: "" },
    { text: "a\ud800" },
    { text: "a", issue_id: "x".repeat(129) },
    { text: "a", parents: [{ id: "MSG-01", kind: "reply" }] },
    { text: "a", parents: [{ id: "MSG-1", kind: "likes" }] },
    { text: "a", meta: { "Not A Name": "x" } },
    { text: "a", meta: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`n${n}`, "x"])) },
    { text: "a", kind: "SHOUT" },
  ];
  for (const saying of wrong) {
    // These are what a hostile caller hands over, whatever the types say.
    await expect(post(on, NIA, saying as never), JSON.stringify(saying)).rejects.toMatchObject({
      code: "INPUT_INVALID",
    });
  }
  await expect(post(on, NIA, { text: "x".repeat(9_000_000) })).rejects.toMatchObject({
    code: "LIMIT_EXCEEDED",
  });
  expect(texts(on)).toEqual([]);
});

test("what grows when its secrets are taken out spoils no bus", async () => {
  const on = await talkAbout();
  const mark = "[REDACTED:email-address]";
  const grown = said(await post(on, NIA, { text: "ab@gmx.de ".repeat(6_000) }));
  expect(readMessage(on, grown.id).text).toBe(`${mark} `.repeat(6_000));
  // Where there is no room beside it, it is refused before anything is written.
  const meta = { who: "ab@gmx.de ".repeat(100) };
  await expect(post(on, NIA, { text: "x", meta })).rejects.toMatchObject({ code: "INPUT_INVALID" });
  said(await post(on, NIA, { text: "ab@gmx.de", meta: { who: "ab@gmx.de" } }));
  expect(readBus(on, { last: 1 })).toMatchObject([{ text: mark, meta: { who: mark } }]);
  expect(await failuresOf(on)).toEqual([]);
});

test("nobody uses up a key that somebody else is going to need", async () => {
  const on = await talkAbout();
  for (const author of [NIA, LEAD]) said(await post(on, author, { text: author.agent, idem: "k" }));
  said(await post(on, NIA, { text: "squatting", idem: "default port" }));
  said(
    await ask(on, LEAD, { text: "?", default: "8080", question_id: "port", deadline: LONG_AGO }),
  );
  expect(await takeDefaults(on)).toEqual(["port"]);
});

test("the same key says a thing once", async () => {
  const on = await talkAbout();
  const first = said(await post(on, NIA, { text: "once", idem: "k" }));
  said(await post(on, NIA, { text: "between" }));
  expect(said(await post(on, NIA, { text: "once", idem: "k" }))).toEqual(first);
  expect(texts(on)).toEqual(["once", "between"]);
});

verifies("003-45", "how a run ended is said on the bus, finer than its exit code can", async () => {
  const on = await talkAbout();
  const run = { agent: "max", role: "executor", depth: 0 } as const;
  for (const [run_id, status, exit_code] of [
    ["r1", "completed", 0],
    ["r2", "failed", 1],
    ["r3", "cancelled", 1],
    ["r4", "partial", 1],
  ] as const) {
    said(await startRun(on, { ...run, run_id }));
    said(await endRun(on, { run_id, status, exit_code }));
  }
  const ends = readBus(on).filter(({ kind }) => kind !== "RUN_START");
  expect(ends.map(({ kind, text }) => [kind, text])).toEqual([
    ["RUN_STOP", "run r1 ended: completed (exit 0)"],
    ["RUN_CRASH", "run r2 ended: failed (exit 1)"],
    ["RUN_STOP", "run r3 ended: cancelled (exit 1)"],
    ["RUN_STOP", "run r4 ended: partial (exit 1)"],
  ]);
  expect(refused(await endRun(on, { run_id: "r1", status: "failed" })).rule).toBe("ORDER_GUARD");
  expect(await failuresOf(on)).toEqual([]);
});

test("an agent takes part once, and roles do not grow", async () => {
  const on = await talkAbout();
  expect(await enrolAgent(on, "nia", ["executor"])).toBeUndefined();
  expect((await enrolAgent(on, "nia", ["critic"]))?.rule).toBe("ROLE_GUARD");
  expect((await enrolAgent(on, "max", ["operator"]))?.rule).toBe("ROLE_GUARD");
  // Another process that has not seen it yet comes to the same end.
  const other = await opened({ place: on.place, task: "login" });
  expect(other.rolesOf("kim")).toBeUndefined();
  await Promise.all([enrolAgent(on, "kim", ["critic"]), enrolAgent(other, "kim", ["critic"])]);
  expect(other.rolesOf("kim")).toEqual(["critic"]);
  said(await post(other, { agent: "kim", role: "critic" }, { text: "here" }));
});

verifies("003-26", "whoever follows a bus hears what another writer says", async () => {
  const on = await talkAbout();
  const other = await opened({ place: on.place, task: "login" });
  const stop = new AbortController();
  const heard: string[] = [];
  const following = (async () => {
    // No look of its own comes in time: the file system must say that something was written.
    for await (const fresh of followBus(on, stop.signal, { pollMs: 600_000 })) {
      heard.push(...fresh.map(({ text }) => text));
      if (heard.length >= 3) stop.abort();
    }
  })();
  for (const text of ["a", "b", "c"]) said(await post(other, NIA, { text }));
  await following;
  expect(heard).toEqual(["a", "b", "c"]);
});

test("a follower misses nothing and hears nothing twice, whoever else looks at the same bus", async () => {
  const on = await talkAbout();
  said(await post(on, NIA, { text: "before" }));
  said(await post(on, NIA, { text: "late", kind: "ERROR" }));
  const stop = new AbortController();
  const heard: string[] = [];
  const followers = [{ from: {} }, { from: { kinds: ["ERROR" as const], last: 1 } }, {}].map(
    async (following, index) => {
      for await (const fresh of followBus(on, stop.signal, following)) {
        for (const { text } of fresh) heard.push(`${index} ${text}`);
        if (heard.filter((one) => one.startsWith("0")).length >= 5) stop.abort();
      }
    },
  );
  for (const text of ["a", "b", "c"]) {
    said(await post(on, NIA, { text }));
    readBus(on);
  }
  await Promise.all(followers);
  const heardBy = (index: number) =>
    heard.filter((one) => one.startsWith(`${index}`)).map((one) => one.slice(2));
  expect(heardBy(0)).toEqual(["before", "late", "a", "b", "c"]);
  expect(heardBy(1)).toEqual(["late"]);
  expect(["a", "b", "c"].slice(0, heardBy(2).length)).toEqual(heardBy(2));
});

test("where nothing tells of news, they are looked for", async () => {
  const on = await talkAbout();
  const stop = new AbortController();
  const following = followBus(on, stop.signal, { pollMs: 1 });
  const next = following.next();
  const other = await opened({ place: on.place, task: "login" });
  said(await post(other, NIA, { text: "a" }));
  expect((await next).value).toMatchObject([{ text: "a" }]);
  stop.abort();
  expect(await following.next()).toEqual({ done: true, value: undefined });
});

test("a damaged bus is not read", async () => {
  const on = await talkAbout();
  said(await post(on, NIA, { text: "hello" }));
  on.close();
  const { LocalLedger } = await import("../../../src/ledger/local.ts");
  const ledger = LocalLedger.openForAppend(
    on.trace,
    on.place.ledgerPath(on.trace),
    on.place.heads(on.trace),
  );
  ledger.close();
  const { DatabaseSync } = await import("@photostructure/sqlite");
  const db = new DatabaseSync(on.place.ledgerPath(on.trace));
  db.exec("UPDATE entry SET line = replace(line, 'hello', 'hullo') WHERE seq = 2");
  db.close();
  const again = Bus.open({ place: on.place, task: "login" });
  for (const _ of ["first", "second"]) {
    expect(() => readBus(again)).toThrow("not the ones the last checkpoint was signed for");
  }
  again.close();
});

/** Each has a checkpoint of its own. */
function commitsOf({ place, trace }: Bus): number {
  const ledger = openForReading(place, trace);
  try {
    return [...ledger.checkpoints()].length;
  } finally {
    ledger.close();
  }
}

test("what is asked for at once shares a commit, and each is answered by itself", async () => {
  const on = await talkAbout();
  const before = commitsOf(on);
  const message = (text: string, more = {}) =>
    ({
      actor: { agent: "nia", role: "executor" },
      type: "message_posted",
      body: { text },
      ...more,
    }) as const;
  const first = said(await on.record(message("first", { idem: "k1" })));
  const [a, forged, again, b] = await Promise.all([
    on.record(message("a")),
    on.record({ ...message("forged"), actor: { agent: "nia", role: "operator" } }),
    on.record(message("first", { idem: "k1" })),
    on.record(message("b")),
  ]);
  expect(said(a).seq).toBe(first.seq + 1);
  expect(refused(forged).rule).toBe("ROLE_GUARD");
  expect(said(again).seq).toBe(first.seq);
  expect(said(b).seq).toBe(first.seq + 2);
  expect(texts(on)).toEqual(["first", "a", "b"]);
  // The first, and those before and after the refusal.
  expect(commitsOf(on)).toBe(before + 3);
  expect(await failuresOf(on)).toEqual([]);
});

test("one that cannot be recorded does not take along what others asked for at the same time", async () => {
  const on = await talkAbout();
  const actor = { agent: "nia", role: "executor" } as const;
  const missing = { name: "log", path: "/nonexistent/log" };
  const answers = await Promise.allSettled([
    on.record({ actor, type: "message_posted", body: { text: "a" } }),
    on.record({ actor, type: "message_posted", body: { text: "bad" }, artifacts: [missing] }),
    on.record({ actor, type: "message_posted", body: { text: "b" } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(texts(on)).toEqual(["a", "b"]);
});
