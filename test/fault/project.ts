import { createHash } from "node:crypto";
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect } from "vitest";
import { canonicalize, sha256Hex } from "../../src/base/index.ts";
import { Place } from "../../src/flow/place.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { fileScript, recordScript } from "../../src/flow/record/script.ts";
import { exportTrace } from "../../src/flow/trace/bundle.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { readTrace } from "../../src/flow/trace/look.ts";
import type { Entry, EventRequest } from "../../src/schema/index.ts";
import { sworn } from "../fake/child.ts";
import { opening, request, temporaryFolder } from "../fake/sandbox.ts";

/** The child that appends, and the example that is a whole session. */
export const APPEND_CHILD = join(import.meta.dirname, "append-child.mjs");
export const EXAMPLE = resolve(import.meta.dirname, "../../examples/session.jsonl");

/** A project on disk with one trace in it, and the state of the user who owns it. */
export interface Project {
  readonly folder: string;
  readonly project: string;
  readonly store: string;
  readonly state: string;
  readonly place: Place;
  readonly trace: string;
}

export function projectIn(folder: string, trace: string): Project {
  const project = join(folder, "project");
  const [store, state] = [join(project, ".sworn"), join(folder, "state")];
  return { folder, project, store, state, trace, place: new Place({ store, state }) };
}

/** A project whose trace holds an opening and these messages; each is a commit of its own. */
export async function smallProject(
  messages: readonly { text: string; artifact?: string }[] = [],
): Promise<Project> {
  const folder = temporaryFolder();
  const { place } = projectIn(folder, "");
  const recorder = Recorder.start(place);
  const requests = [opening(), ...messages.map(({ text, artifact }) => message(text, artifact))];
  for (const one of requests)
    expect(await recorder.record([one], { artifactRoots: [] })).toEqual({ recorded: 1 });
  recorder.close();
  return projectIn(folder, recorder.id);
}

/** The same, made by a process that has ended: the database is closed, nothing is left in its log. */
export async function settledProject(requests: readonly EventRequest[]): Promise<Project> {
  const folder = temporaryFolder();
  const { project, state } = projectIn(folder, "");
  mkdirSync(project, { recursive: true });
  const script = requests.map((one) => JSON.stringify(one)).join("\n");
  const { out, err } = await sworn({ project, state }, ["trace", "record", "-", "--json"], {
    input: `${script}\n`,
  });
  expect(out, err).toContain("trace_");
  return projectIn(folder, (JSON.parse(out) as { trace: string }).trace);
}

/** A project that holds the complete example session. */
export async function exampleProject(): Promise<Project> {
  const folder = temporaryFolder();
  const { trace, entries } = await recordScript(projectIn(folder, "").place, {
    open: fileScript(EXAMPLE),
    isRepeatable: true,
    artifactRoots: [dirname(EXAMPLE)],
  });
  expect(entries).toBe(36);
  return projectIn(folder, trace ?? "");
}

export function message(text: string, artifact?: string): EventRequest {
  return request(
    "mara",
    "operator",
    "message_posted",
    { text },
    artifact === undefined ? undefined : [{ text: artifact }],
  );
}

/** The same project in a folder of its own: other files, so no open handle reaches from one to the other. */
export function copyOf({ folder, trace }: Project, to = temporaryFolder()): Project {
  cpSync(folder, to, { recursive: true, preserveTimestamps: true });
  return projectIn(to, trace);
}

/** The lines of a trace as they are stored: of each entry the one canonical form. */
export function linesOf({ place, trace }: Pick<Project, "place" | "trace">): string[] {
  return readTrace(place, trace).map((entry) => canonicalize(entry));
}

/** What the messages of a trace say, in order. */
export function textsOf(project: Project): string[] {
  return linesOf(project).flatMap((line) => {
    const entry = JSON.parse(line) as Entry;
    return entry.type === "message_posted" ? [entry.body.text] : [];
  });
}

/** Appends one message, checks that it is there, and that the whole trace is still sound. */
export async function expectToGoOn(project: Project, text = "and on it goes"): Promise<void> {
  const size = linesOf(project).length;
  const recorder = Recorder.resume(project.place, project.trace);
  try {
    const outcome = await recorder.record([message(text, `what ${text} brought`)], {
      artifactRoots: [],
    });
    expect(outcome).toEqual({ recorded: 1 });
    expect(recorder.head.size).toBe(size + 1);
  } finally {
    recorder.close();
  }
  expect(textsOf(project).at(-1)).toBe(text);
  await expectSound(project);
}

/** Checks what fsck and the verifier say: nothing is wrong but that the session is not over. */
export async function expectSound({
  place,
  trace,
}: Pick<Project, "place" | "trace">): Promise<void> {
  const { status, problems, report } = await fsck(place, trace);
  expect({ status, problems, failures: report?.failures }).toEqual({
    status: "ok",
    problems: [],
    failures: [],
  });
  expect(report?.warnings.map(({ code }) => code)).toEqual(["SESSION_NOT_COMPLETED"]);
}

/** Every `ack <size> <hash>` line of a child: what it was told is on disk. */
export function acksIn(out: string): { size: number; hash: string }[] {
  return [...out.matchAll(/^ack (\d+) ([0-9a-f]{64})$/gm)].map(([, size, hash]) => ({
    size: Number(size),
    hash: hash ?? "",
  }));
}

/** Checks that everything acknowledged is there, with the very bytes that were acknowledged. */
export function expectAcknowledged(
  lines: readonly string[],
  acks: readonly { size: number; hash: string }[],
): void {
  const lost = acks.filter(({ size, hash }) => sha256Hex(lines[size - 1] ?? "") !== hash);
  expect(lost).toEqual([]);
}

/** The bytes of a trace as others would get it. */
export function exported({ place, trace, folder }: Project): Buffer {
  const path = join(folder, "exported.tar");
  exportTrace(place, trace, path);
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

/** Every file below the folders and a hash of what is in it. */
export function contentOf(...folders: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
      const path = join(folder, name);
      if (!lstatSync(path).isFile()) found[path] = "not a file";
      else found[path] = createHash("sha256").update(readFileSync(path)).digest("hex");
    }
  }
  return found;
}
