import { expect, test } from "vitest";
import { readTrace } from "../../../src/flow/trace/look.ts";
import { verifyTarget } from "../../../src/flow/trace/verify-target.ts";
import { findReview, reviewsIn } from "../../../src/flow/vote/find-review.ts";
import { CompletionDocument } from "../../../src/schema/completion.ts";
import { verifies } from "../../verifies.ts";
import {
  CLEO,
  granted,
  MEASURED,
  NIA,
  OPERATOR,
  OTTO,
  RUNTIME,
  refusedBy,
  reviewScene,
  writeModel,
} from "./review-scene.ts";

verifies(
  ["004-90", "004-92", "004-101", "004-111"],
  "a doubt is removed, three agree, and the record proves it",
  async () => {
    const { propose, vote, place, trace } = await reviewScene();
    const { completion_id: id, phase } = granted(await propose());
    expect(phase).toBe("REVIEW");
    granted(await vote(CLEO, id, "yellow"));
    granted(await vote(OTTO, id, "green"));
    const again = granted(await vote(CLEO, id, "green"));
    expect(again).toMatchObject({ replaced: true, moved: null });
    expect(granted(await vote(OPERATOR, id, "green"))).toMatchObject({ moved: "consensus" });
    const review = findReview({ place, task: "limit" }, id);
    expect(review).toMatchObject({ phase: "CONSENSUS", counts: { green: 3, yellow: 0, red: 0 } });
    expect(review.votes[0]?.body.anchors).toMatchObject([
      { place: "src/a.js:2", text: "const limit = 5;" },
    ]);
    const verified = await verifyTarget(async () => place, trace, {
      ...{ profile: "default", mode: "full", threads: 0 },
    });
    expect(verified).toMatchObject({ report: { failures: [] } });
  },
);

verifies(
  "004-98",
  "a proposal is one document with all its fields, stored by its digest",
  async () => {
    const { propose, place, commit } = await reviewScene();
    const { digest } = granted(await propose());
    const bytes = Buffer.concat([...(place.artifacts.read(digest) ?? [])]);
    const document = CompletionDocument.parse(JSON.parse(bytes.toString()));
    expect(document).toMatchObject({
      artifact: `git:${commit}`,
      scope: ["src/a.js"],
      snapshot: { build: commit },
      diff: { why: "It was asked for", risk_class: "high", risks: ["none known"] },
      tests: { passed: 3, failed: 0, coverage: 100, coverage_min: 80 },
      rollback: "revert it",
      provenance: { addresses: [`git:${commit}`, expect.stringMatching(/^sha256:/)] },
      request: { due_beat: null },
    });
    expect(document.diff?.summary).toBe("1 file, +1 -0: src/a.js");
    expect(document.done.every(({ state }) => state === "done")).toBe(true);
  },
);

verifies("004-104", "work that lacks anything is a draft, and nobody votes on it", async () => {
  const { propose, vote } = await reviewScene();
  const draft = granted(await propose({ facts: { ...MEASURED, tests: undefined } }));
  expect(draft.phase).toBe("DRAFT");
  expect(draft.done.filter(({ state }) => state !== "done")).toMatchObject([{ item: "tests" }]);
  expect(refusedBy(await vote(CLEO, draft.completion_id, "green"))).toMatch(
    /^ORDER_GUARD: .*DRAFT/,
  );
});

verifies("004-80", "coverage is measured on the changed lines alone", async () => {
  const { propose, bus } = await reviewScene();
  const report = (hits: number) => `SF:src/a.js\nDA:1,0\nDA:2,${hits}\nend_of_record\n`;
  const low = granted(await propose({ lcov: report(0) }));
  expect(low.done.find(({ item }) => item === "tests")?.reason).toContain("reach 0 %");
  const elsewhere = granted(await propose({ lcov: "SF:src/b.js\nDA:1,9\n" }));
  expect(elsewhere.phase).toBe("DRAFT");
  expect(granted(await propose({ lcov: report(1) })).phase).toBe("REVIEW");
  const said = [...bus.talk().messages].at(-1);
  expect(said).toMatchObject({ kind: "REVIEW", text: expect.stringContaining("up for review") });
});

test("a secret in the change keeps the proposal a draft", async () => {
  const { propose, git } = await reviewScene();
  const token = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
  const commit = git.commit({ "src/b.js": `const token = "${token}";\n` });
  const { phase, done } = granted(await propose({ commit }));
  expect(phase).toBe("DRAFT");
  expect(done.find(({ item }) => item === "secrets")?.reason).toMatch(/^found: /);
});

test("whoever made it does not vote, in whatever role", async () => {
  const { propose, vote } = await reviewScene();
  const { completion_id: id } = granted(await propose());
  expect(refusedBy(await vote(NIA, id, "green"))).toMatch(/^ROLE_GUARD/);
  expect(refusedBy(await vote({ ...NIA, role: "critic" }, id, "green"))).toMatch(/^ROLE_GUARD/);
  // A forged role: cleo is registered as a critic.
  expect(refusedBy(await vote({ ...CLEO, role: "auditor" }, id, "green"))).toMatch(/^ROLE_GUARD/);
});

verifies("004-105", "an anchor that is not there is refused, and nothing is recorded", async () => {
  const { propose, vote, place, trace } = await reviewScene();
  const { completion_id: id } = granted(await propose());
  const size = readTrace(place, trace).length;
  const wrong = {
    "src/a.js:3": /has 2 lines/,
    "src/a.js:9": /has 2 lines/,
    "src/b.js:1": /no such file/,
    "../a.js:1": /no such file/,
    "src/a.js:2: const limit = 6;": /HALLUCINATED|INACCURATE/,
    "MSG-999": /neither/,
    [`sha256:${"0".repeat(64)}`]: /neither/,
    "it looks good": /neither/,
  };
  for (const [evidence, reason] of Object.entries(wrong)) {
    const answer = refusedBy(await vote(CLEO, id, "green", { evidence: [evidence] }));
    expect(answer, evidence).toMatch(/^EVIDENCE_GUARD/);
    expect(answer, evidence).toMatch(reason);
  }
  expect(refusedBy(await vote(CLEO, id, "green", { evidence: [] }))).toMatch(/^EVIDENCE_GUARD/);
  expect(refusedBy(await vote(CLEO, id, "yellow", { mitigations: [] }))).toMatch(/^EVIDENCE_GUARD/);
  expect(refusedBy(await vote(CLEO, id, "red", { fix: undefined }))).toMatch(/^EVIDENCE_GUARD/);
  expect(readTrace(place, trace)).toHaveLength(size);
  granted(await vote(CLEO, id, "green", { evidence: ["src/a.js:2: const limit = 5;"] }));
});

verifies(
  "004-108",
  "a new commit makes votes stale; a new message for the same files takes no red away",
  async () => {
    const { propose, vote, place, git } = await reviewScene();
    const first = granted(await propose());
    granted(await vote(CLEO, first.completion_id, "red"));
    const same = granted(await propose({ why: "Said in other words" }));
    expect(same.digest).not.toBe(first.digest);
    expect(refusedBy(await vote(OTTO, first.completion_id, "green"))).toMatch(/stale/);
    granted(await vote(OTTO, same.completion_id, "green"));
    const scope = { place, task: "limit" };
    expect(findReview(scope, same.completion_id).blockers).toContain("the red vote of cleo");
    const commit = git.commit({ "src/a.js": "const a = 1;\nconst limit = 4;\n" });
    const fixed = granted(await propose({ commit }));
    const review = findReview(scope, fixed.completion_id);
    expect(review).toMatchObject({ phase: "REVIEW", votes: [] });
    expect(review.blockers).not.toContain("the red vote of cleo");
    expect(reviewsIn(scope).map(({ revised_by }) => revised_by)).toEqual([
      same.completion_id,
      fixed.completion_id,
      null,
    ]);
  },
);

test("a completion is named by the beginning of its name or digest, where no other begins so", async () => {
  const { propose, place } = await reviewScene();
  const scope = { place, task: "limit" };
  const { completion_id: id, digest } = granted(await propose());
  for (const wanted of [id, id.slice(0, -1), digest.slice(0, 20)]) {
    expect(findReview(scope, wanted).completion_id).toBe(id);
  }
  expect(() => findReview(scope, "zz")).toThrow('there is no completion "zz"');
});

test("a check of the runtime's own holds a quality seat, under the name of the check", async () => {
  const { propose, vote, place } = await reviewScene();
  const { completion_id: id } = granted(await propose());
  granted(await vote(CLEO, id, "green"));
  granted(await vote(RUNTIME, id, "green"));
  expect(granted(await vote(OPERATOR, id, "green"))).toMatchObject({ moved: "consensus" });
  const { votes } = findReview({ place, task: "limit" }, id);
  expect(votes.find(({ agent }) => agent === "sworn")).toMatchObject({
    seat: "quality",
    body: { check: "tests" },
  });
});

verifies("004-97", "the review says what it waits for, by beats that passed", async () => {
  let now = Date.UTC(2026, 0, 1);
  const { propose, vote, place } = await reviewScene(() => now);
  const { completion_id: id } = granted(await propose());
  const next = () => findReview({ place, task: "limit" }, id).next;
  granted(await vote(CLEO, id, "green"));
  expect(next()).toBe("wait");
  now += 4 * 15 * 60_000;
  expect(next()).toBe("add-reviewers");
  granted(await vote(OTTO, id, "green"));
  expect(next()).toBe("escalate");
});

test("beats that nobody opened any more have passed all the same, at the project's tempo", async () => {
  let now = Date.UTC(2026, 0, 1);
  const { propose, vote, place } = await reviewScene(() => now);
  // Whoever asks for votes by a beat has one opened; nobody opens another.
  const { completion_id: id } = granted(await propose({ dueBeats: 2 }));
  const next = (tempo = {}) => findReview({ place, task: "limit", tempo }, id).next;
  granted(await vote(CLEO, id, "green"));
  now += 4 * 15 * 60_000;
  expect(next()).toBe("add-reviewers");
  expect(next({ beatsMax: 5 })).toBe("wait");
  now += 4 * 15 * 60_000;
  expect(next()).toBe("narrow-scope");
});

test("voters of one family are shown as such, and still count", async () => {
  const { propose, vote, place } = await reviewScene();
  writeModel(place, "vendor/oak-3-large");
  const { completion_id: id } = granted(await propose());
  granted(await vote(CLEO, id, "green", { family: "oak" }));
  granted(await vote(OTTO, id, "green", { family: "elm" }));
  expect(findReview({ place, task: "limit" }, id).notes).toEqual([
    "cleo is of the family of nia: oak",
  ]);
});

verifies(
  ["004-11"],
  "no address that may come to mean something else stands in what a proposal says",
  async () => {
    const { propose, place, trace, commit } = await reviewScene();
    const before = readTrace(place, trace).filter(({ type }) => type === "completion_proposed");
    const floating = "ucxl://any:any@any:limit/*^/fact/port";
    for (const said of [
      { why: `It was decided (${floating}).` },
      { risks: ["none", `see ${floating}, which says so`] },
      { rollback: floating },
      { scope: [floating] },
    ]) {
      await expect(propose(said)).rejects.toThrow(/may come to mean something else/);
    }
    expect(readTrace(place, trace).filter(({ type }) => type === "completion_proposed")).toEqual(
      before,
    );
    const fixed = `ucxl://any:any@any:limit/git:${commit}/file/src/a.js`;
    granted(await propose({ why: `See (${fixed}), and that ucxl:// begins an address.` }));
  },
);
