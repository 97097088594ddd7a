import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import {
  COMPARE,
  CONTRACT,
  deliverable,
  findingText,
  LIE,
  NONCE,
  type Said,
  SHELL,
  TeamRun,
} from "./team-run.ts";

const statuses = (outcome: { deliverables: readonly { name: string; status: string }[] }) =>
  outcome.deliverables.map(({ name, status }) => `${name} ${status}`);

function wholeRun(contract: object = CONTRACT): TeamRun {
  const run = new TeamRun(contract);
  run.deliver("forge.md", deliverable([SHELL]));
  run.deliver("ward.md", deliverable([COMPARE]));
  return run;
}

verifies(["000-30", "000-63"], "a team that delivered is judged, bound and completed", async () => {
  const run = wholeRun();
  const outcome = await run.validated();
  expect(statuses(outcome)).toEqual(["forge complete", "ward complete"]);
  expect(outcome).toMatchObject({ lateGaps: 0, injected: [], warnings: [] });
  expect(outcome.report).toMatchObject({ status: "completed", gaps: [], refuted: [] });
  expect(run.json("completion.json")).toEqual({
    workflow: "rune-review",
    identifier: "out",
    completed_at: "2026-02-11T11:00:00.000Z",
    tarnished: {
      forge: { status: "complete", findings: 1, p1: 1, p2: 0, p3: 0, confidence: null },
      ward: { status: "complete", findings: 1, p1: 0, p2: 1, p3: 0, confidence: null },
    },
    aggregation: {
      tome_path: "out/TOME.md",
      total_findings: 2,
      pre_dedup_total: 2,
      dedup_removed: 0,
    },
  });
  expect(run.json("state.json")).toEqual({
    status: "completed",
    started: "2026-02-11T10:30:00Z",
    expected_files: ["forge.md", "ward.md"],
    gaps: [],
  });
  expect(run.read("TOME.md")).toContain(`nonce="${NONCE}" id="BACK-001"`);
  expect(run.json("inline-validation.json")).toMatchObject({
    timestamp: "2026-02-11T11:00:00.000Z",
    results: { forge: { checks: { "P1 (Critical)": true, "Rune Traces": true, Seal: true } } },
    tarnished_checked: 2,
  });
  expect(run.git("status", "--porcelain")).toBe("?? out/\n");
});

verifies("000-31", "no file at all is a failure, and writes no result", async () => {
  const run = new TeamRun();
  run.deliver("forge.md", "a stub");
  const outcome = await run.judge();
  expect(outcome).toMatchObject({
    kind: "abort",
    reason: "none of the 2 expected files is there; check the output folder and the prompts",
  });
  for (const name of ["completion.json", "TOME.md", "inline-validation.json", "state.json"]) {
    expect(run.has(name), name).toBe(false);
  }
});

verifies(
  "000-32",
  "with waiting it looks three times, 60 seconds apart, and then it has failed",
  async () => {
    const run = new TeamRun();
    const slept: number[] = [];
    const sleep = async (ms: number) => void slept.push(ms);
    const outcome = await run.judge({ wait: true, sleep });
    expect(slept).toEqual([60_000, 60_000]);
    expect(outcome).toMatchObject({ kind: "abort", reason: expect.stringContaining("3 looks") });
    expect(run.json("state.json")).toMatchObject({ status: "failed" });
    expect(run.has("completion.json")).toBe(false);
  },
);

test("who stops the waiting is heard at once", async () => {
  const stop = new AbortController();
  const waiting = new TeamRun().judge({
    wait: true,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await expect(waiting).rejects.toThrow(/abort/i);
});

verifies("000-32", "a file that appears while it waits is judged", async () => {
  const run = new TeamRun();
  const sleep = async () => run.deliver("ward.md", deliverable([COMPARE]));
  const outcome = await run.validated({ wait: true, sleep });
  expect(statuses(outcome)).toEqual(["forge missing", "ward complete"]);
});

verifies(
  ["000-35", "000-59"],
  "who is missing leaves gaps, and a scope that nobody covered",
  async () => {
    const run = new TeamRun();
    run.deliver("ward.md", deliverable([COMPARE]));
    const { report, lateGaps } = await run.validated();
    expect(report.status).toBe("completed_with_gaps");
    expect(report.gaps).toEqual([
      { what: "The part of forge: nothing was delivered", who: "forge", why: "no file" },
      { what: "src/shell.js", why: "only forge had it, and delivered nothing" },
    ]);
    expect(lateGaps).toBe(2);
    expect(report.coverage).toEqual({ files: 2, covered: 1 });
    expect(run.read("TOME.md")).toContain("| forge | Missing (no file) |");
    run.deliver("forge.md", deliverable([SHELL]));
    const again = await run.validated();
    expect(run.json("state.json")).toMatchObject({ status: "completed_with_gaps" });
    expect(again.report.status).toBe("completed");
    expect(again.warnings).toEqual([
      "TOME.md is bound anew",
      "state.json says completed_with_gaps and stays so, this check found completed",
    ]);
    expect(run.read("TOME.md")).toContain("BACK-001");
  },
);

const quotedSeal = `## Notes

\`\`\`js
${deliverable([]).slice(-260)}
\`\`\`
`;

test.each([
  [
    "a Seal that only stands in reviewed code",
    deliverable([COMPARE]).replace(/---\nSEAL.*/s, quotedSeal),
    "no Seal",
  ],
  [
    "something after the Seal",
    `${deliverable([COMPARE])}\nAnd one more thing.\n`,
    "something follows the Seal",
  ],
  [
    "the Seal of another run",
    deliverable([COMPARE], { nonce: "f".repeat(32) }),
    "the Seal carries another nonce",
  ],
  ["no Summary", deliverable([COMPARE]).replace("## Summary", "## Ending"), "no Summary section"],
])("%s makes a file partial", async (_, text, reason) => {
  const run = wholeRun();
  run.deliver("ward.md", text);
  const { deliverables, lateGaps } = await run.validated();
  const [, ward] = deliverables;
  expect(ward).toMatchObject({ status: "partial", reasons: [reason] });
  expect(lateGaps).toBe(1);
});

test("who left a file and no Seal may still be at work: the Seal outranks the file", async () => {
  const run = wholeRun();
  run.deliver("ward.md", deliverable([COMPARE]).replace(/---\nSEAL.*/s, ""));
  const { ended } = await run.validated();
  expect(ended.get("ward")).toEqual({ ended: false, by: "seal", contradicted: ["file"] });
  expect(ended.get("forge")).toEqual({ ended: true, by: "seal", contradicted: [] });
});

verifies(
  ["000-50", "000-51"],
  "what the source does not have is refuted, and its author unreliable",
  async () => {
    const run = wholeRun();
    run.deliver("ward.md", deliverable([COMPARE, LIE]));
    const { report } = await run.validated();
    expect(report.refuted.map(({ by, finding }) => [by, finding.id])).toEqual([
      ["ward", "SEC-002"],
    ]);
    expect(report.reviewers.map(({ name, reliable }) => [name, reliable])).toEqual([
      ["forge", true],
      ["ward", false],
    ]);
    expect(report.findings.map(({ finding }) => finding.id)).toEqual(["BACK-001", "SEC-001"]);
  },
);

verifies("000-45", "text that stands in another file is no evidence for this one", async () => {
  const run = wholeRun();
  run.deliver("ward.md", deliverable([{ ...SHELL, id: "SEC-003", place: "src/login.js:2" }]));
  const { report } = await run.validated();
  expect(report.refuted.map(({ finding }) => finding.id)).toEqual(["SEC-003"]);
});

test("files that are too much for one machine are left unread, and are no pass", async () => {
  const run = wholeRun();
  run.deliver("ward.md", `${"x".repeat(80)}\n`.repeat(220_000));
  const { deliverables } = await run.validated();
  expect(deliverables[1]).toMatchObject({
    status: "missing",
    reasons: [expect.stringMatching(/has 17820000 bytes, expected at most 16777216/)],
  });
});

test("findings are held against the commit that was named, not against the work tree", async () => {
  const run = wholeRun();
  const before = run.git("rev-parse", "HEAD").trim();
  run.write(join(run.root, "src/shell.js"), "// nothing is left\n");
  run.git("add", "-A", "src");
  run.git("commit", "-q", "-m", "gone");
  expect((await run.validated()).report.refuted).toHaveLength(1);
  expect((await run.validated({ at: before })).report.refuted).toHaveLength(0);
});

test("the same thing said by two is bound once, with both names", async () => {
  const run = wholeRun();
  run.deliver("ward.md", deliverable([{ ...SHELL, id: "SEC-009" }]));
  const { report } = await run.validated();
  expect(report.findings.map(({ by, also_by }) => [by, also_by])).toEqual([["forge", ["ward"]]]);
  // Nobody knows whether the two are independent of each other.
  expect(report.findings[0]?.support).toBe("quotation");
  expect(run.json("completion.json")).toMatchObject({
    aggregation: { total_findings: 1, pre_dedup_total: 2, dedup_removed: 1 },
  });
});

const wrapped = (said: Said, nonce: string) =>
  `<!-- RUNE:FINDING nonce="${nonce}" id="${said.id}" severity="${said.priority}" -->\n\n${findingText(said)}\n\n<!-- /RUNE:FINDING ${said.id} -->\n`;
const tomeOf = (...parts: string[]) => `# TOME\n\n## P1 (Critical)\n\n${parts.join("\n")}`;

test("a bound document that somebody else wrote is read by its wrappers", async () => {
  const run = wholeRun();
  run.deliver("TOME.md", tomeOf(wrapped(SHELL, NONCE), wrapped(COMPARE, NONCE)));
  const { injected, lateGaps } = await run.validated();
  expect([injected, lateGaps]).toEqual([[], 0]);
});

test.each([
  ["without a wrapper", findingText(LIE), "it carries no nonce"],
  ["in another run's wrapper", wrapped(LIE, "f".repeat(32)), "it carries another nonce"],
  ["in this run's wrapper, and in nobody's file", wrapped(LIE, NONCE), "no teammate wrote it"],
])("a finding %s is injected", async (_, text, why) => {
  const run = wholeRun();
  const written = tomeOf(wrapped(SHELL, NONCE), wrapped(COMPARE, NONCE), text);
  run.deliver("TOME.md", written);
  const { injected } = await run.validated();
  expect(injected).toMatchObject([
    { id: "SEC-002", title: "Input is evaluated", file: "src/login.js", why },
  ]);
  expect(run.read("TOME.md")).toBe(written);
});

test("a bound document that leaves out or lowers what a teammate wrote has gaps", async () => {
  const run = wholeRun();
  const lowered = wrapped({ ...SHELL, priority: "P3" }, NONCE);
  run.deliver("TOME.md", `# TOME\n\n## P3 (Medium)\n\n${lowered}`);
  const { report, isBoundShort } = await run.validated();
  expect(isBoundShort).toBe(true);
  expect(report.status).toBe("completed_with_gaps");
  expect(report.gaps.map(({ what, who, why }) => [what.slice(0, 8), who, why])).toEqual([
    ["BACK-001", "runebinder", "a teammate wrote it as P1, and the bound document lowers it"],
    ["SEC-001:", "runebinder", "a teammate wrote it, and the bound document leaves it out"],
  ]);
});

test("a bound document that quotes the same and says something else has gaps", async () => {
  const run = wholeRun();
  const other = wrapped({ ...SHELL, title: "The maintainer stole the keys" }, NONCE);
  run.deliver("TOME.md", tomeOf(other, wrapped(COMPARE, NONCE)));
  const { report, lateGaps } = await run.validated();
  expect(report.gaps.map(({ what, who, why }) => [what, who, why])).toEqual([
    [
      "BACK-001: The maintainer stole the keys",
      "runebinder",
      "the bound document quotes what a teammate quoted, and calls it otherwise",
    ],
  ]);
  expect(lateGaps).toBe(1);
  const again = wrapped({ ...SHELL, title: "a name  reaches the `shell`." }, NONCE);
  run.deliver("TOME.md", tomeOf(again, wrapped(COMPARE, NONCE)));
  expect((await run.validated()).lateGaps).toBe(0);
});

test("the document this check bound itself is known again", async () => {
  const run = wholeRun();
  await run.validated();
  const written = run.read("TOME.md");
  expect(await run.validated()).toMatchObject({ injected: [], lateGaps: 0, warnings: [] });
  expect(run.read("TOME.md")).toBe(written);
});

test("an older one of ours is bound anew, and what is gone since is told", async () => {
  const run = wholeRun();
  await run.validated();
  run.deliver("forge.md", deliverable([]));
  const { injected, warnings } = await run.validated();
  expect(injected).toEqual([]);
  expect(warnings).toEqual(["TOME.md is bound anew; no file has these any more: BACK-001"]);
  expect(run.read("TOME.md")).not.toContain("BACK-001");
  const forged = `${run.read("TOME.md")}\n${findingText(LIE)}\n`;
  run.deliver("TOME.md", forged);
  expect((await run.validated()).injected.map(({ why }) => why)).toEqual(["it carries no nonce"]);
});

test("links are not followed, in a file's place or on the way to it", async () => {
  const run = wholeRun();
  run.write(join(run.folder, "elsewhere/ward.md"), deliverable([COMPARE]));
  run.deliver("ward.md", "");
  renameSync(join(run.out, "ward.md"), join(run.out, "old"));
  symlinkSync(join(run.folder, "elsewhere/ward.md"), join(run.out, "ward.md"));
  const { deliverables } = await run.validated();
  expect(deliverables[1]).toMatchObject({
    status: "missing",
    reasons: ["could not be read: it is a link, which is not followed"],
  });
  const linked = new TeamRun({ ...CONTRACT, output_dir: "linked/deep" });
  mkdirSync(join(linked.folder, "elsewhere/deep"), { recursive: true });
  symlinkSync(join(linked.folder, "elsewhere"), join(linked.root, "linked"));
  await expect(linked.judge()).rejects.toThrow(/leads through the link .*linked/);
});

test("the files lie under the repository, under the contract's folder, or beside the contract", async () => {
  const beside = new TeamRun({ ...CONTRACT, output_dir: "tmp/reviews/142/" });
  beside.deliver("ward.md", deliverable([COMPARE]));
  expect((await beside.validated()).folder).toBe(beside.out);
  // An older run left its folder; the files that are expected now are not in it.
  beside.write(join(beside.root, "tmp/reviews/142/other.md"), "old");
  expect((await beside.validated()).folder).toBe(beside.out);
  const below = new TeamRun({ ...CONTRACT, output_dir: "parts" });
  below.deliver("parts/ward.md", deliverable([COMPARE]));
  expect((await below.validated()).folder).toBe(join(below.out, "parts"));
  const above = new TeamRun({ ...CONTRACT, output_dir: "parts" });
  above.write(join(above.root, "parts/ward.md"), deliverable([COMPARE]));
  expect((await above.validated()).folder).toBe(join(above.root, "parts"));
});

test.each([
  ["../outside", /output_dir: expected a path inside the project/],
  ["/etc", /output_dir: expected a path inside the project/],
])("the output folder %s is refused", async (output_dir, message) => {
  const run = new TeamRun({ ...CONTRACT, output_dir });
  await expect(run.judge()).rejects.toThrow(message);
});

test("a contract of another tool is read: what it has more is named, what it lacks too", async () => {
  const { timestamp: _, nonce: __, verification: ___, ...rest } = CONTRACT;
  const run = wholeRun({ ...rest, session_id: "abc", config_dir: "x" });
  const { opened, report } = await run.validated();
  expect(opened.ignored).toEqual(["session_id", "config_dir"]);
  expect(opened.absent).toEqual(["timestamp", "nonce", "verification", "context_engineering"]);
  // Without a word about verification, everything is held against the source all the same.
  expect(report.reviewers.map(({ confirmed }) => confirmed)).toEqual([1, 1]);
  expect(report.reviewers[0]?.note).toContain("the Seal may be anybody's");
});

test("no teammate's work may lie where the check writes", async () => {
  const [forge, ward] = CONTRACT.teammates;
  const teammates = [forge, { ...ward, output_file: "Completion.json" }];
  const run = new TeamRun({ ...CONTRACT, teammates });
  await expect(run.judge()).rejects.toThrow("teammates[1].output_file: the check itself writes");
  const bound = new TeamRun({ ...CONTRACT, aggregator: { name: "b", output_file: "state.json" } });
  await expect(bound.judge()).rejects.toThrow("aggregator.output_file: the check itself writes");
});

test("a status report's open points are no findings, and nothing pretends that they were checked", async () => {
  const { aggregator: _, ...rest } = CONTRACT;
  const teammates = CONTRACT.teammates.map((one) => ({ ...one, required_sections: ["Status"] }));
  const run = new TeamRun({ ...rest, teammates, verification: { enabled: false } });
  const text = `## Status\n\nAll that was asked for is done, and the tests were run twice.\n\n- [ ] Rate limit in \`src/rate.js\` is left for later\n\n---\nSEAL: { findings: 0, evidence_verified: true, confidence: 0.9, self_reviewed: true, nonce: "${NONCE}" }\n---\n`;
  run.deliver("forge.md", text);
  run.deliver("ward.md", text);
  const { deliverables, warnings } = await run.validated();
  expect(deliverables.map(({ status }) => status)).toEqual(["complete", "complete"]);
  expect(warnings).toEqual([
    "the contract turns verification off: nothing that these files say was held against the source",
  ]);
  expect(run.has("TOME.md")).toBe(false);
  // The same words under a contract that verifies are a finding, and the file it names is not there.
  const checked = new TeamRun({ ...rest, teammates });
  checked.deliver("forge.md", text);
  expect((await checked.validated()).report.refuted).toHaveLength(1);
});

verifies(
  ["000-56", "000-57"],
  "one question for the lead is heard, those for people always are",
  async () => {
    const run = wholeRun();
    const extra =
      "**CLARIFICATION_REQUEST:** Is it public?\n\n**CLARIFICATION_REQUEST:** Really?\n\n## Human Escalation Required\n\nWho decides about it?\n";
    run.deliver("ward.md", deliverable([COMPARE], { extra }));
    const { questions, report } = await run.validated();
    expect(questions.map(({ by, to, text, heard }) => [by, to, text, heard])).toEqual([
      ["ward", "lead", "Is it public?", true],
      ["ward", "lead", "Really?", false],
      ["ward", "person", "Who decides about it?", true],
    ]);
    expect(report.notes).toContain("ward asked its lead 2 times, expected at most 1");
  },
);

verifies("000-49", "what a second agent should look at follows the contract's layers", async () => {
  const { spotChecks } = await wholeRun().validated();
  expect(spotChecks.map(({ reviewer, findings }) => [reviewer, findings.length])).toEqual([
    ["forge", 1],
    ["ward", 1],
  ]);
  const { layer_2_circuit: _, ...shallow } = CONTRACT.verification;
  const unlayered = await wholeRun({ ...CONTRACT, verification: shallow }).validated();
  expect(unlayered.spotChecks).toEqual([]);
});

verifies(
  "000-64",
  "three researchers with verification off deliver, and are judged by form alone",
  async () => {
    const names = ["framework", "pattern", "codebase"];
    const sections = ["Key Findings", "Recommendations", "Summary"];
    const run = new TeamRun({
      workflow: "rune-deep-research",
      output_dir: "out/",
      teammates: names.map((name) => ({
        name: `${name}-researcher`,
        output_file: `${name}-researcher.md`,
        required_sections: sections,
        role: `Research on ${name}`,
      })),
      verification: { enabled: false },
    });
    const prose = "This was looked for in the code and in what others wrote about it.";
    const text = sections.map((title) => `## ${title}\n\n${prose}\n`).join("\n");
    const seal =
      "---\nSEAL: { findings: 0, evidence_verified: true, confidence: 0.8, self_reviewed: true }\n---\n";
    for (const name of names) run.deliver(`${name}-researcher.md`, `${text}\n${seal}`);
    const whole = await run.validated();
    expect(whole.report.status).toBe("completed");
    expect(whole.spotChecks).toEqual([]);
    run.deliver(
      "pattern-researcher.md",
      `${text.replace("## Recommendations", "## Rest")}\n${seal}`,
    );
    const { deliverables } = await run.validated();
    expect(deliverables.map(({ status }) => status)).toEqual(["complete", "partial", "complete"]);
  },
);

test("a state file that cannot be read is made anew, and one that claims too much is contradicted", async () => {
  const damaged = wholeRun();
  damaged.deliver("state.json", "{");
  const first = await damaged.validated();
  expect(first.warnings).toEqual(["state.json cannot be read; it is made anew"]);
  expect(damaged.json("state.json")).toMatchObject({ status: "completed" });
  const boastful = new TeamRun();
  boastful.deliver("ward.md", deliverable([COMPARE]));
  const claim = {
    status: "completed",
    started: "2026-02-11T10:30:00Z",
    expected_files: [],
    gaps: [],
  };
  boastful.deliver("state.json", JSON.stringify(claim));
  const second = await boastful.validated();
  expect(second.report.status).toBe("completed_with_gaps");
  expect(second.warnings).toEqual([
    "state.json says completed and stays so, this check found completed_with_gaps",
  ]);
});

test.each(["state.json", "completion.json", "inline-validation.json"])(
  "a folder in the place of %s is named, and what to do about it",
  async (name) => {
    const run = wholeRun();
    mkdirSync(join(run.out, name), { recursive: true });
    await expect(run.validated()).rejects.toMatchObject({
      code: "ARTIFACT_WRITE_FAILED",
      message: expect.stringMatching(
        /a folder stands in its place; move it away and run this again/,
      ),
    });
  },
);

test("files that had no reader from the start are gaps, and nobody's failure", async () => {
  const run = wholeRun();
  const state = {
    status: "active",
    started: "2026-02-11T10:30:00Z",
    expected_files: ["forge.md", "ward.md"],
    gaps: ["logo.png: given to nobody (it is binary)", "an older remark"],
  };
  run.deliver("state.json", JSON.stringify(state));
  const { report, lateGaps } = await run.validated();
  expect(report.gaps).toEqual([{ what: "logo.png", why: "given to nobody (it is binary)" }]);
  expect(report.coverage).toEqual({ files: 3, covered: 2 });
  expect(lateGaps).toBe(0);
  expect(run.json("state.json")).toMatchObject({
    status: "completed_with_gaps",
    gaps: state.gaps,
  });
});

test("a finding that cannot be held against the source is a gap", async () => {
  const run = wholeRun();
  run.write(join(run.root, "src/blob.bin"), "a\0b");
  run.git("add", "-A", "src");
  run.git("commit", "-q", "-m", "binary");
  run.deliver("ward.md", deliverable([{ ...COMPARE, place: "src/blob.bin:1" }]));
  const { report, lateGaps } = await run.validated();
  expect(report.reviewers[1]?.unverified).toBe(1);
  expect(report.gaps.map(({ what, who }) => [what, who])).toEqual([["1 of 1 findings", "ward"]]);
  expect(lateGaps).toBe(1);
});

test("what only the companion file of a report says is held against the source too", async () => {
  const run = wholeRun();
  const element = ({ id, priority, title, place, quote }: typeof LIE) => {
    const [file, line] = place.split(":");
    return { id, priority, title, file, line: Number(line), rune_trace: quote };
  };
  const same = JSON.stringify({ tarnished: "ward", findings: [element(COMPARE)] });
  run.deliver("ward-findings.json", same);
  const first = await run.validated();
  expect(first.report.status).toBe("completed");
  expect(first.report.reviewers[1]).toMatchObject({ name: "ward", p2: 1, confirmed: 1 });

  run.deliver("ward-findings.json", JSON.stringify({ findings: [element(COMPARE), element(LIE)] }));
  const lied = await run.validated();
  expect(lied.report.refuted.map(({ by, finding }) => [by, finding.id])).toEqual([
    ["ward", "SEC-002"],
  ]);
  expect(lied.deliverables[1]?.status).toBe("complete");

  run.deliver("ward-findings.json", "{");
  const broken = await run.validated();
  expect(broken.report.gaps).toMatchObject([{ what: "1 part", who: "ward" }]);
  expect(broken.lateGaps).toBe(1);
});

test("what looks like a finding and could not be read is a gap", async () => {
  const run = wholeRun();
  const extra = "## P1\n\n| ID | Issue |\n|---|---|\n| BACK-009 | Everything is on fire |\n";
  run.deliver("forge.md", deliverable([SHELL], { extra }));
  const { report, lateGaps } = await run.validated();
  expect(report.status).toBe("completed_with_gaps");
  expect(report.gaps).toMatchObject([{ what: "1 part", who: "forge" }]);
  expect(lateGaps).toBe(1);
});
