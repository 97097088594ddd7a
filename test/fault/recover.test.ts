import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { VerificationReport } from "../../src/schema/index.ts";
import { each, SWORN, sworn } from "../fake/child.ts";
import { opening } from "../fake/sandbox.ts";
import { flip } from "./damage.ts";
import {
  contentOf,
  copyOf,
  expectAcknowledged,
  linesOf,
  message,
  type Project,
  settledProject,
} from "./project.ts";
import { everySecond } from "./seed.ts";
import { underStrace } from "./strace.ts";

const MESSAGES = 12;
const ledgerOf = ({ place, trace }: Project): string => place.ledgerPath(trace);

/** A trace of an opening and a dozen messages, and beside it the same trace before the last of them. */
async function damagedBy(damage: (project: Project, older: string) => void): Promise<Project> {
  const texts = Array.from({ length: MESSAGES }, (_, index) => `message ${index}`);
  const requests = [opening(), ...texts.map((text) => message(text, `what ${text} brought`))];
  const project = await settledProject(requests.slice(0, -1));
  const older = copyOf(project);
  const args = ["trace", "record", "-", "--trace", project.trace];
  const ended = await sworn(project, args, { input: JSON.stringify(requests.at(-1)) });
  expect(ended.code, ended.err).toBe(0);
  damage(project, dirname(ledgerOf(older)));
  return project;
}

/** A byte in the middle of an entry's text, found by what the text says. */
function flipIn(project: Project, text: string): void {
  const path = ledgerOf(project);
  const at = contentAt(path, `"text":"${text}"`);
  flip(path, at + 9, 0x01);
}

function contentAt(path: string, text: string): number {
  const at = readFileSync(path).indexOf(text);
  expect(at).toBeGreaterThan(0);
  return at;
}

/** What is damaged, and how many of the thirteen entries can be saved. */
const DAMAGES: Record<
  string,
  { damage: (project: Project, older: string) => void; saved: number }
> = {
  "an older copy put back": {
    damage: (project, older) => {
      rmSync(dirname(ledgerOf(project)), { recursive: true });
      cpSync(older, dirname(ledgerOf(project)), { recursive: true });
    },
    saved: MESSAGES,
  },
  "a flipped bit in an entry": {
    damage: (project) => flipIn(project, "message 5"),
    saved: 6,
  },
  "a missing head": {
    damage: ({ place, trace }) => rmSync(place.heads(trace).path),
    saved: MESSAGES + 1,
  },
  "a head cut short": {
    damage: ({ place, trace }) => truncateSync(place.heads(trace).path, 100),
    saved: MESSAGES + 1,
  },
};

for (const [what, { damage, saved }] of Object.entries(DAMAGES)) {
  test(`${what}: nothing changes without consent; with it, what can be read is saved and goes on`, async () => {
    const project = await damagedBy(damage);
    const before = contentOf(project.store, project.state);
    const asked = await sworn(project, ["trace", "recover", project.trace]);
    expect([asked.code, asked.out]).toEqual([4, expect.stringContaining("--accept-loss")]);
    expect(unlooked(contentOf(project.store, project.state))).toEqual(unlooked(before));
    const args = ["trace", "recover", project.trace, "--accept-loss", "--json"];
    const { code, out, err } = await sworn(project, args);
    expect(code, out + err).toBe(0);
    const outcome = JSON.parse(out) as { kept: string; entries: number };
    expect(outcome).toMatchObject({ kind: "recovered", entries: saved + 1, state: "planning" });
    await expectRecovered(project, saved);
    expectKept(project, outcome.kept, before);
  });
}

/** The gap stands in the record, the verifier warns of it, and the next entry goes on top. */
async function expectRecovered(project: Project, saved: number): Promise<void> {
  const lines = linesOf(project);
  expect(lines).toHaveLength(saved + 1);
  expect(lines.at(-1)).toContain('"type":"gap_recorded"');
  const script = JSON.stringify(message("after the gap"));
  const record = ["trace", "record", "-", "--trace", project.trace, "--json"];
  const recorded = await sworn(project, record, { input: script });
  expect(recorded.code, recorded.err).toBe(0);
  const { entries, head } = JSON.parse(recorded.out) as { entries: number; head: string };
  expectAcknowledged(linesOf(project), [{ size: entries, hash: head }]);
  const fsck = await sworn(project, ["trace", "fsck", project.trace]);
  expect(fsck.code, fsck.out).toBe(0);
  const verified = await sworn(project, ["verify", project.trace, "--json"]);
  const report = JSON.parse(verified.out) as VerificationReport;
  expect(report).toMatchObject({ status: "pass-with-warnings", entries: saved + 2, failures: [] });
  expect(report.warnings.map(({ code, seq }) => [code, seq])).toEqual([
    ["GAP_RECORDED", saved],
    ["SESSION_NOT_COMPLETED", null],
  ]);
}

/** Every file that was there before is still there with the same bytes, perhaps in the folder for damaged ones. */
function expectKept(project: Project, kept: string, before: Record<string, string>): void {
  expect(readdirSync(kept)).toContain("ledger.db");
  const after = new Set(Object.values(contentOf(project.store, project.state)));
  const gone = Object.entries(before).filter(
    ([path, hash]) => hash !== "not a file" && !/-(wal|shm)$/.test(path) && !after.has(hash),
  );
  expect(gone).toEqual([]);
}

/** Without SQLite's companion files, which come with looking. */
function unlooked(content: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(content).filter(([path]) => !/-(shm|wal)$/.test(path)));
}

test("recovering a trace of which nothing can be read changes nothing, even with consent", async () => {
  const project = await damagedBy((one) => truncateSync(ledgerOf(one), 100));
  const before = contentOf(project.store, project.state);
  const args = ["trace", "recover", project.trace, "--accept-loss", "--json"];
  const { code, out } = await sworn(project, args);
  expect(code).toBe(4);
  expect(JSON.parse(out)).toMatchObject({ error: { message: expect.stringContaining("backup") } });
  expect(unlooked(contentOf(project.store, project.state))).toEqual(unlooked(before));
});

test("recovering a sound trace changes nothing", async () => {
  const project = await damagedBy(() => {});
  const before = contentOf(project.store, project.state);
  const args = ["trace", "recover", project.trace, "--accept-loss"];
  const { code, out } = await sworn(project, args);
  expect([code, out]).toEqual([0, expect.stringContaining("is sound")]);
  expect(unlooked(contentOf(project.store, project.state))).toEqual(unlooked(before));
});

test("recovering where the runtime's key is gone changes nothing", async () => {
  const project = await damagedBy((one) => flipIn(one, "message 5"));
  rmSync(join(project.state, "keys", "sworn.json"));
  const before = contentOf(project.store, project.state);
  const args = ["trace", "recover", project.trace, "--accept-loss", "--json"];
  const { code, out } = await sworn(project, args);
  expect(code, out).toBe(3);
  expect(JSON.parse(out)).toMatchObject({ error: { code: "KEY_UNUSABLE" } });
  expect(unlooked(contentOf(project.store, project.state))).toEqual(unlooked(before));
  expect(existsSync(ledgerOf(project))).toBe(true);
});

test("a recovery that is killed can be done again", async () => {
  const template = await damagedBy((one) => flipIn(one, "message 5"));
  const args = ["trace", "recover", template.trace, "--accept-loss"];
  const command = [process.execPath, SWORN, ...args];
  const cases = [];
  for (const name of ["rename", "fsync"]) {
    const dry = await underStrace(copyOf(template), name, undefined, command);
    expect(dry.code, dry.out + dry.err).toBe(0);
    cases.push(...dry.calls.map((_, at) => ({ name, call: at + 1 })));
  }
  const problems = await each(everySecond(cases), 3, async ({ name, call }) => {
    const project = copyOf(template);
    const killed = await underStrace(project, name, `signal=SIGKILL:when=${call}`, command);
    expect(killed.signal).toBe("SIGKILL");
    const { code, out, err } = await sworn(project, args);
    const what = `killed at ${name} ${call}: ${killed.calls[call - 1]}`;
    if (code !== 0) return [`${what}\n${out}${err}`];
    const saved = linesOf(project).filter((line) => line.includes('"type":"message_posted"'));
    return saved.length === 5 ? [] : [`${what}\n${saved.length} messages were saved`];
  });
  expect(problems.flat()).toEqual([]);
});
