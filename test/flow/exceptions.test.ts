import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { admit } from "../../src/admit/index.ts";
import { exceptionsFolder } from "../../src/flow/exception/exceptions-folder.ts";
import {
  type AskedException,
  endException,
  recordException,
} from "../../src/flow/exception/record-exception.ts";
import { findExceptions, standing } from "../../src/flow/exception/standing-exceptions.ts";
import { Place } from "../../src/flow/place.ts";
import { projectIdentity } from "../../src/flow/project-identity.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { loadPolicies, type Policies } from "../../src/policy/index.ts";
import { request, temporaryFolder } from "../fake/sandbox.ts";
import { startFacts } from "../policy/facts.ts";
import { verifies } from "../verifies.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
let policies: Policies;
beforeAll(async () => {
  policies = await loadPolicies();
});

let folder = "";
let nowMs = NOW;
let place: Place;
beforeEach(() => {
  folder = temporaryFolder();
  nowMs = NOW;
  place = placeIn("project", "state");
});

function placeIn(project: string, state: string): Place {
  mkdirSync(join(folder, project), { recursive: true });
  return new Place({
    store: join(folder, project, ".sworn"),
    state: join(folder, state),
    clock: () => nowMs,
  });
}

const asked = (more: Partial<AskedException> = {}): AskedException => ({
  rule: "W.1",
  reason: "The cache is large",
  owner: "eli",
  requester: "ada",
  approver: "mara",
  expires_at: "2030-01-10T00:00:00.000Z",
  rollback: "Build it anew",
  scope: { tasks: ["build"], names: [] },
  secret_review: null,
  ...more,
});

/** What a run of the task that breaks W.1 is told. */
async function decide(of: Place, task = "build") {
  const facts = startFacts({ task, requester: "operator", data_is_clean: false });
  return admit(facts, policies, standing(await findExceptions(of)), () => nowMs);
}
/** Says that a trace holds an exception, where only the user can say it. */
const mark = (of: Place, trace: string) =>
  mkdirSync(join(exceptionsFolder(of), trace), { recursive: true });
const whyVoid = async (of: Place) => (await findExceptions(of)).map(({ why }) => why);

verifies(
  "004-112",
  "a recorded exception counts for its task until it expires, and the decision names it",
  async () => {
    expect((await decide(place)).decision).toBe("deny");
    const { id } = await recordException(place, asked());
    const decision = await decide(place);
    expect(decision).toMatchObject({ decision: "allow", exceptions: [{ id, rule: "W.1" }] });
    expect((await decide(place, "deploy")).reasons[0]?.message).toContain(
      "not for the task deploy",
    );
    nowMs = Date.parse("2030-01-10T00:00:00.000Z");
    expect((await decide(place)).reasons[0]?.message).toContain("it expired at 2030-01-10");
  },
);

verifies("004-112", "an exception that was ended counts for nothing", async () => {
  const { trace } = await recordException(place, asked());
  await endException(place, { trace, approver: "mara" }, "not needed");
  expect((await findExceptions(place)).map(({ isEnded }) => isEnded)).toEqual([true]);
  expect((await decide(place)).decision).toBe("deny");
  await expect(endException(place, { trace, approver: "mara" }, "again")).rejects.toThrow(
    "cannot be ended",
  );
});

test("putting back the record from before its end does not bring it back", async () => {
  const { trace } = await recordException(place, asked());
  const before = join(folder, "before");
  cpSync(place.traceFolder(trace), before, { recursive: true });
  await endException(place, { trace, approver: "mara" }, "not needed");
  rmSync(place.traceFolder(trace), { recursive: true });
  cpSync(before, place.traceFolder(trace), { recursive: true });
  expect((await decide(place)).decision).toBe("deny");
  expect((await whyVoid(place))[0]).toContain("does not verify");
  // Nor does it where the head outside is gone as well: then nobody knows whether it was ended.
  rmSync(place.heads(trace).path);
  expect((await decide(place)).decision).toBe("deny");
});

verifies("004-112", "an exception that could never count is not recorded", async () => {
  const refused: [Partial<AskedException>, string][] = [
    [{ approver: "ada" }, "ada asked for it and approved it"],
    [{ approver: "eli" }, "eli approved it and owns it"],
    [{ approver: "operator" }, "operator approved it and asks for the task"],
    [{ rule: "F.3" }, "rule F.3 has no exceptions"],
    [{ rule: "Z.9" }, "there is no rule Z.9"],
    [{ rule: "I.3" }, "it names nothing"],
    [{ rule: "N.2", scope: { tasks: ["build"], names: ["/net"] } }, "needs a review for secrets"],
    [{ expires_at: "2029-12-31T00:00:00.000Z" }, "it expired"],
    [{ expires_at: new Date(NOW + 367 * DAY_MS).toISOString() }, "at most 366 days"],
    [{ approver: "policy" }, "part of the runtime"],
    [{ approver: "sworn" }, "part of the runtime"],
  ];
  for (const [more, why] of refused) {
    await expect(recordException(place, asked(more)), why).rejects.toThrow(why);
  }
  expect(await findExceptions(place)).toEqual([]);
});

test("an exception for one project is none for another of the same user", async () => {
  const other = placeIn("other", "state");
  const { trace } = await recordException(other, asked());
  expect((await decide(other)).decision).toBe("allow");
  cpSync(other.store, place.store, { recursive: true });
  expect((await decide(place)).decision).toBe("deny");
  mark(place, trace);
  expect((await decide(place)).decision).toBe("deny");
  expect(await whyVoid(place)).toEqual(["it is for another project"]);
  expect(place.traces()).toEqual([trace]);
});

test("an exception that somebody else's keys signed counts for nothing", async () => {
  const forger = placeIn("project", "forged");
  const { trace } = await recordException(forger, asked());
  expect((await decide(forger)).decision).toBe("allow");
  expect((await decide(place)).decision).toBe("deny");
  // Also where the forger could put a head beside ours.
  mkdirSync(join(folder, "state", "heads"), { recursive: true });
  cpSync(forger.heads(trace).path, place.heads(trace).path);
  mark(place, trace);
  expect((await decide(place)).decision).toBe("deny");
  expect(await whyVoid(place)).toEqual(["its record was made with a key that is not yours"]);
});

test("a record that was changed allows nothing, and says so", async () => {
  const { trace } = await recordException(place, asked({ scope: { tasks: ["other"], names: [] } }));
  const database = new DatabaseSync(place.ledgerPath(trace));
  const [from, to] = ['"tasks":["other"]', '"tasks":["build"]'];
  const { changes } = database
    .prepare("UPDATE entry SET line = replace(line, ?, ?) WHERE seq = 1")
    .run(from, to);
  database.close();
  expect(changes).toBe(1);
  expect((await decide(place)).decision).toBe("deny");
  expect((await whyVoid(place))[0]).toContain("its record does not verify");
});

test("a key that was revoked approves nothing any more", async () => {
  await recordException(place, asked());
  const key = place.keyring.current("mara")?.key ?? "";
  place.keyring.revoke("mara", key);
  expect((await decide(place)).decision).toBe("deny");
  expect((await whyVoid(place))[0]).toContain("was revoked");
});

test("what a session says of an exception is none for runs unless it names tasks", async () => {
  const { trace } = await recordException(place, asked());
  const agents = [
    { agent: "ada", roles: ["planner"] },
    { agent: "sandbox", roles: ["executor"] },
    { agent: "policy", roles: ["critic"] },
    { agent: "auditor", roles: ["auditor"] },
    { agent: "mara", roles: ["operator"] },
  ];
  const { rule, reason, owner, requester, expires_at, rollback } = asked();
  const recorder = Recorder.start(place);
  await recorder.record(
    [
      request("ada", "planner", "session_initialized", {
        task: "exception",
        objective: "o",
        profile: "solo",
        agents,
      }),
      request("mara", "operator", "exception_recorded", {
        exception_id: "n1",
        ...{ rule, reason, owner, requester, expires_at, rollback },
      }),
    ],
    { artifactRoots: [] },
  );
  recorder.close();
  mark(place, recorder.id);
  rmSync(join(exceptionsFolder(place), trace), { recursive: true });
  expect(await whyVoid(place)).toEqual(["it names no tasks"]);
});

test("an exception in the session of an agent, recorded by us and named in the project, is none", async () => {
  const { rule, reason, owner, requester, expires_at, rollback, scope } = asked();
  const roles = { ada: "planner", eve: "executor", cleo: "critic", otto: "auditor" } as const;
  const agents = Object.entries({ ...roles, mara: "operator" }).map(([agent, role]) => ({
    agent,
    roles: [role],
  }));
  const recorder = Recorder.start(place);
  const { refusal } = await recorder.record(
    [
      request("ada", "planner", "session_initialized", {
        ...{ task: "work", objective: "o", profile: "solo", agents },
      }),
      request("mara", "operator", "exception_recorded", {
        ...{ rule, reason, owner, requester, expires_at, rollback, exception_id: "x-1" },
        scope: { project: projectIdentity(place), ...scope },
      }),
    ],
    { artifactRoots: [] },
  );
  recorder.close();
  expect(refusal).toBeUndefined();
  mkdirSync(join(place.store, "exceptions", recorder.id), { recursive: true });
  expect((await decide(place)).decision).toBe("deny");
  // It is nothing else that it lacks.
  mark(place, recorder.id);
  expect((await decide(place)).decision).toBe("allow");
});

test("a review for secrets is the reviewer's own word, signed before the exception", async () => {
  const remote = { rule: "N.2", scope: { tasks: ["build"], names: ["/net"] } };
  await recordException(place, asked({ ...remote, secret_review: "cleo" }));
  const [found] = await findExceptions(place);
  expect(found?.exception?.secret_review).toBe("cleo");
  await expect(recordException(place, asked({ ...remote, secret_review: "ada" }))).rejects.toThrow(
    "ada reviewed their own request",
  );
});
