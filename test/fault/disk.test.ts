import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { verifyTarget } from "../../src/flow/trace/verify-target.ts";
import { LocalLedger } from "../../src/ledger/local.ts";
import type { Entry } from "../../src/schema/index.ts";
import { Shell } from "../cli/shell.ts";
import { run, SWORN, sworn } from "../fake/child.ts";
import { opening, recording, temporaryFolder, temporaryPlace } from "../fake/sandbox.ts";
import { GitFolder } from "../repo/git-folder.ts";
import {
  APPEND_CHILD,
  acksIn,
  contentOf,
  copyOf,
  expectAcknowledged,
  expectSound,
  expectToGoOn,
  linesOf,
  message,
  type Project,
  settledProject,
} from "./project.ts";

const [MOUNT, UNMOUNT] = ["mount", "umount"] as const;
const isRoot = process.getuid?.() === 0;
/** Somebody without rights, when the tests run as root, whom no mode keeps out. */
const NOBODY = 65_534;

/** What a writer may say when there is no room: which of the two files it was for, and why. */
const NO_ROOM =
  /^failed (LEDGER_WRITE_FAILED|LEDGER_COMMIT_UNKNOWN|ARTIFACT_WRITE_FAILED) .{20,}$/m;

/** Appends until there is no room, then checks that nothing acknowledged is lost and that it goes on. */
async function expectRoomForNoMore(
  project: Project,
  command: readonly string[],
  artifacts: "yes" | "no",
  makeRoom: () => void,
): Promise<void> {
  const { store, state, trace } = project;
  const [program = "", ...args] = command;
  const ended = await run(program, [
    ...[...args, process.execPath, APPEND_CHILD],
    ...[store, state, trace, "filler", "2000", "1", artifacts],
  ]);
  expect(ended.code, ended.err).toBe(1);
  expect(ended.out).toMatch(NO_ROOM);
  makeRoom();
  const acks = acksIn(ended.out);
  expect(acks.length).toBeGreaterThan(3);
  const lines = linesOf(project);
  expectAcknowledged(lines, acks);
  const beyond = lines.length - (acks.at(-1)?.size ?? 0);
  expect(ended.out.includes("COMMIT_UNKNOWN") ? [0, 1] : [0]).toContain(beyond);
  await expectSound(project);
  await expectToGoOn(project);
}

test("a file that may not grow any further stops the writer with a clear message", async () => {
  const project = await settledProject([opening()]);
  // 512-byte blocks: room for a few dozen commits in the log of the database.
  const command = ["sh", "-c", 'ulimit -f 512; exec "$@"', "sh"];
  await expectRoomForNoMore(project, command, "no", () => {});
});

test("an artifact that is larger than files may be is not stored, and nothing is lost", async () => {
  const project = await settledProject([opening(), message("one", "small")]);
  const before = contentOf(project.store);
  const script = JSON.stringify(message("large", "x".repeat(400_000)));
  const sworn = [
    process.execPath,
    SWORN,
    "trace",
    "record",
    "-",
    "--trace",
    project.trace,
    "--json",
  ];
  const limited = ["-c", 'ulimit -f 256; exec "$@"', "sh", ...sworn];
  const { code, out, err } = await run("sh", limited, {
    cwd: project.project,
    env: { SWORN_STATE_DIR: project.state },
    input: script,
  });
  expect(code, err).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ error: { code: "ARTIFACT_WRITE_FAILED" } });
  expect(readdirSync(join(project.store, "artifacts", "incoming"))).toEqual([]);
  expect(contentOf(project.store)).toEqual(before);
  await expectToGoOn(project);
});

test("a full disk stops the writer with a clear message", async ({ skip }) => {
  for (const artifacts of ["yes", "no"] as const) {
    const folder = temporaryFolder();
    // Only an administrator can make a small disk; for everybody else the limit on files stands in.
    skip(!isRoot || !mounted(folder, "size=512k"), "a small disk cannot be mounted here");
    onTestFinished(() => void spawnSync(UNMOUNT, ["-l", folder]));
    const project = copyOf(await settledProject([opening()]), folder);
    await expectRoomForNoMore(project, ["env"], artifacts, () => {
      expect(mounted(folder, "remount,size=8m")).toBe(true);
    });
  }
});

function mounted(folder: string, options: string): boolean {
  return spawnSync(MOUNT, ["-t", "tmpfs", "-o", options, "tmpfs", folder]).status === 0;
}

/** Makes everything below a folder unwritable, and writable again after the test so that it can go. */
function makeReadOnly(folder: string): void {
  const paths = [folder, ...below(folder)];
  for (const path of paths) {
    if (isRoot) chownSync(path, NOBODY, NOBODY);
    const { mode } = statSync(path);
    chmodSync(path, mode & 0o555);
    onTestFinished(() => chmodSync(path, mode));
  }
}

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    join(folder, name),
  );
}

/** Runs `sworn` as somebody who may not write into the project. */
async function asReader(project: Project, args: readonly string[], input?: string) {
  const command = [process.execPath, SWORN, ...args];
  const drop = ["setpriv", "--reuid", `${NOBODY}`, "--regid", `${NOBODY}`, "--clear-groups"];
  const [program = "", ...rest] = isRoot ? [...drop, ...command] : command;
  const options = { cwd: project.project, env: { SWORN_STATE_DIR: project.state } };
  return run(program, rest, input === undefined ? options : { ...options, input });
}

test("in a folder that may not be written to, looking works and recording fails clearly", async () => {
  const project = await settledProject([opening(), message("one", "what one brought")]);
  const elsewhere = join(temporaryFolder(), "elsewhere");
  mkdirSync(elsewhere);
  chmodSync(elsewhere, 0o777);
  chmodSync(join(elsewhere, ".."), 0o755);
  makeReadOnly(project.folder);
  const before = contentOf(project.folder);
  const bundle = join(elsewhere, "bundle.tar");
  for (const args of [
    ["trace", "ls"],
    ["trace", "show", "latest"],
    ["verify", "latest"],
    ["trace", "fsck"],
    ["trace", "export", "latest", "--out", bundle],
    ["verify", bundle],
  ]) {
    const { code, out, err } = await asReader(project, args);
    expect(code, `${args.join(" ")}: ${out}${err}`).toBe(0);
  }
  const record = ["trace", "record", "-", "--trace", project.trace];
  const script = JSON.stringify(message("two", "what two brought"));
  for (const args of [record, ["trace", "record", "-"]]) {
    const first = args === record ? script : JSON.stringify(opening());
    const { code, out, err } = await asReader(project, [...args, "--json"], first);
    expect(code, out + err).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: { message: expect.stringMatching(/.{20,}/) } });
    expect(err).not.toMatch(/^ {4}at /m);
  }
  const out = await asReader(project, ["trace", "export", "latest"]);
  expect(out.code, out.err).toBe(1);
  expect(contentOf(project.folder)).toEqual(before);
});

test.each([
  [
    "state",
    "size=8k",
    /ENOSPC: no space left on device, write '.*\/state\/keys\/\w+\.json\.\w+\.tmp'; /,
  ],
  ["project/.sworn", "size=4k", /trace_\w+ could not be begun, and nothing was written: .*; /],
  ["project/.sworn", "size=40k", /trace_\w+ could not be begun, and nothing was written: .*; /],
])(
  "a command that finds %s full says which disk it is, and what to do",
  async (where, size, said) => {
    const shell = new Shell();
    const path = join(shell.folder, where);
    mkdirSync(path);
    if (!isRoot || !mounted(path, size)) return;
    onTestFinished(() => void spawnSync(UNMOUNT, ["-l", path]));
    const script = shell.script("s.jsonl", opening());
    const { exit, err } = await shell.run("trace", "record", script);
    expect(exit).toBe(1);
    expect(err).toMatch(said);
    expect(err).toMatch(new RegExp(`; a disk is full; left: .*\\d KiB for [\\w ]+ \\(${path}\\)`));
    expect(err).toContain("make room, then say the same again");
    expect(mounted(path, "remount,size=10m")).toBe(true);
    expect((await shell.run("trace", "record", script)).exit).toBe(0);
  },
);

test("a full disk keeps nobody from reading what is recorded on it", async ({ skip }) => {
  const shell = new Shell();
  const path = join(shell.cwd, ".sworn");
  mkdirSync(path);
  skip(!isRoot || !mounted(path, "size=2m"), "a small disk cannot be mounted here");
  onTestFinished(() => void spawnSync(UNMOUNT, ["-l", path]));
  const script = shell.script("s.jsonl", opening());
  // By processes of their own: this one would keep what SQLite shares between its readers.
  const here = { project: shell.cwd, state: join(shell.folder, "state") };
  expect((await sworn(here, ["trace", "record", script])).code).toBe(0);
  expect(() => writeFileSync(join(path, "filler"), Buffer.alloc(4 << 20))).toThrow(/ENOSPC/);
  for (const line of [["verify", "latest"], ["trace", "show", "latest"], ["status"]]) {
    const { code, err } = await sworn(here, line);
    expect([line, code, err]).toEqual([line, 0, ""]);
  }
});

test("a disk that can only be read is told as that, with what to do", async ({ skip }) => {
  const shell = new Shell();
  const path = join(shell.cwd, ".sworn");
  mkdirSync(path);
  skip(!isRoot || !mounted(path, "size=1m,ro"), "a small disk cannot be mounted here");
  onTestFinished(() => void spawnSync(UNMOUNT, ["-l", path]));
  const { exit, err } = await shell.run("trace", "record", shell.script("s.jsonl", opening()));
  expect([exit, err]).toEqual([
    1,
    expect.stringMatching(/EROFS: .*; make that disk writable, then say the same again \[/),
  ]);
});

test("git on a full disk is the machine's failure, and no damaged repository", async ({ skip }) => {
  const project = new GitFolder();
  const base = project.commit({ "a.txt": "one\n" });
  const objects = join(project.path, ".git", "objects");
  const aside = `${objects}.aside`;
  cpSync(objects, aside, { recursive: true });
  skip(!isRoot || !mounted(objects, "size=256k"), "a small disk cannot be mounted here");
  onTestFinished(() => void spawnSync(UNMOUNT, ["-l", objects]));
  cpSync(aside, objects, { recursive: true });
  const repository = await project.open();
  const maker = repository.commitMaker();
  const folder = join(project.home, "run");
  mkdirSync(folder);
  const tree = await repository.openRunTree({ commit: base, folder, env: project.env });
  expect(() => writeFileSync(join(objects, "filler"), Buffer.alloc(1 << 20))).toThrow(/ENOSPC/);
  await expect(maker.blob(randomBytes(8_192))).rejects.toMatchObject({
    code: "ARTIFACT_WRITE_FAILED",
    message: expect.stringContaining("No space left on device"),
  });
  writeFileSync(join(tree.folder, "b.bin"), randomBytes(8_192));
  await expect(tree.save("refs/sworn/runs/x", "x")).rejects.toMatchObject({
    code: "ARTIFACT_WRITE_FAILED",
  });
});

test("a clock that jumps back does not turn logical time back", async () => {
  const start = Date.UTC(2026, 0, 1);
  const times = [start, start + 60_000, start - 3_600_000, start - 7_200_000, 0, start + 1];
  const now = { at: start };
  const place = temporaryPlace({ clock: () => now.at });
  const { recorder } = await recording(place, [opening()]);
  for (const [index, time] of times.entries()) {
    now.at = time;
    const outcome = await recorder.record([message(`at ${index}`)], { artifactRoots: [] });
    expect(outcome).toEqual({ recorded: 1 });
  }
  const project = { place, trace: recorder.id };
  const entries = linesOf(project).map((line) => JSON.parse(line) as Entry);
  const logical = entries.map(({ hlc }) => hlc);
  expect(logical).toEqual([...new Set(logical)].toSorted());
  expect(entries.slice(1).map(({ at }) => Date.parse(at))).toEqual(times);
  await expectSound(project);
});

/** What is left of traces in a store. */
function tracesIn(store: string): string[] {
  return existsSync(join(store, "traces")) ? readdirSync(join(store, "traces")) : [];
}

test("a disk that is full from the start leaves no trace behind, whenever it runs out", async ({
  skip,
}) => {
  const folder = temporaryFolder();
  skip(!isRoot || !mounted(folder, "size=1m"), "a small disk cannot be mounted here");
  onTestFinished(() => void spawnSync(UNMOUNT, ["-l", folder]));
  const state = join(temporaryFolder(), "state");
  const record = () =>
    run(process.execPath, [SWORN, "trace", "record", "-", "--json"], {
      cwd: folder,
      env: { SWORN_STATE_DIR: state },
      input: JSON.stringify(opening()),
    });
  expect((await record()).code).toBe(0);
  rmSync(join(folder, ".sworn"), { recursive: true });
  const found: string[] = [];
  for (let kib = 8; kib <= 120; kib += 8) {
    expect(mounted(folder, `remount,size=${kib}k`)).toBe(true);
    const { code, out, err } = await record();
    found.push(`${code}`);
    if (code === 0) break;
    expect(code, out + err).toBe(1);
    expect(tracesIn(join(folder, ".sworn")), `${kib} KiB: ${out}`).toEqual([]);
  }
  // It began to fit at some size, and failed in more than one way before.
  expect([found.at(-1), found.length > 3]).toEqual(["0", true]);
}, 120_000);

test("a trace that was never begun is no forgery, one whose entries are gone is", async () => {
  const place = temporaryPlace();
  const { recorder } = await recording(place, [opening()]);
  const { key } = await place.keyring.ensure("sworn");
  const signer = await place.keyring.signer("sworn", key);
  if (signer === undefined) throw new Error("no signer");
  const empty = "trace_01K00000000000000000000000";
  const begun = (trace: string) => {
    place.prepareTrace(trace);
    LocalLedger.create(trace, place.ledgerPath(trace), place.heads(trace), signer).close();
  };
  begun(empty);
  const options = { profile: "default", mode: "full", threads: 0 } as const;
  const verify = async (trace: string) => {
    const found = await verifyTarget(async () => place, trace, options);
    return found.kind === "trace" ? found.report : undefined;
  };
  await expect(verify(empty)).rejects.toThrow(/nothing was ever recorded in it/);
  // Entries that are gone: the ledger is as empty, and the head outside knows better.
  rmSync(place.traceFolder(recorder.id), { recursive: true });
  begun(recorder.id);
  expect(await verify(recorder.id)).toMatchObject({ status: "fail" });
  // Nor does an empty one count whose head is gone, or somebody else's.
  const note = readFileSync(place.heads(empty).path);
  rmSync(place.heads(empty).path);
  expect(await verify(empty)).toMatchObject({ status: "fail" });
  writeFileSync(place.heads(empty).path, Buffer.from(note).fill("A", 100, 110));
  expect(await verify(empty)).toMatchObject({ status: "fail" });
});
