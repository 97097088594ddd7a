import { expect, test } from "vitest";
import { makeReport } from "../../src/flow/review/make-report.ts";
import { type ReviewerFindings, withoutCopies } from "../../src/verify/team/index.ts";
import { checked, reviewer } from "./team-reviewers.ts";

const ISSUE =
  "The host parameter of the request reaches a shell through exec without being escaped, so whoever sends the request can run a command of their own on the server.";
const OWN =
  "`exec` is handed a string that was put together from `req.query.host`. A semicolon in it starts a second program. An attacker needs no account for this.";

const said = (name: string, issue: string, title = "Command injection") =>
  reviewer(name, [checked("one", { title, issue, priority: "P1" })]);

async function supportBy(team: readonly ReviewerFindings[]) {
  const report = await makeReport({
    kind: "review",
    nonce: "0".repeat(32),
    subject: { repository: "r", base: null, head: "0".repeat(40), range: "all" },
    parts: team.map((one) => ({
      reviewer: one,
      standing: { role: "reviewer", status: "partial", unread: 0 },
      unread: [],
    })),
    gaps: [],
    coverage: { files: 1, covered: 1 },
    isCancelled: false,
    known: new Map(),
    notes: [],
    contextOf: () => Promise.resolve({ from: 1, lines: [] }),
  });
  return { support: report.findings[0]?.support, notes: report.notes };
}

test("two agents who say the same in their own words bear each other out", async () => {
  const { support, notes } = await supportBy([said("a", ISSUE), said("b", OWN)]);
  expect(support).toBe("second-reviewer");
  expect(notes).toEqual([]);
});

test("a report that was copied and changed a little bears nothing out", async () => {
  const reworded = ISSUE.replace("escaped", "quoted").replace("command of their own", "program");
  const { support, notes } = await supportBy([
    said("a", ISSUE),
    said("b", reworded, "Injection of a command"),
  ]);
  expect(support).toBe("quotation");
  expect(notes.join("\n")).toMatch(/^b repeats a: \d+ % of its words are the same, so both count/);
});

test("a copy with something added, in another order or in other spacing is a copy", () => {
  const [one, two] = [ISSUE, OWN].map((issue, at) => checked(String(at), { issue }));
  const [spaced, more] = [ISSUE.replaceAll(" ", "\n "), "And a remark"].map((issue, at) =>
    checked(String(2 * at), { issue }),
  );
  const first = reviewer(
    "a",
    [one, two].filter((each) => each !== undefined),
  );
  const second = reviewer(
    "b",
    [two, spaced, more].filter((each) => each !== undefined),
  );
  expect(withoutCopies([first, second]).reviewers.map(({ family }) => family)).toEqual(["a", "a"]);
});

test("few words that are alike are no copy unless they are all the same", () => {
  const brief = (name: string, title: string) => reviewer(name, [checked("one", { title })]);
  const families = (...team: ReviewerFindings[]) =>
    withoutCopies(team).reviewers.map(({ family }) => family);
  expect(families(brief("a", "Command injection here"), brief("b", "Command injection"))).toEqual([
    "a",
    "b",
  ]);
  expect(families(brief("a", "Command injection"), brief("b", "command  injection."))).toEqual([
    "a",
    "a",
  ]);
});

test("analysers, and who found nothing, copy nobody", () => {
  const analyser = reviewer("sec", [checked("one", { issue: ISSUE })], { kind: "analyser" });
  const team = [analyser, said("a", ISSUE), reviewer("b", []), reviewer("c", [])];
  expect(withoutCopies(team)).toEqual({ reviewers: team, notes: [] });
});
