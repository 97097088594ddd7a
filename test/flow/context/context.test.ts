import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256Hex } from "../../../src/base/index.ts";
import { collectContext } from "../../../src/flow/context/collect-context.ts";
import type { ContextScope } from "../../../src/flow/context/context.ts";
import { renderContext } from "../../../src/flow/context/render-context.ts";
import { OPERATOR } from "../../../src/flow/talk/bus.ts";
import { addFact } from "../../../src/flow/talk/facts.ts";
import { post } from "../../../src/flow/talk/post.ts";
import { isImmutable, parseAddress } from "../../../src/schema/address.ts";
import type { EventRequest } from "../../../src/schema/index.ts";
import { opening, recording, request } from "../../fake/sandbox.ts";
import { GitFolder } from "../../repo/git-folder.ts";
import { verifies } from "../../verifies.ts";
import { LEAD, opened, said, talkPlace } from "../talk/scene.ts";

/** A project with files, a task and what its people said. */
async function project() {
  const git = new GitFolder();
  git.commit({ "src/a.ts": "const a = 1;\n" });
  git.git("checkout", "-q", "-b", "work");
  const head = git.commit({ "src/a.ts": "const a = 2;\n", "src/b.ts": "const b = 1;\n" });
  const place = talkPlace({ store: join(git.path, ".sworn") });
  const taskBus = await opened({ place, task: "login" });
  const projectBus = await opened({ place });
  const { signal } = new AbortController();
  const files = { repository: git.path, env: git.env, signal };
  const source = { place, task: "login", taskBus, projectBus, files };
  const ask = (selectors: readonly string[], scope: ContextScope = "full", more: object = {}) =>
    collectContext({ ...source, ...more }, selectors, scope);
  return { git, head, place, taskBus, projectBus, ask };
}

const decide = (id: string, context: string, choice: string): EventRequest => ({
  actor: { agent: OPERATOR.agent, role: "operator" },
  type: "decision_recorded",
  body: { decision_id: id, context, options: ["8080", "443"], choice },
});

verifies(
  ["004-6", "004-7", "004-99"],
  "the project's own context comes first and word for word, with its hash, its fixed address and what it contradicts",
  async () => {
    const { taskBus, projectBus, ask } = await project();
    const text = "It is 8080 in tests.\n\n```\n## Not a heading\n````\n| bar";
    said(await addFact(taskBus, LEAD, { title: "Login port", text }));
    said(await addFact(projectBus, OPERATOR, { title: "login  port", text: "It is 443." }));
    said(await taskBus.record(decide("d1", "Which port?", "8080")));
    said(await taskBus.record(decide("d2", "Which port?", "443")));
    const context = await ask(["facts", "decisions"]);
    const [facts, decisions] = context.parts;
    expect(facts?.blocks.map((block) => block.text)).toEqual(["It is 443.", text]);
    expect(facts?.blocks[1]).toMatchObject({ sha256: sha256Hex(text), isCut: false, by: "lead" });
    expect(decisions?.blocks.map((block) => block.text)).toEqual(
      ["8080", "443"].map((choice) =>
        [
          ...["Problem", "", "Which port?", "", "Options considered", "", "- 8080", "- 443", ""],
          ...["Decision", "", choice],
        ].join("\n"),
      ),
    );
    for (const { address } of [...(facts?.blocks ?? []), ...(decisions?.blocks ?? [])]) {
      const parsed = parseAddress(address);
      expect(parsed.ok && isImmutable(parsed.address), address).toBe(true);
    }
    expect(context.conflicts).toMatchObject([
      { kind: "fact", holds: null },
      { kind: "decision", holds: decisions?.blocks[1]?.address },
    ]);
    const words = renderContext(context);
    expect(words).toContain("counts before what was learnt in training");
    expect(words.indexOf("## Conflicts in the record")).toBeLessThan(words.indexOf("## facts"));
    // Nothing that was recorded can begin a line of the page.
    expect(words).toContain("\n| ## Not a heading\n");
    expect(words).not.toContain("\n## Not a heading");
    // In brief the first line only; the hash is still that of the whole.
    const brief = (await ask(["facts"], "brief")).parts[0]?.blocks[1];
    expect(brief).toMatchObject({ text: "It is 8080 in tests.", isCut: true });
    expect(brief?.sha256).toBe(sha256Hex(text));
  },
);

verifies(
  ["004-8", "004-114"],
  "what is restricted, by its content or by what stands beside it, is withheld and said to be",
  async () => {
    const { git, taskBus, ask } = await project();
    const meta = (classification: string) => ({
      kind: "DECISION" as const,
      meta: { classification },
    });
    said(await post(taskBus, LEAD, { text: "The merger is on", ...meta("restricted") }));
    said(await post(taskBus, LEAD, { text: "Not so sure", ...meta("top-secret") }));
    said(await post(taskBus, LEAD, { text: "Everybody may know", ...meta("public") }));
    const { parts, withheld } = await ask(["decisions"]);
    expect(parts[0]?.blocks.map(({ text }) => text)).toEqual([null, null, "Everybody may know"]);
    expect(withheld).toBe(2);
    const key = `AKIA${"Q7WERTYUIOPASDF2"}`;
    git.commit({
      "src/key.ts": `const key = "${key}";\n`,
      "src/plan.ts": "const plan = 1;\n",
      "src/plan.ts.meta.json": '{"classification":"restricted","pii":false}\n',
    });
    const context = await ask(["diff"]);
    const shown = new Map(
      context.parts[0]?.blocks.map((block) => [block.address.split("/file/")[1], block]),
    );
    expect(shown.get("src/key.ts")).toMatchObject({ text: null, title: "withheld" });
    expect(shown.get("src/plan.ts")?.withheld).toContain("beside it");
    expect(shown.get("src/b.ts")?.text).toContain("+const b = 1;");
    const words = renderContext(context);
    expect(words).not.toContain(key);
    expect(words).not.toContain("const plan");
    expect(words).toContain("2 blocks are restricted and not shown. Do not guess");
    // Taking the sidecar away does not show what it kept.
    git.git("checkout", "-q", "-b", "later");
    git.git("branch", "-f", "main", "HEAD");
    rmSync(join(git.path, "src/plan.ts.meta.json"));
    git.commit({ "src/plan.ts": "const plan = 2;\n" });
    const later = (await ask(["diff"])).parts[0]?.blocks ?? [];
    const changed = later.find(({ address }) => address.endsWith("/src/plan.ts"));
    expect(changed).toMatchObject({ text: null, withheld: expect.stringContaining("beside it") });
    const fixed = shown.get("src/plan.ts")?.address ?? "";
    expect((await ask([fixed])).parts[0]?.blocks).toMatchObject([{ text: null }]);
  },
);

test("a conflict about something restricted does not tell its subject", async () => {
  const { taskBus, ask } = await project();
  const secret = { issue_id: "merger", kind: "DECISION" as const };
  const meta = { classification: "restricted" };
  said(await post(taskBus, LEAD, { ...secret, text: "yes", meta }));
  said(await post(taskBus, LEAD, { ...secret, text: "no", meta }));
  const context = await ask(["decisions"]);
  expect(context.conflicts).toMatchObject([{ about: "withheld" }]);
  expect(renderContext(context)).not.toContain("merger");
});

test("the plan is the one of the task's last session, the diff is the branch's, and a part that is not there says so", async () => {
  const { git, head, place, ask } = await project();
  const nothing = await ask(["plan", "facts", "ghosts"]);
  expect(renderContext(nothing)).toContain("## plan\n\nNothing is recorded.");
  expect(renderContext(nothing)).toContain("## ghosts\n\nNot available");
  const plan = "1. Read\n2. Write\n";
  const unit = { objective: "Do it", assumptions: [], required_tools: ["x"] };
  const body = { proposal_id: "plan", units: [{ ...unit, expected_evidence: ["y"] }] };
  const carried = [{ name: "plan", text: plan, media_type: "text/plain" }];
  const { outcome } = await recording(place, [
    opening({ task: "login" }),
    request("ada", "planner", "proposal_created", body, carried),
  ]);
  expect(outcome.refusal).toBeUndefined();
  const context = await ask(["plan", "diff"]);
  expect(context.parts[0]?.blocks).toMatchObject([
    { text: plan, address: expect.stringMatching(/\/proposal\/[^/]+\/artifact\/plan$/) },
  ]);
  expect(context.parts[1]?.blocks.map(({ title }) => title)).toEqual(["src/a.ts", "src/b.ts"]);
  expect(context.parts[1]?.blocks[0]?.text).toContain("-const a = 1;\n+const a = 2;");
  expect(context.parts[1]?.blocks[0]?.address).toContain(`/git:${head}/file/src/a.ts`);
  const brief = await ask(["diff"], "brief");
  expect(brief.parts[0]?.blocks[0]?.text).toBe("modified, 1 line added, 1 removed");
  const address = context.parts[0]?.blocks[0]?.address ?? "";
  expect((await ask([address])).parts[0]?.blocks).toMatchObject([{ text: plan }]);
  const sidecar = { name: "plan.meta.json", text: '{"classification":"restricted","pii":false}' };
  await recording(place, [
    opening({ task: "login" }),
    request("ada", "planner", "proposal_created", body, [
      ...carried,
      { ...sidecar, media_type: "application/json" },
    ]),
  ]);
  const kept = (await ask(["plan"])).parts[0]?.blocks[0];
  expect(kept).toMatchObject({ text: null, withheld: expect.stringContaining("beside it") });
  expect((await ask([kept?.address ?? ""])).parts[0]?.blocks).toMatchObject([{ text: null }]);
  const none = { repository: git.home, env: git.env, signal: new AbortController().signal };
  const without = await ask(["diff"], "full", { files: none });
  expect(without.parts[0]?.notes).toEqual([expect.stringContaining("Not available")]);
});

test("an address is a selector; an agent's reaches no further than its task, the project and its commit", async () => {
  const { git, head, place, taskBus, ask } = await project();
  const other = await opened({ place, task: "logout" });
  said(await addFact(other, LEAD, { title: "Far", text: "Elsewhere" }));
  said(await addFact(taskBus, LEAD, { title: "Near", text: "Here" }));
  onTestFinished(() => other.close());
  const files = {
    repository: git.path,
    at: head,
    env: git.env,
    signal: new AbortController().signal,
  };
  const own = { isOwnOnly: true, files };
  const far = "ucxl://any:any@any:logout/*^/fact/far";
  const near = "ucxl://any:any@any:login/*^/fact/near";
  const old = `ucxl://any:any@any:any/git:${git.git("rev-parse", "main")}/file/src/a.ts`;
  const now = "ucxl://any:any@any:any/*^/file/src/a.ts";
  const all = await ask([far, near, old, now]);
  expect(all.parts.map(({ blocks }) => blocks[0]?.text)).toEqual([
    ...["Elsewhere", "Here", "const a = 1;\n", "const a = 2;\n"],
  ]);
  const agent = await ask([far, near, old, now, "ucxl://rubbish"], "full", own);
  expect(agent.parts.map(({ blocks }) => blocks[0]?.text)).toEqual([
    ...[undefined, "Here", undefined, "const a = 2;\n", undefined],
  ]);
  expect(agent.parts[0]?.notes).toEqual([expect.stringContaining("nothing is recorded at")]);
  expect(agent.parts[4]?.notes).toEqual([expect.stringContaining("this is no address")]);
});
