import { expect, test } from "vitest";
import { quorumGaps, verdictOf } from "../../src/view/index.ts";
import { familyOf, nextStep, RUBRIC, sharedFamilies } from "../../src/vote/index.ts";
import { verifies } from "../verifies.ts";

/** What follows from votes of a critic, an auditor and an operator, as letters. */
function stepAfter(letters: string, more: object = {}): string {
  const roles = (["critic", "auditor", "operator"] as const).slice(0, letters.length);
  const count = (letter: string) => letters.split(letter).length - 1;
  const counts = { green: count("G"), yellow: count("Y"), red: count("R") };
  return nextStep({
    phase: "REVIEW",
    counts,
    verdict: verdictOf(counts),
    gaps: quorumGaps(roles.map((role) => ({ role }))),
    isConverged: false,
    ...more,
  });
}

test("votes that pass are agreed on; others lead to one more round, then to a decision", () => {
  expect(stepAfter("GGY")).toBe("agree");
  for (const letters of ["GYY", "YYY", "GGR"]) expect(stepAfter(letters)).toBe("converge");
  const converged = { isConverged: true };
  expect(stepAfter("GYY", converged)).toBe("decide");
  expect(stepAfter("YYY", converged)).toBe("decide");
  expect(stepAfter("GGR", converged)).toBe("fix");
});

verifies(
  "004-97",
  "without a quorum in four beats reviewers are added, then the scope shrinks",
  () => {
    expect(stepAfter("G", { beats: 3 })).toBe("wait");
    expect(stepAfter("G", { beats: 4 })).toBe("add-reviewers");
    expect(stepAfter("G", { beats: 8 })).toBe("narrow-scope");
    expect(stepAfter("G", { beats: 4, beatsMax: 6 })).toBe("wait");
    expect(stepAfter("G")).toBe("wait");
  },
);

verifies("004-110", "when both sides are green and a third stays away, the two may decide", () => {
  expect(stepAfter("GG", { beats: 3 })).toBe("wait");
  expect(stepAfter("GG", { beats: 4 })).toBe("escalate");
  expect(stepAfter("GY", { beats: 4 })).toBe("add-reviewers");
});

test("a review that is not open waits for no votes", () => {
  expect(stepAfter("GGG", { phase: "DRAFT" })).toBe("finish");
  expect(stepAfter("GGG", { phase: "CONSENSUS" })).toBe("deliver");
  expect(stepAfter("GGG", { phase: "MERGED" })).toBe("nothing");
});

verifies("004-100", "each vote has one meaning", () => {
  expect(Object.keys(RUBRIC)).toEqual(["green", "yellow", "red"]);
  expect(RUBRIC.yellow).toMatch(/owner and a deadline/);
  expect(RUBRIC.red).toMatch(/how to fix/);
});

test("voters of the author's family, or of one another's, are named", () => {
  const family = familyOf("vendor/oak-3-large");
  expect(family).toBe("oak");
  expect(familyOf("oak-4.1")).toBe("oak");
  const notes = sharedFamilies(
    [{ agent: "eli", family: "oak" }],
    [
      { agent: "cleo", family: "oak" },
      { agent: "otto", family: "elm" },
      { agent: "zoe", family: "elm" },
      { agent: "mara" },
    ],
  );
  expect(notes).toEqual(["cleo is of the family of eli: oak", "zoe is of the family of otto: elm"]);
});
