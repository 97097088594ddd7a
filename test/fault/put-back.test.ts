import {
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { summarize } from "../../src/flow/trace/look.ts";
import { sworn } from "../fake/child.ts";
import { opening, temporaryFolder } from "../fake/sandbox.ts";
import { killedProject, tally, type Verdict, verdictOnCopy } from "./damage.ts";
import { contentOf, exported, linesOf, message, type Project, settledProject } from "./project.ts";

const PAGE_BYTES = 4096;

const ledgerOf = ({ place, trace }: Project): string => place.ledgerPath(trace);

function small(): Promise<Project> {
  const texts = Array.from({ length: 12 }, (_, index) => `message ${index} of a dozen`);
  return settledProject([opening(), ...texts.map((text) => message(text, `what ${text} brought`))]);
}

/** Appends one message with the command, which ends before anything else happens. */
async function append(project: Project, text: string): Promise<void> {
  const args = ["trace", "record", "-", "--trace", project.trace];
  const { code, err } = await sworn(project, args, { input: JSON.stringify(message(text)) });
  expect(code, err).toBe(0);
}

/** Checks that the damage is noticed before anything is appended: the same entries, the same files. */
async function expectRefused(project: Project, code: RegExp): Promise<void> {
  const before = { files: otherFiles(project), lines: linesOf(project) };
  expect(() => Recorder.resume(project.place, project.trace)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(code) }),
  );
  const args = ["trace", "record", "-", "--trace", project.trace, "--json"];
  const ended = await sworn(project, args, { input: JSON.stringify(message("on top")) });
  expect(ended.code, ended.err).toBe(4);
  expect(JSON.parse(ended.out)).toMatchObject({
    error: { code: expect.stringMatching(code), message: expect.stringContaining("fsck") },
  });
  expect({ files: otherFiles(project), lines: linesOf(project) }).toEqual(before);
}

/** All files but the database's own, into which SQLite moves what its log already holds. */
function otherFiles({ store, state }: Project): Record<string, string> {
  const content = Object.entries(contentOf(store, state));
  return Object.fromEntries(content.filter(([path]) => !path.includes("ledger.db")));
}

test("an older copy of the database put back is noticed before anything is appended", async () => {
  const project = await small();
  const [older, folder] = [join(temporaryFolder(), "older"), dirname(ledgerOf(project))];
  cpSync(folder, older, { recursive: true });
  await append(project, "newer");
  rmSync(folder, { recursive: true });
  cpSync(older, folder, { recursive: true });
  const { status, problems } = await fsck(project.place, project.trace);
  expect(status).toBe("damaged");
  expect(problems.map(({ code }) => code)).toContain("STORE_BEHIND");
  await expectRefused(project, /^LEDGER_BEHIND$/);
});

test("an older copy with its log is noticed before anything is appended", async () => {
  const project = await killedProject(3);
  const [older, folder] = [join(temporaryFolder(), "older"), dirname(ledgerOf(project))];
  cpSync(folder, older, { recursive: true });
  expect(existsSync(join(older, "ledger.db-wal"))).toBe(true);
  await append(project, "newer");
  rmSync(folder, { recursive: true });
  cpSync(older, folder, { recursive: true });
  const { problems } = await fsck(project.place, project.trace);
  expect(problems.map(({ code }) => code)).toContain("STORE_BEHIND");
  await expectRefused(project, /^LEDGER_BEHIND$/);
});

test("a log that is gone is noticed before anything is appended", async () => {
  const project = await killedProject(3);
  for (const suffix of ["-wal", "-shm"]) rmSync(ledgerOf(project) + suffix);
  const { problems } = await fsck(project.place, project.trace);
  expect(problems.map(({ code }) => code)).toContain("STORE_BEHIND");
  await expectRefused(project, /^LEDGER_BEHIND$/);
});

test("a database cut short at any length is reported, and nothing is appended to it", async () => {
  const whole = await small();
  const before = exported(whole);
  const { size } = statSync(ledgerOf(whole));
  const lengths = [0, 1, 100, PAGE_BYTES, Math.floor(size / 2), size - PAGE_BYTES, size - 1];
  const verdicts: { what: string; verdict: Verdict }[] = [];
  for (const length of lengths) {
    const verdict = await verdictOnCopy(whole, before, (copy) => {
      truncateSync(ledgerOf(copy), length);
      expect(() => Recorder.resume(copy.place, copy.trace).close(), `at ${length}`).toThrow();
      expect(summarize(copy.place).map(({ trace }) => trace)).toEqual([copy.trace]);
    });
    verdicts.push({ what: `${length} of ${size}`, verdict });
  }
  expect(tally(verdicts)).toEqual({ reported: lengths.length, harmless: 0, wrong: [] });
});

test("a page of zeros anywhere in the database is reported", async () => {
  const whole = await small();
  const before = exported(whole);
  const pages = statSync(ledgerOf(whole)).size / PAGE_BYTES;
  expect(pages).toBeGreaterThan(3);
  const verdicts: { what: string; verdict: Verdict }[] = [];
  for (let page = 0; page < pages; page += 1) {
    const verdict = await verdictOnCopy(whole, before, (copy) => {
      const bytes = readFileSync(ledgerOf(copy));
      writeFileSync(ledgerOf(copy), bytes.fill(0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
    });
    verdicts.push({ what: `page ${page} of ${pages}`, verdict });
  }
  expect(tally(verdicts)).toEqual({ reported: pages, harmless: 0, wrong: [] });
});

test("a trace whose database is gone is not forgotten: it is listed and reported", async () => {
  const project = await small();
  rmSync(ledgerOf(project));
  const ls = await sworn(project, ["trace", "ls"]);
  expect(ls.out).toContain(project.trace);
  const { code, out, err } = await sworn(project, ["trace", "fsck"]);
  expect(code, out + err).toBe(4);
});

test("a head that is missing, cut short or another trace's is reported, and nothing is appended", async () => {
  const project = await small();
  const { path } = project.place.heads(project.trace);
  const other = await settledProject([opening()]);
  const whole = readFileSync(path);
  const damages: Record<string, () => void> = {
    missing: () => rmSync(path),
    empty: () => truncateSync(path, 0),
    "cut after 100 bytes": () => truncateSync(path, 100),
    "cut before the last byte of a note": () => truncateSync(path, whole.lastIndexOf("\n")),
    "another trace's": () => cpSync(other.place.heads(other.trace).path, path),
    zeros: () => writeFileSync(path, Buffer.alloc(whole.length)),
    noise: () => writeFileSync(path, Buffer.alloc(whole.length, 0xa5)),
  };
  for (const [what, damage] of Object.entries(damages)) {
    damage();
    const { status, problems } = await fsck(project.place, project.trace);
    expect(status, what).toBe("damaged");
    expect(problems.map(({ code }) => code).join(), what).toMatch(/^(HEAD_|,)+/);
    writeFileSync(path, whole);
  }
  for (const what of ["missing", "empty", "another trace's", "zeros", "noise"]) {
    damages[what]?.();
    await expectRefused(project, /^LEDGER_BEHIND$/);
    writeFileSync(path, whole);
  }
  await append(project, "whole again");
});
