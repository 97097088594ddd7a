import { expect } from "vitest";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { opening, temporaryPlace } from "../fake/sandbox.ts";
import { verifies } from "../verifies.ts";
import { Copy } from "../verify/copy.ts";
import {
  abort,
  auditEnd,
  auditStart,
  by,
  claim,
  completed,
  failed,
  failure,
  finalStatement,
  intent,
  judgement,
  message,
  proposal,
  REACHABLE,
  review,
  started,
  work,
} from "./requests.ts";
import { Stage } from "./stage.ts";

const OPEN = ["planning", "reviewing", "executing", "claiming", "auditing"] as const;

verifies(
  "002-6",
  "a trace passes through its states in order and ends completed, failed or aborted",
  async () => {
    const place = temporaryPlace();
    const stage = new Stage(place, Recorder.start(place));
    expect(stage.recorder.session).toBeUndefined();
    const steps = [
      [opening(), "planning"],
      [proposal("p1"), "reviewing"],
      [review("p1"), "executing"],
      [intent("i1"), "executing"],
      [started("e1", "i1"), "executing"],
      [completed("e1"), "claiming"],
      [claim("c1"), "claiming"],
      [finalStatement("c1"), "auditing"],
      [auditStart("v1"), "auditing"],
      [auditEnd("v1"), "completed"],
    ] as const;
    for (const [request, state] of steps) {
      await stage.accept(request);
      expect(stage.state).toBe(state);
    }
    for (const state of REACHABLE) {
      const reached = await Stage.at(state);
      expect((await reached.verify()).state).toBe(state);
    }
  },
);

verifies("002-7", "session_initialized opens planning, and nothing comes before it", async () => {
  const place = temporaryPlace();
  for (const request of [proposal("p1"), message("hello"), abort()]) {
    const { recorded, refusal } = await Recorder.start(place).record([request], {
      artifactRoots: [],
    });
    expect({ recorded, rule: refusal?.rule }).toEqual({ recorded: 0, rule: "STATE_GUARD" });
  }
  expect(place.traces()).toEqual([]);
  const stage = await Stage.at("planning");
  expect(stage.entries().map(({ type }) => type)).toEqual(["session_initialized"]);
  await stage.refuse(opening(), "STATE_GUARD");
});

verifies("002-8", "the first proposal_created moves planning to reviewing", async () => {
  const stage = await Stage.at("planning");
  await stage.refuse(review("p1"), "STATE_GUARD");
  await stage.accept(proposal("p1"));
  expect(stage.state).toBe("reviewing");
  await stage.accept(proposal("p2"));
  expect(stage.state).toBe("reviewing");
});

verifies("002-9", "only an approving review moves reviewing to executing", async () => {
  const stage = await Stage.at("reviewing");
  await stage.refuse(intent("i1"), "STATE_GUARD");
  await stage.accept(review("p1", "rejected"));
  expect(stage.state).toBe("reviewing");
  await stage.accept(proposal("p2"), review("p2", "conditional", { conditions: ["a test"] }));
  expect(stage.state).toBe("executing");
  const other = await Stage.at("reviewing");
  await other.accept(review("p1", "approved"));
  expect(other.state).toBe("executing");
});

verifies(
  "002-10",
  "executing gives way to claiming when tools succeeded or their failure is dealt with",
  async () => {
    const stage = await Stage.at("executing");
    await stage.accept(intent("i0"), judgement("i0", "blocked"));
    expect(stage.state).toBe("executing"); // nothing ran yet
    await stage.accept(intent("i1"), intent("i2"), started("e1", "i1"), completed("e1"));
    expect(stage.state).toBe("executing"); // i2 waits
    await stage.accept(started("e2", "i2"), failed("e2", "retry"));
    expect(stage.state).toBe("executing"); // the retry is owed
    await stage.refuse(claim("c1"), "STATE_GUARD");
    await stage.accept(intent("i3", { retry_of: "i2" }), started("e3", "i3"));
    expect(stage.state).toBe("executing"); // it runs
    await stage.accept(completed("e3"));
    expect(stage.state).toBe("claiming");

    const bounded = await Stage.at("executing");
    await bounded.accept(intent("i1"), started("e1", "i1"), failed("e1", "accept"));
    expect(bounded.state).toBe("claiming");
  },
);

verifies("002-11", "the way from claiming to auditing opens with the first claim", async () => {
  const stage = await Stage.at("claiming");
  await stage.refuse(auditStart("v1"), "ORDER_GUARD");
  await stage.refuse(finalStatement("c1"), "FINALIZATION_GUARD");
  await stage.accept(claim("c1"), auditStart("v1"));
  expect(stage.state).toBe("auditing");
});

verifies(
  "002-12",
  "auditing ends completed on a pass, with or without warnings, and on nothing else",
  async () => {
    for (const status of ["pass", "pass-with-warnings"]) {
      const stage = await Stage.at("auditing");
      await stage.accept(auditStart("v1"), auditEnd("v1", status));
      expect(stage.state).toBe("completed");
      expect((await stage.verify()).status).toBe("pass");
    }
    const stage = await Stage.at("auditing");
    await stage.accept(auditStart("v1"), auditEnd("v1", "fail"));
    expect(stage.state).toBe("auditing");
    const last = await Stage.at("auditing", { policy: { rework_max: 0 } });
    await last.accept(auditStart("v1"), auditEnd("v1", "fail"));
    expect(last.state).toBe("failed");
  },
);

verifies("002-13", "from every open state the trace can fail, and then takes nothing", async () => {
  for (const state of OPEN) {
    for (const [agent, role] of [
      ["sworn", "runtime"],
      ["otto", "auditor"],
      ["mara", "operator"],
    ] as const) {
      const stage = await Stage.at(state);
      await stage.accept(by(agent, role, failure("entry 3 is not what was signed")));
      expect(stage.state).toBe("failed");
      await stage.refuse(message("and yet"), "STATE_GUARD");
      await stage.refuse(by("ada", "planner", proposal("p8")), "STATE_GUARD");
    }
  }
  // A record that is broken has failed, whatever its entries say.
  const stage = await Stage.at("completed");
  const copy = new Copy(stage);
  copy.edit(2, "read it", "READ IT");
  expect(await copy.verify()).toMatchObject({ status: "fail", state: "failed" });
});

verifies("002-14", "from every open state the operator alone can abort the trace", async () => {
  for (const state of OPEN) {
    const stage = await Stage.at(state);
    for (const [agent, role] of [
      ["ada", "planner"],
      ["eli", "executor"],
      ["cleo", "critic"],
      ["otto", "auditor"],
      ["sworn", "runtime"],
    ] as const) {
      await stage.refuse(by(agent, role, abort()), "ROLE_GUARD");
    }
    await stage.accept(abort());
    expect(stage.state).toBe("aborted");
    for (const request of [message("and yet"), abort(), failure(), ...work(7)])
      await stage.refuse(request, "STATE_GUARD");
    expect(await stage.verify()).toMatchObject({ state: "aborted", failures: [] });
  }
});
