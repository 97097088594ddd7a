import { expect, test } from "vitest";
import { answerAsAgent } from "../../../src/flow/talk/answer-as-agent.ts";
import { answer, ask, questionsOf, takeDefaults } from "../../../src/flow/talk/ask.ts";
import { type Author, OPERATOR, RUNTIME } from "../../../src/flow/talk/bus.ts";
import { readBus } from "../../../src/flow/talk/read-bus.ts";
import { verifies } from "../../verifies.ts";
import { failuresOf, LEAD, NIA, opened, refused, said, talkAbout } from "./scene.ts";

const PORT = { text: "Which port?", default: "8080" };
const NOON = Date.UTC(2026, 0, 1, 12);
const at = (ms: number) => new Date(ms).toISOString();

verifies("003-22", "a question is asked and answered on the task's bus", async () => {
  const on = await talkAbout();
  const asked = said(await ask(on, NIA, { ...PORT, question_id: "port", tier: 2 }));
  expect(asked).toMatchObject({ question_id: "port", id: "MSG-2" });
  expect(questionsOf(on)).toMatchObject([{ question_id: "port", state: "open", answer: null }]);
  said(await answer(on, LEAD, "port", "443"));
  expect(questionsOf(on)).toMatchObject([
    { state: "answered", answer: "443", answered_by: "lead" },
  ]);
  expect(readBus(on).at(-1)).toMatchObject({
    kind: "ANSWER",
    text: "443",
    parents: [{ id: "MSG-2", kind: "answers" }],
  });
});

test("a question is answered once, by who may, under either of its names", async () => {
  const on = await talkAbout();
  const { question_id, id } = said(await ask(on, LEAD, { ...PORT, to: ["critic"] }));
  expect(refused(await answer(on, NIA, question_id, "80")).rule).toBe("ROLE_GUARD");
  said(await answer(on, { agent: "critic", role: "critic" }, id, "443"));
  expect(refused(await answer(on, OPERATOR, question_id, "80")).rule).toBe("ORDER_GUARD");
  said(await ask(on, LEAD, { ...PORT, question_id: "deploy-port" }));
  await expect(answer(on, OPERATOR, "deploy-prt", "x")).rejects.toThrow(
    "did you mean deploy-port?",
  );
});

test("an agent answers a question that names it, and no other, whatever its role", async () => {
  const on = await talkAbout();
  const CRITIC = { agent: "critic", role: "critic" } as const;
  const asked = async (name: string, author: Author, more: object = {}) => {
    said(await ask(on, author, { ...PORT, question_id: name, ...more }));
  };
  await asked("mine", NIA, { to: ["critic", "nia"] });
  await asked("open", NIA);
  await asked("others", NIA, { to: ["auditor", "operator"] });
  await asked("person", OPERATOR, { to: ["critic"], tier: 3 });
  await asked("ours", RUNTIME, { to: ["critic"] });
  const no = async (author: Author, name: string) => {
    const { rule, reason } = refused(await answerAsAgent(on, author, name, "443"));
    return `${rule}: ${reason}`;
  };
  expect(await no(NIA, "mine")).toBe(
    "ROLE_GUARD: question mine is nia's own: somebody else answers it",
  );
  expect(await no(CRITIC, "open")).toBe("ROLE_GUARD: question open is not for critic to answer");
  expect(await no(CRITIC, "others")).toMatch(/is not for critic to answer$/);
  // By its role it could answer anything; as an agent it answers what names it.
  expect(await no(LEAD, "others")).toMatch(/is not for lead to answer$/);
  expect(await no(CRITIC, "person")).toMatch(/is of tier 3: a person decides it$/);
  expect(await no(CRITIC, "ours")).toMatch(/is the runtime's, and for people to answer$/);
  expect(await no(OPERATOR, "others")).toMatch(/a person answers with "sworn answer"/);
  const { id } = said(await answerAsAgent(on, CRITIC, "mine", "443"));
  expect(questionsOf(on)[0]).toMatchObject({ state: "answered", answered_by: "critic" });
  expect(readBus(on).at(-1)).toMatchObject({ id, kind: "ANSWER", agent: "critic", text: "443" });
  expect(refused(await answerAsAgent(on, CRITIC, "mine", "80")).rule).toBe("ORDER_GUARD");
  await expect(answerAsAgent(on, CRITIC, "mne", "80")).rejects.toThrow('no question "mne"');
  expect(await failuresOf(on)).toEqual([]);
});

test("an agent names its questions, but none as the runtime names its own", async () => {
  const on = await talkAbout();
  for (const name of ["bq-01", "override-0123456789abcdef"]) {
    const { rule } = refused(await ask(on, NIA, { ...PORT, question_id: name }));
    expect(rule, name).toBe("ROLE_GUARD");
    said(await ask(on, OPERATOR, { ...PORT, question_id: name }));
  }
  expect(said(await ask(on, NIA, { ...PORT, question_id: "port" })).question_id).toBe("port");
});

test("when the deadline is over the default is taken, once, and says so", async () => {
  let nowMs = NOON;
  const on = await talkAbout("login", { clock: () => nowMs });
  said(await ask(on, NIA, { ...PORT, question_id: "soon", deadline: at(NOON + 1_000) }));
  said(await ask(on, NIA, { ...PORT, question_id: "late", deadline: at(NOON + 9_000) }));
  said(await ask(on, NIA, { ...PORT, question_id: "never" }));
  expect(await takeDefaults(on)).toEqual([]);
  nowMs = NOON + 1_000;
  expect(questionsOf(on).map(({ state }) => state)).toEqual(["overdue", "open", "open"]);
  const other = await opened({ place: on.place, task: "login" });
  await Promise.all([takeDefaults(on), takeDefaults(other), takeDefaults(on)]);
  expect(await takeDefaults(other)).toEqual([]);
  expect(questionsOf(on)).toMatchObject([
    { state: "answered", answer: "8080", answered_by: "sworn" },
    { state: "open" },
    { state: "open" },
  ]);
  const answers = readBus(on, { kinds: ["ANSWER"] });
  expect(answers.map(({ agent, role, text }) => [agent, role, text])).toEqual([
    ["sworn", "runtime", "Nobody answered in time, so the default holds: 8080"],
  ]);
  expect(refused(await answer(on, OPERATOR, "soon", "443")).rule).toBe("ORDER_GUARD");
  expect(await failuresOf(on)).toEqual([]);
});

test("an answer that came before the default was taken stands", async () => {
  let nowMs = NOON;
  const on = await talkAbout("login", { clock: () => nowMs });
  const other = await opened({ place: on.place, task: "login" });
  said(await ask(on, NIA, { ...PORT, question_id: "soon", deadline: at(NOON + 1_000) }));
  // This one has looked before the answer came.
  expect(questionsOf(other)).toHaveLength(1);
  said(await answer(on, LEAD, "soon", "443"));
  nowMs = NOON + 2_000;
  expect(await takeDefaults(other)).toEqual([]);
  expect(questionsOf(on)).toMatchObject([{ answer: "443", answered_by: "lead" }]);
});

verifies(
  "000-56",
  "an agent asks its lead once in a run, and whoever leads as often as needed",
  async () => {
    const on = await talkAbout();
    const toLead = { ...PORT, tier: 2 };
    said(await ask(on, NIA, toLead));
    expect(refused(await ask(on, NIA, toLead)).rule).toBe("LIMIT_GUARD");
    said(await ask(on, NIA, { ...PORT, tier: 3 }));
    said(await ask(on, NIA, PORT));
    said(await ask(on, { ...NIA, run: "run-2" }, toLead));
    for (const author of [LEAD, OPERATOR, LEAD]) said(await ask(on, author, toLead));
    // From another process, too.
    const other = await opened({ place: on.place, task: "login" });
    expect(refused(await ask(other, NIA, toLead)).rule).toBe("LIMIT_GUARD");
  },
);
