import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, SwornError } from "../../src/base/index.ts";
import { exportTrace } from "../../src/flow/trace/bundle.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { verifyBundle } from "../../src/verify/index.ts";
import { start } from "../fake/child.ts";
import { opening } from "../fake/sandbox.ts";
import {
  APPEND_CHILD,
  acksIn,
  copyOf,
  linesOf,
  type Project,
  projectIn,
  settledProject,
} from "./project.ts";

/** What damage came to: it was reported, it changed nothing, or what else happened. */
export type Verdict = "reported" | "harmless" | `wrong: ${string}`;

/**
 * Looks at a damaged trace as its owner would. Damage must be reported, or be to bytes that do not
 * matter; and whatever is exported is what was there before, or does not verify.
 */
export async function verdictOn(project: Project, before: Buffer): Promise<Verdict> {
  const found = await fsck(project.place, project.trace).catch((error: unknown) => error);
  if (found instanceof Error || !isOutcome(found)) return `wrong: fsck threw ${messageOf(found)}`;
  const out = join(project.folder, "after.tar");
  try {
    exportTrace(project.place, project.trace, out);
    const isSame = readFileSync(out).equals(before);
    if (isSame) return found.status === "damaged" ? "reported" : "harmless";
    const { status } = await verifyBundle(out, { profile: "default", mode: "full", threads: 0 });
    if (status !== "fail")
      return `wrong: another content was exported, and it verifies (${status})`;
  } catch (error) {
    if (!(error instanceof SwornError)) return `wrong: export threw ${nameOf(error)}`;
  } finally {
    rmSync(out, { force: true });
  }
  return found.status === "damaged" ? "reported" : "wrong: fsck found nothing";
}

/** An error that nobody foresaw, without the details that differ from place to place. */
function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name} instead of saying what is damaged` : "no error";
}

function isOutcome(value: unknown): value is Awaited<ReturnType<typeof fsck>> {
  return typeof value === "object" && value !== null && "status" in value;
}

/** Where copies are cheap: in memory where there is such a place, because each is thrown away at once. */
const COPIES = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Damages a copy of a project, looks at it, and takes the copy away again. */
export async function verdictOnCopy(
  { folder, trace }: Project,
  before: Buffer,
  damage: (copy: Project) => void,
): Promise<Verdict> {
  const to = mkdtempSync(join(COPIES, "sworn-copy-"));
  try {
    cpSync(folder, to, { recursive: true });
    const copy = projectIn(to, trace);
    damage(copy);
    return await verdictOn(copy, before);
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
}

/** Changes one bit of a file. */
export function flip(path: string, at: number, mask: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ mask;
  writeFileSync(path, bytes);
}

/** A project whose writer was killed, so that its last entries are only in the database's log. */
export async function killedProject(
  appends: number,
  artifacts: "yes" | "no" = "yes",
  tries = 50,
): Promise<Project> {
  if (tries === 0) throw new Error("the writer was never killed between two appends");
  const project = await settledProject([opening()]);
  const { store, state, trace } = project;
  const writer = start(process.execPath, [
    APPEND_CHILD,
    ...[store, state, trace, "killed", "500", "1", artifacts],
  ]);
  await writer.said(`ack ${1 + appends} `);
  writer.process.kill("SIGKILL");
  const { out } = await writer.ended;
  if (acksIn(out).length < appends) throw new Error(`the writer ended early: ${out}`);
  // An entry that was stored but not yet acknowledged may be lost unseen: not the case meant here.
  // Looked for in a copy, because this process keeps what it looked at open for a while.
  const unacknowledged = linesOf(copyOf(project)).length > acksIn(out).length + 1;
  return unacknowledged ? killedProject(appends, artifacts, tries - 1) : project;
}

/** How often each verdict came, and what it was about where it is wrong. */
export function tally(verdicts: readonly { what: string; verdict: Verdict }[]) {
  const wrong = new Map<string, string[]>();
  for (const { what, verdict } of verdicts) {
    if (!verdict.startsWith("wrong")) continue;
    wrong.set(verdict, [...(wrong.get(verdict) ?? []), what]);
  }
  const count = (wanted: Verdict) => verdicts.filter(({ verdict }) => verdict === wanted).length;
  return {
    reported: count("reported"),
    harmless: count("harmless"),
    wrong: [...wrong].map(([verdict, at]) => `${verdict} (${at.length}: ${at.slice(0, 5)})`),
  };
}
