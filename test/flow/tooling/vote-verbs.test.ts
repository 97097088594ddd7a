import { expect, onTestFinished } from "vitest";
import { ProjectVerbs } from "../../../src/flow/tooling/project-verbs.ts";
import type { Speaker } from "../../../src/flow/tooling/speaker.ts";
import { readTrace } from "../../../src/flow/trace/look.ts";
import { verifies } from "../../verifies.ts";
import { granted, reviewScene } from "../vote/review-scene.ts";
import { ask, CODER, socketOf } from "./stage.ts";

verifies(
  "004-107",
  "agents vote over their own socket, as themselves, and read where it stands",
  async () => {
    const { place, trace, propose, source, commit } = await reviewScene();
    const { completion_id: id } = granted(await propose());
    const verbs = new ProjectVerbs({ place, source });
    onTestFinished(() => verbs.close());
    const as = async (more: Partial<Speaker>) => {
      const speaker = { ...CODER, task: "limit", run: undefined, ...more };
      const { socket } = await socketOf({ speaker, functions: verbs.functions });
      return (verb: string, args: object) => ask(socket.path, verb, args);
    };
    const cleo = await as({ agent: "cleo", role: "critic" });
    const ballot = {
      artifact: id,
      vote: "green",
      rationale: "fine",
      evidence_refs: ["src/a.js:2"],
    };
    expect((await cleo("review.vote", { ...ballot, agent: "otto" })).error.message).toContain(
      "who speaks is known from the connection",
    );
    expect((await cleo("review.vote", ballot)).ok).toEqual({ artifact: id, phase: "REVIEW" });
    expect((await cleo("review.status", { artifact: `git:${commit}` })).ok).toMatchObject({
      phase: "REVIEW",
      votes: { green: 1, yellow: 0, red: 0 },
      blockers: expect.arrayContaining(["missing: 2 more votes", "missing: a quality reviewer"]),
    });
    const red = { ...ballot, vote: "red" };
    expect((await cleo("review.vote", red)).refused).toMatchObject({ rule: "EVIDENCE_GUARD" });
    const nia = await as({ agent: "nia", role: "executor" });
    expect((await nia("review.vote", ballot)).refused).toMatchObject({ rule: "ROLE_GUARD" });
    const posing = await as({ agent: "nia", role: "critic" });
    expect((await posing("review.vote", ballot)).refused).toMatchObject({ rule: "ROLE_GUARD" });
    const elsewhere = await as({ agent: "cleo", role: "critic", task: "other" });
    expect((await elsewhere("review.vote", ballot)).error).toMatchObject({ code: "NOT_FOUND" });
    const votes = readTrace(place, trace).filter(({ type }) => type === "vote_cast");
    expect(votes.map(({ actor }) => actor.agent)).toEqual(["cleo"]);
  },
);
