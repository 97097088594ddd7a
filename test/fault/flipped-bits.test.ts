import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { messageOf } from "../../src/base/index.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { opening } from "../fake/sandbox.ts";
import { flip, killedProject, tally, type Verdict, verdictOn, verdictOnCopy } from "./damage.ts";
import {
  expectSound,
  exported,
  message,
  type Project,
  projectIn,
  settledProject,
} from "./project.ts";
import { seeded } from "./seed.ts";

const SAMPLE = 400;

function small(): Promise<Project> {
  return settledProject([
    opening(),
    message("one", "what one brought"),
    message("two", "what two brought, and a little more"),
  ]);
}

/** Flips one bit a time at sampled places of a file, each in a fresh copy of the project. */
async function flipSampled(project: Project, pathOf: (one: Project) => string, sample: number) {
  const { seed, below } = seeded();
  const before = exported(project);
  const size = statSync(pathOf(project)).size;
  const verdicts: { what: string; verdict: Verdict }[] = [];
  for (let turn = 0; turn < sample; turn += 1) {
    const [at, mask] = [below(size), 1 << below(8)];
    const verdict = await verdictOnCopy(project, before, (copy) => flip(pathOf(copy), at, mask));
    verdicts.push({ what: `seed ${seed}: byte ${at} of ${size}, bit ${mask}`, verdict });
  }
  return tally(verdicts);
}

/** Flips one bit a byte of a small file where it lies, and back again. */
async function flipEach(project: Project, path: string) {
  const { seed, below } = seeded();
  const before = exported(project);
  const verdicts: { what: string; verdict: Verdict }[] = [];
  for (let at = 0; at < statSync(path).size; at += 1) {
    const mask = 1 << below(8);
    flip(path, at, mask);
    const verdict = await verdictOn(project, before);
    flip(path, at, mask);
    verdicts.push({ what: `seed ${seed}: byte ${at}, bit ${mask}`, verdict });
  }
  return tally(verdicts);
}

test("a flipped bit anywhere in the database is reported or changes nothing", async () => {
  const project = await small();
  const outcome = await flipSampled(project, ({ place, trace }) => place.ledgerPath(trace), SAMPLE);
  expect(outcome.wrong).toEqual([]);
  expect(outcome.reported).toBeGreaterThan(SAMPLE / 20);
});

test("a flipped bit anywhere in the log of a killed writer is reported or changes nothing", async () => {
  const project = await killedProject(4, "no");
  const log = ({ place, trace }: Project) => `${place.ledgerPath(trace)}-wal`;
  const outcome = await flipSampled(project, log, SAMPLE / 2.5);
  expect(outcome.wrong).toEqual([]);
  expect(outcome.reported).toBeGreaterThan(SAMPLE / 20);
});

test("a flipped bit in the shared memory of a killed writer changes nothing", async () => {
  const project = await killedProject(2, "no");
  const memory = ({ place, trace }: Project) => `${place.ledgerPath(trace)}-shm`;
  const outcome = await flipSampled(project, memory, SAMPLE / 10);
  expect(outcome).toEqual({ reported: 0, harmless: SAMPLE / 10, wrong: [] });
});

test("a flipped bit in any byte of an artifact is reported", async () => {
  const project = await small();
  const folder = join(project.store, "artifacts", "sha256");
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  expect(paths).toHaveLength(2);
  for (const path of paths) {
    const { size } = statSync(path);
    expect(await flipEach(project, path)).toEqual({ reported: size, harmless: 0, wrong: [] });
  }
});

test("a flipped bit in the head kept outside the store is reported", async () => {
  const { place, trace } = await small();
  const { path } = place.heads(trace);
  const bytes = readFileSync(path);
  const { seed, below } = seeded();
  const missed: string[] = [];
  // Every byte that says something, and some of the empty space behind it.
  const places = [...bytes.keys()].filter((at) => bytes[at] !== 0 || at % 16 === 0);
  expect(places.length).toBeGreaterThan(400);
  for (const at of places) {
    const mask = 1 << below(8);
    flip(path, at, mask);
    const { problems } = await fsck(place, trace);
    flip(path, at, mask);
    if (problems.length === 0) missed.push(`seed ${seed}: byte ${at}, bit ${mask}`);
  }
  expect(missed).toEqual([]);
});

test("a flipped bit in what git is told to ignore changes nothing", async () => {
  const project = await small();
  const outcome = await flipEach(project, join(project.store, ".gitignore"));
  expect(outcome).toEqual({ reported: 0, harmless: 2, wrong: [] });
});

test("a key with a flipped bit is refused, or signs what verifies, and is never printed", async () => {
  const project = await small();
  const { seed, below } = seeded();
  let [refused, worked] = [0, 0];
  for (const agent of ["mara", "sworn"]) {
    const path = join(project.state, "keys", `${agent}.json`);
    const { secret } = (JSON.parse(readFileSync(path, "utf8")) as KeyFile).keys[0] ?? {
      secret: "",
    };
    for (let at = 0; at < statSync(path).size; at += 1) {
      const mask = 1 << below(8);
      flip(path, at, mask);
      const failure = await append(project);
      flip(path, at, mask);
      const what = `seed ${seed}: byte ${at} of ${agent}.json, bit ${mask}`;
      if (failure === undefined) worked += 1;
      else {
        expect(failure, what).toMatchObject({ code: "KEY_UNUSABLE" });
        expect(messageOf(failure), what).not.toContain(secret.slice(24));
        refused += 1;
      }
    }
  }
  expect(refused).toBeGreaterThan(300);
  expect(worked).toBeGreaterThan(0);
  await expectSound(project);
});

interface KeyFile {
  readonly keys: readonly { readonly secret: string }[];
}

/** Appends with keys that are read anew; gives back what was thrown or refused. */
async function append({ folder, trace }: Project): Promise<unknown> {
  const { place } = projectIn(folder, trace);
  let recorder: Recorder | undefined;
  try {
    recorder = Recorder.resume(place, trace);
    const { refusal } = await recorder.record([message("signed")], { artifactRoots: [] });
    return refusal;
  } catch (error) {
    return error;
  } finally {
    recorder?.close();
  }
}
