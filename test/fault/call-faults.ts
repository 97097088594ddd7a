import { expect } from "vitest";
import { each } from "../fake/child.ts";
import { opening } from "../fake/sandbox.ts";
import {
  acksIn,
  copyOf,
  expectAcknowledged,
  expectSound,
  expectToGoOn,
  linesOf,
  type Project,
  settledProject,
} from "./project.ts";
import { appendUnderStrace, type Traced } from "./strace.ts";

/** The ways a call can go wrong: once, or as the last thing that happens. */
export const FAULTS = {
  "a broken disk": (call: number) => `error=EIO:when=${call}`,
  "a full disk": (call: number) => `error=ENOSPC:when=${call}`,
  "a kill": (call: number) => `signal=SIGKILL:when=${call}`,
} as const;
/** The same from a call on, as it is when nobody makes room. */
export const LASTING_FAULTS = {
  "a disk that stays broken": (call: number) => `error=EIO:when=${call}+`,
  "a disk that stays full": (call: number) => `error=ENOSPC:when=${call}+`,
} as const;
type Faults = Readonly<Record<string, (call: number) => string>>;
/** Any failure but this one says that the entry is not there, so that nobody needs to look. */
const NOTHING_WRITTEN = /^failed (?!LEDGER_COMMIT_UNKNOWN )/m;

interface Case {
  readonly what: string;
  readonly fault: (call: number) => string;
  readonly name: string;
  /** Which call of that name; strace counts each name by itself. */
  readonly call: number;
  readonly isOurs: (call: string) => boolean;
}

/** How many entries there may be afterwards: one was there before, and the outcome says what came of the other. */
function entriesAfter({ out }: Traced): number[] {
  if (acksIn(out).length > 0) return [2];
  return NOTHING_WRITTEN.test(out) ? [1] : [1, 2];
}

async function survive(template: Project, { what, fault, name, call, isOurs }: Case) {
  let project = copyOf(template);
  let ended = await appendUnderStrace(project, name, fault(call));
  // Threads wake each other with writes of their own, now more of them, now fewer.
  for (let tries = 1; tries < TRIES_MAX && !hitOurs(ended, isOurs); tries += 1) {
    project = copyOf(template);
    ended = await appendUnderStrace(project, name, fault(call));
  }
  const problem = await problemOf(project, ended).catch((error: Error) => error.message);
  const where = `${what} at ${name} ${call}: ${ended.calls[call - 1]}`;
  return { ...ended, problem: problem && `${where}\n${ended.out}${ended.err}${problem}` };
}

/** How often a run is repeated in which the call never came, or another came in its place. */
const TRIES_MAX = 10;

function happened({ hung, signal, calls }: Traced): boolean {
  return hung || signal === "SIGKILL" || calls.some((call) => call.includes("(INJECTED)"));
}

/** Whether the fault met a call that matters; after a kill nobody can tell. */
function hitOurs(ended: Traced, isOurs: Case["isOurs"]): boolean {
  if (ended.hung || ended.signal === "SIGKILL") return true;
  return ended.calls.some((call) => call.includes("(INJECTED)") && isOurs(call));
}

/** What is wrong with a trace after a fault; undefined when nothing is. */
async function problemOf(project: Project, ended: Traced): Promise<string | undefined> {
  const lines = linesOf(project);
  if (ended.hung) return "it hung";
  if (!happened(ended)) return "the fault did not happen";
  if (!entriesAfter(ended).includes(lines.length)) return `${lines.length} entries are there`;
  expectAcknowledged(lines, acksIn(ended.out));
  await expectSound(project);
  await expectToGoOn(project);
  return undefined;
}

/**
 * Counts the calls of an undisturbed run, then repeats it once a call and fault.
 *
 * @param isOurs tells the calls that matter from those that only start the process.
 */
export async function survivesAll(
  names: readonly string[],
  isOurs: (call: string) => boolean = () => true,
  faults: Faults = FAULTS,
): Promise<Traced[]> {
  const template = await settledProject([opening()]);
  const cases: Case[] = [];
  for (const name of names) {
    const dry = await appendUnderStrace(copyOf(template), name);
    expect(acksIn(dry.out), dry.err).toHaveLength(1);
    const calls = dry.calls.flatMap((call, at) => (isOurs(call) ? [at + 1] : []));
    for (const [what, fault] of Object.entries(faults))
      cases.push(...calls.map((call) => ({ what, fault, name, call, isOurs })));
  }
  const ended = await each(cases, 3, (one) => survive(template, one));
  expect(ended.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  return ended;
}

/** Which files the faults hit, to see that none was passed over. */
export function filesHit(ended: readonly Traced[]): string[] {
  const hit = ended.flatMap(({ calls }) => calls.filter((call) => call.includes("(INJECTED)")));
  const names = ["incoming", "sha256", "ledger.db-wal", "ledger.db-shm", "ledger.db", "head"];
  return names.filter((name) => hit.some((call) => new RegExp(`${name}(?![-.\\w])`).test(call)));
}
