import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { planningAnswer } from "../../src/cli/planning-words.ts";
import { Shell } from "../cli/shell.ts";
import { opening } from "../fake/sandbox.ts";
import { planWith, ScriptedAgent } from "../flow/plan/planner/scripted-agent.ts";
import { message, review } from "../flow/requests.ts";

const ROOT = resolve(import.meta.dirname, "../..");

const REPORT =
  "checks entries failures head lastTrustedSeq mode omitted profile signer state status trace v warnings";

let shell: Shell;
beforeEach(async () => {
  shell = new Shell();
  const requests = [opening(), ...["a", "b", "c"].map(message)];
  await shell.run("trace", "record", shell.script("session.jsonl", ...requests));
});

/** The keys of the document, or of what lies at `at` in it. */
async function keysOf(line: string, ...at: (string | number)[]): Promise<string> {
  const document = (await shell.run(...line.split(" "), "--json")).json<unknown>();
  const found = at.reduce<unknown>((value, key) => (value as never)[key], document);
  return Object.keys(found as object)
    .sort()
    .join(" ");
}

test("init", async () => {
  expect(await keysOf("init")).toBe("created keys store verifierKey");
  expect(await keysOf("init", "keys", 0)).toBe("agent key");
});

test("verify, of a trace and of a bundle", async () => {
  expect(await keysOf("verify latest")).toBe(REPORT);
  await shell.run("trace", "export", "latest", "--out", "a.tar");
  expect(await keysOf("verify a.tar")).toBe(REPORT);
  expect(await keysOf("verify a.tar --fast", "warnings", 0)).toBe("code message seq severity");
  expect(await keysOf("verify a.tar", "checks", 0)).toBe("id status");
  writeFileSync(join(shell.cwd, "b.tar"), "nonsense");
  expect(await keysOf("verify b.tar")).toBe(REPORT);
});

test("verify, of a proof", async () => {
  await shell.run("trace", "prove", "latest", "3", "--out", "p.json");
  expect(await keysOf("verify p.json")).toBe("reasons seq signer size status trace type");
});

test("trace record, when it goes through and when it is refused", async () => {
  expect(await keysOf("trace record session.jsonl")).toBe("entries head trace");
  shell.script("bad.jsonl", opening(), review("p1"));
  expect(await keysOf("trace record bad.jsonl")).toBe("entries head refused trace");
  expect(await keysOf("trace record bad.jsonl", "refused")).toBe("line reason rule");
  shell.script("worse.jsonl", message("first"));
  const nothing = await shell.run("trace", "record", "worse.jsonl", "--json");
  expect(nothing.json()).toMatchObject({ trace: null, entries: 0, head: null });
});

test("plan, from answers", async () => {
  const answers = readFileSync(join(ROOT, "examples/planner/scaffold.yaml"));
  shell.write("answers.yaml", answers);
  const line = "plan --from answers.yaml";
  expect(await keysOf(line)).toBe(
    "deductions notes path plan points questions ready task violations",
  );
});

test("plan, with an agent", async () => {
  const { json } = planningAnswer(await planWith(new ScriptedAgent()), "plan.json");
  expect(
    Object.keys(json as object)
      .sort()
      .join(" "),
  ).toBe(
    "agent deductions notes path phases plan points questions ready task trace verdict violations",
  );
  const [use] = (json as { phases: object[] }).phases;
  expect(
    Object.keys(use ?? {})
      .sort()
      .join(" "),
  ).toBe("counted_by ended ms phase recalled runs step title tool_calls tool_calls_each");
});

test("trace ls", async () => {
  expect(await keysOf("trace ls")).toBe("traces");
  expect(await keysOf("trace ls", "traces", 0)).toBe("entries last started state task trace");
});

test("trace show and trace tail", async () => {
  const entry = "actor artifacts at body hlc parents prev seq sig trace type v";
  for (const line of ["trace show latest", "trace show latest 3", "trace tail latest"]) {
    const isShown = line.startsWith("trace show");
    expect(await keysOf(line)).toBe(isShown ? "entries trace verified" : "entries trace");
    expect(await keysOf(line, "entries", 0)).toBe(entry);
  }
  expect(await keysOf("trace show latest", "entries", 0, "actor")).toBe("agent key role");
});

test("trace export and trace import", async () => {
  expect(await keysOf("trace export latest --out a.tar")).toBe(
    "artifacts entries missing path trace",
  );
  expect(await keysOf("trace import a.tar")).toBe("entries imported report trace");
  expect(await keysOf("trace import a.tar", "report")).toBe(REPORT);
});

test("trace prove", async () => {
  const proof = "checkpoint entry path seq signer size trace v";
  expect(await keysOf("trace prove latest 3")).toBe(proof);
  expect(await keysOf("trace prove latest 3 --since 2")).toBe(
    "checkpoint consistency entry path seq signer size trace v",
  );
  expect(await keysOf("trace prove latest 3 --since 2", "consistency")).toBe("path root size");
});

test("trace fsck", async () => {
  expect(await keysOf("trace fsck")).toBe("status traces");
  expect(await keysOf("trace fsck", "traces", 0)).toBe("entries problems report status trace");
});

test("trace recover", async () => {
  expect(await keysOf("trace recover latest")).toBe("entries kind next problems state trace");
});

test("keys list, rotate, revoke and export-public", async () => {
  expect(await keysOf("keys list")).toBe("keys passphrase");
  expect(await keysOf("keys list", "keys", 0)).toBe("agent created_at key public status");
  expect(await keysOf("keys rotate eli")).toBe("agent failed key traces");
  expect(await keysOf("keys revoke eli --reason lost")).toBe("agent failed key traces");
  expect(await keysOf("keys export-public")).toBe("agent key public verifierKey");
});

test("policy test and policy explain", async () => {
  expect(await keysOf("policy test")).toBe("cases policies policy_digest status untested");
  expect(await keysOf("policy test", "cases", 0)).toBe("decision expected from name rules wrong");
  writeFileSync(join(shell.cwd, "a.json"), "{}");
  const decision = "decision errors exceptions matched policies policy_digest reasons";
  expect(await keysOf("policy explain a.json")).toBe(decision);
  expect(await keysOf("policy explain a.json", "reasons", 0)).toBe("message policy rule");
});

test("an error", async () => {
  expect(await keysOf("trace show none")).toBe("error");
  expect(await keysOf("trace show none", "error")).toBe("code message");
});

test("deliver, when it is refused", async () => {
  const line = "deliver latest --out out --to elsewhere";
  expect(await keysOf(line)).toBe("destination manifest_sha256 packet refused run sink trace");
  expect(await keysOf(line, "refused")).toBe("reason rule");
});

test("hook install and remove", async () => {
  expect(await keysOf("hook install claude --user")).toBe("change kind path");
  expect(await keysOf("hook remove claude --user")).toBe("kind path removed");
});

test("exception add, ls and end", async () => {
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const words = "--rule W.1 --task build --reason r --rollback b --owner eli --approver mara";
  expect(await keysOf(`exception add ${words} --until ${soon}`)).toBe(
    "approver expires_at id rule tasks trace",
  );
  expect(await keysOf("exception ls")).toBe("exceptions");
  expect(await keysOf("exception ls", "exceptions", 0)).toBe(
    "approver expires_at id owner reason requester rollback rule scope secret_review status trace",
  );
  expect(await keysOf("exception end x- --why done")).toBe("ended id rule trace");
});

test("bus, ask, answer, fact, state, board and mail", async () => {
  const said = "id seq trace";
  expect(await keysOf("bus post hello --task t")).toBe(said);
  expect(await keysOf("bus post hello --task t --kind STOP")).toBe("refused");
  expect(await keysOf("bus read --task t")).toBe("messages trace");
  const message = "agent at id kind parents role text";
  expect(await keysOf("bus read --task t", "messages", 0)).toBe(message);
  expect(await keysOf("bus read MSG-1 --task t", "message")).toBe(
    "agent answered_in at id kind parents role text",
  );
  expect(await keysOf("bus ls", "buses", 0)).toBe(
    "last messages open_questions running task trace",
  );
  expect(await keysOf("ask why --default so --id q --task t")).toBe(`id question_id seq trace`);
  expect(await keysOf("answer --task t")).toBe("questions taken");
  expect(await keysOf("answer --task t", "questions", 0)).toBe(
    "answer answered_by at by deadline default due_beat id question_id state text to",
  );
  expect(await keysOf("answer q because --task t")).toBe(said);
  expect(await keysOf("fact add yes --title F --task t")).toBe("fact_id id seq trace");
  expect(await keysOf("fact ls --task t")).toBe("facts suggested trace");
  expect(await keysOf("fact promote f --task t")).toBe("fact_id id seq trace");
  expect(await keysOf("fact promote --task t")).toBe("promoted trace");
  expect(await keysOf("state --task t")).toBe(
    "entries files last_entry_at note open_questions runs state task trace",
  );
  expect(await keysOf("board --task t")).toBe(
    "agents content_locked digest facts handover lock questions runs task trace",
  );
  expect(await keysOf("mail send hi --to mara --subject s --task t")).toBe("id path seq trace");
  expect(await keysOf("mail take --task t")).toBe("folder refused taken trace waiting");
  expect(await keysOf("mail ls")).toBe("folder mails");
  expect(await keysOf("decide yes --context c --task t")).toBe("decision_id moved seq trace");
  expect(await keysOf("decide --task t")).toBe("decisions");
  expect(await keysOf("decide --task t", "decisions", 0)).toBe(
    "at by choice context decision_id evidence justifies options replaced_by replaces seq trace",
  );
  expect(await keysOf("decide --task t --why a.js")).toBe("from justified_by");
  expect(await keysOf("status --review --task t")).toBe("reviews");
});

test("context, and an address in it", async () => {
  await shell.run("fact", "add", "yes", "--title", "so", "--task", "t");
  expect(await keysOf("context facts --task t")).toBe(
    "conflicts parts project scope task withheld",
  );
  expect(await keysOf("context facts --task t", "parts", 0)).toBe("blocks name notes");
  expect(await keysOf("context facts --task t", "parts", 0, "blocks", 0)).toBe(
    "address at by classification isCut sha256 text title",
  );
  expect(await keysOf("context ucxl://any:any@any:t/~~99", "parts", 0)).toBe(
    "blocks isMissing name notes",
  );
});
