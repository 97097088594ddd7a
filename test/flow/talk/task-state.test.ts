import { expect, test } from "vitest";
import { answer, ask } from "../../../src/flow/talk/ask.ts";
import { OPERATOR } from "../../../src/flow/talk/bus.ts";
import { addFact } from "../../../src/flow/talk/facts.ts";
import { endRun, startRun } from "../../../src/flow/talk/join.ts";
import { post } from "../../../src/flow/talk/post.ts";
import { lockBoard, readBoard } from "../../../src/flow/talk/task-board.ts";
import { noteState, stateOf } from "../../../src/flow/talk/task-state.ts";
import { STATE_NOTE } from "../../../src/view/index.ts";
import { verifies } from "../../verifies.ts";
import { LEAD, NIA, refused, said, talkAbout } from "./scene.ts";

verifies(
  ["003-7", "003-28"],
  "the note of a task's state is the lead's free text, and nobody else's",
  async () => {
    const on = await talkAbout();
    said(await noteState(on, LEAD, "Half of it is done.\n\n- next: the limit"));
    expect(refused(await noteState(on, NIA, "All done")).rule).toBe("ROLE_GUARD");
    // Saying it in the words of a note does not make it one.
    said(await post(on, NIA, { text: "All done", meta: { [STATE_NOTE]: "renewed" } }));
    expect(stateOf(on).note).toMatchObject({
      text: "Half of it is done.\n\n- next: the limit",
      by: "lead",
    });
    said(await noteState(on, LEAD, "Done."));
    expect(stateOf(on).note?.text).toBe("Done.");
  },
);

test("a task's state says what runs, what is open and when something was last said", async () => {
  const on = await talkAbout();
  const run = { agent: "nia", role: "executor", depth: 0 } as const;
  said(await startRun(on, { ...run, run_id: "r1" }));
  said(await startRun(on, { ...run, run_id: "r2" }));
  said(await endRun(on, { run_id: "r1", status: "completed", exit_code: 0 }));
  said(await ask(on, NIA, { text: "Which port?", default: "8080", question_id: "port" }));
  said(await ask(on, NIA, { text: "Which host?", default: "localhost", question_id: "host" }));
  said(await answer(on, LEAD, "host", "localhost"));
  expect(stateOf(on)).toMatchObject({
    task: "login",
    state: "planning",
    entries: 8,
    runs: { total: 2, running: ["r2"] },
    open_questions: [{ question_id: "port" }],
    note: null,
  });
});

test("the board shows questions, facts, runs and each agent's last word", async () => {
  const on = await talkAbout();
  said(await startRun(on, { run_id: "r1", agent: "nia", role: "executor", depth: 0 }));
  said(await ask(on, NIA, { text: "Which port?", default: "8080", question_id: "port", tier: 3 }));
  said(await addFact(on, LEAD, { title: "A port", text: "8080" }));
  said(await post(on, NIA, { text: "first" }));
  said(await post(on, NIA, { text: "second", kind: "PROGRESS" }));
  expect(readBoard(on)).toMatchObject({
    task: "login",
    questions: [{ question_id: "port", state: "open", tier: 3 }],
    facts: [{ fact_id: "a-port" }],
    runs: [{ run_id: "r1", status: "running" }],
    agents: [{ agent: "nia", kind: "PROGRESS", text: "second" }],
    lock: null,
  });
});

test("a plan's board is known by its digest, and whatever changes it later is noticed", async () => {
  const on = await talkAbout();
  said(await ask(on, NIA, { text: "Which port?", default: "8080", question_id: "port" }));
  expect(refused(await lockBoard(on, NIA)).rule).toBe("ROLE_GUARD");
  const changes = [
    async () => said(await answer(on, LEAD, "port", "443")),
    async () => said(await addFact(on, LEAD, { title: "A port", text: "8080" })),
    async () =>
      said(await startRun(on, { run_id: "r1", agent: "nia", role: "executor", depth: 0 })),
    async () => said(await endRun(on, { run_id: "r1", status: "failed" })),
    async () => said(await post(on, NIA, { text: "stuck" })),
  ];
  for (const change of changes) {
    const { digest } = said(await lockBoard(on, LEAD));
    // Neither the lock itself nor the lead's note is on the board.
    said(await noteState(on, LEAD, "planned"));
    expect(readBoard(on)).toMatchObject({ digest, lock: { digest, holds: true } });
    await change();
    expect(readBoard(on).lock).toMatchObject({ digest, holds: false });
  }
  // An agent cannot make the changed board look like the planned one.
  const { digest } = readBoard(on);
  said(await post(on, NIA, { text: "x", meta: { "board-digest": digest } }));
  expect(readBoard(on).lock?.holds).toBe(false);
  said(await lockBoard(on, OPERATOR));
  expect(readBoard(on).lock).toMatchObject({ by: "operator", holds: true });
});
