import { expect, test } from "vitest";
import { Bus, OPERATOR } from "../../../src/flow/talk/bus.ts";
import { addFact, factsOf, promoteFact, propagateFacts } from "../../../src/flow/talk/facts.ts";
import { readBus } from "../../../src/flow/talk/read-bus.ts";
import { verifies } from "../../verifies.ts";
import { failuresOf, LEAD, NIA, opened, refused, said, talkAbout } from "./scene.ts";

const PORT = { title: "The login port", text: "It is 8080 in tests." };

async function twoBuses() {
  const task = await talkAbout();
  return { task, project: await opened({ place: task.place }) };
}

verifies("003-31", "agents suggest facts on the bus, and whoever leads decides", async () => {
  const { task, project } = await twoBuses();
  const suggested = said(await addFact(task, NIA, PORT));
  expect(suggested.fact_id).toBeNull();
  expect(factsOf(task)).toMatchObject({
    facts: [],
    suggested: [{ id: suggested.id, agent: "nia" }],
  });
  expect(refused(await promoteFact(task, project, NIA, suggested.id))).toMatchObject({
    rule: "ROLE_GUARD",
    reason: "facts are promoted by the lead or a person, not by nia",
  });
  const promoted = said(await promoteFact(task, project, LEAD, suggested.id));
  expect(promoted.fact_id).toBe("login.the-login-port");
  expect(factsOf(project).facts).toMatchObject([
    {
      scope: "project",
      title: PORT.title,
      run_id: "run-1",
      promoted_from: { trace: task.trace, id: suggested.id },
    },
  ]);
});

verifies(
  ["003-23", "003-32"],
  "facts of a finished task come to the project's bus once, whoever brings them and however often",
  async () => {
    const { task, project } = await twoBuses();
    said(await addFact(task, LEAD, PORT));
    said(await addFact(task, OPERATOR, { ...PORT, fact_id: "second" }));
    said(await addFact(task, NIA, { ...PORT, title: "Only suggested" }));
    // Two processes, with two views of their own, in two names.
    const [otherTask, otherProject] = [
      await opened({ place: task.place, task: "login" }),
      await opened({ place: task.place }),
    ];
    const both = await Promise.all([
      propagateFacts(task, project, LEAD),
      propagateFacts(otherTask, otherProject, OPERATOR),
    ]);
    for (const one of both) expect(one).toEqual(["login.the-login-port", "login.second"]);
    expect(await propagateFacts(task, project, LEAD)).toEqual([]);
    expect(factsOf(project).facts.map(({ fact_id }) => fact_id)).toEqual([
      "login.the-login-port",
      "login.second",
    ]);
    expect(readBus(project, { kinds: ["FACT"] })).toHaveLength(2);
    expect(await failuresOf(project)).toEqual([]);
  },
);

test("a fact has one name in its task, long titles included", async () => {
  const { task, project } = await twoBuses();
  const first = said(await addFact(task, LEAD, PORT));
  expect(first.fact_id).toBe("the-login-port");
  expect(refused(await addFact(task, LEAD, PORT)).rule).toBe("IDENTITY_GUARD");
  const long = said(await addFact(task, LEAD, { ...PORT, title: "ä".repeat(200) }));
  expect(long.fact_id).toMatch(/^fact-[0-9a-f]{8}$/);
  const far = { ...PORT, fact_id: "x".repeat(64) };
  said(await addFact(task, LEAD, far));
  const promoted = said(await promoteFact(task, project, LEAD, far.fact_id));
  expect(promoted.fact_id).toHaveLength(64);
  await expect(promoteFact(task, project, LEAD, "the-login-prt")).rejects.toThrow(
    "did you mean the-login-port?",
  );
});

test("a fact of the project is recorded on the project's bus", async () => {
  const { project } = await twoBuses();
  said(await addFact(project, OPERATOR, PORT));
  expect(factsOf(project).facts).toMatchObject([{ scope: "project", by: "operator" }]);
  expect(Bus.find({ place: project.place, task: "nothing" })).toBeUndefined();
});
