import { expect, test } from "vitest";
import { decideReview } from "../../../src/flow/vote/decide-review.ts";
import { decisionsIn, recordDecision, walkBack } from "../../../src/flow/vote/decisions.ts";
import { findReview } from "../../../src/flow/vote/find-review.ts";
import { verifies } from "../../verifies.ts";
import {
  CLEO,
  granted,
  MEASURED,
  NIA,
  OPERATOR,
  OTTO,
  refusedBy,
  reviewScene,
} from "./review-scene.ts";

const asked = { context: "Whether", options: ["no"], choice: "yes", links: [] };

test("decisions are linked both ways, and walked back from a file or a completion", async () => {
  const { place, trace, propose } = await reviewScene();
  const decide = async (id: string, more: object = {}) =>
    granted(await recordDecision(place, trace, OPERATOR, { ...asked, id, ...more }));
  const { completion_id: k1 } = granted(await propose());
  await decide("d1", { links: [{ kind: "file", to: "src" }] });
  await decide("d2", {
    links: [
      { kind: "file", to: "src/a.js" },
      { kind: "completion", to: k1 },
      { kind: "decision", to: "d1" },
    ],
  });
  await decide("d3", { links: [{ kind: "requirement", to: "LOGIN-SEC-001" }] });
  const all = decisionsIn(place, [trace]);
  expect(all.map(({ decision_id, replaced_by }) => [decision_id, replaced_by])).toEqual([
    ["d1", ["d2"]],
    ["d2", []],
    ["d3", []],
  ]);
  const from = (what: string) =>
    walkBack(all, what).map(({ decision, distance }) => `${decision.decision_id}:${distance}`);
  expect(from("src/a.js")).toEqual(["d1:1", "d2:1"]);
  expect(from(k1)).toEqual(["d2:1", "d1:2"]);
  expect(from("LOGIN-SEC-001")).toEqual(["d3:1"]);
  expect(from("srcs/a.js")).toEqual([]);
  const missing = { ...asked, links: [{ kind: "claim" as const, to: "c9" }] };
  await expect(recordDecision(place, trace, OPERATOR, missing)).rejects.toThrow("no claim c9");
});

verifies(
  ["004-94", "004-96"],
  "one green and two yellows wait for somebody else's decision",
  async () => {
    const { place, trace, propose, vote } = await reviewScene();
    const { completion_id: id } = granted(await propose());
    granted(await vote(CLEO, id, "green"));
    granted(await vote(OTTO, id, "yellow"));
    expect(granted(await vote(OPERATOR, id, "yellow"))).toMatchObject({ moved: "converge" });
    const review = findReview({ place, task: "limit" }, id);
    expect(review).toMatchObject({ phase: "REVIEW", is_converged: true, next: "decide" });
    const own = granted(await recordDecision(place, trace, NIA, asked));
    const settle = (decision_id: string) =>
      decideReview(place, OPERATOR, review, { decision_id, choice: "yes", accepts: false });
    expect(refusedBy((await settle(own.decision_id)) as object)).toMatch(/^INDEPENDENCE_GUARD/);
    const good = granted(await recordDecision(place, trace, OPERATOR, asked));
    expect(await settle(good.decision_id)).toBe("consensus");
    expect(findReview({ place, task: "limit" }, id).phase).toBe("CONSENSUS");
  },
);

verifies(
  "004-109",
  "doubts that stay are a recorded disagreement, unless a person bears them",
  async () => {
    const { place, trace, propose, vote } = await reviewScene();
    const { completion_id: id } = granted(await propose());
    for (const voter of [CLEO, OTTO, OPERATOR]) granted(await vote(voter, id, "yellow"));
    const { decision_id } = granted(await recordDecision(place, trace, OPERATOR, asked));
    const settle = (accepts: boolean) =>
      decideReview(place, OPERATOR, findReview({ place, task: "limit" }, id), {
        ...{ decision_id, choice: "yes", accepts },
      });
    expect(await settle(false)).toBe("disagreement");
    expect(findReview({ place, task: "limit" }, id).phase).toBe("REVIEW");
    expect(await settle(true)).toBe("consensus");
  },
);

test("a choice that is longer than a move may say is cut, and never within a character", async () => {
  const { place, trace, propose, vote } = await reviewScene();
  const id = granted(await propose()).completion_id;
  for (const voter of [CLEO, OTTO, OPERATOR]) granted(await vote(voter, id, "yellow"));
  const { decision_id } = granted(await recordDecision(place, trace, OPERATOR, asked));
  for (const chars of [1_998, 3_999]) {
    const choice = `${"a".repeat(chars)}😀${"b".repeat(100)}`;
    const review = findReview({ place, task: "limit" }, id);
    const move = { decision_id, choice, accepts: chars > 2_000 };
    const moved = await decideReview(place, OPERATOR, review, move);
    expect(moved).toBe(chars > 2_000 ? "consensus" : "disagreement");
  }
});

test("what nobody measured can wait on the decision of somebody else", async () => {
  const { place, trace, propose } = await reviewScene();
  const facts = { ...MEASURED, docs: undefined };
  const defer = async (by: typeof NIA) => {
    const { decision_id } = granted(await recordDecision(place, trace, by, asked));
    return propose({ facts, deferred: new Map([["docs", decision_id]]) });
  };
  expect(refusedBy(await defer(NIA))).toMatch(/^INDEPENDENCE_GUARD/);
  expect(granted(await defer(OPERATOR))).toMatchObject({ phase: "REVIEW" });
});

verifies(
  "004-110",
  "when the owner stays away the two who came may decide, on a recorded decision",
  async () => {
    let now = Date.UTC(2026, 0, 1);
    const { place, trace, propose, vote } = await reviewScene(() => now);
    const { completion_id: id } = granted(await propose());
    granted(await vote(CLEO, id, "green"));
    granted(await vote(OTTO, id, "green"));
    const { decision_id } = granted(await recordDecision(place, trace, OPERATOR, asked));
    const settle = () =>
      decideReview(place, OPERATOR, findReview({ place, task: "limit" }, id), {
        ...{ decision_id, choice: "yes", accepts: false },
      });
    expect(await settle()).toBeNull();
    now += 4 * 15 * 60_000;
    expect(await settle()).toBe("consensus");
    expect(findReview({ place, task: "limit" }, id).phase).toBe("CONSENSUS");
  },
);
