import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Decrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, beforeAll } from "vitest";
import { BLOCK_BYTES, parseTarHeader, tarPadding } from "../../../src/base/index.ts";
import { type DeliverRequest, deliver } from "../../../src/flow/deliver/deliver.ts";
import { Place } from "../../../src/flow/place.ts";
import { verifyLocal } from "../../../src/flow/trace/verify-target.ts";
import { readTrace } from "../../../src/index.ts";
import { SWORN } from "../../fake/child.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

/** Something that looks like a token, put together here so that nobody takes it for one. */
export const SECRET = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");

/** What the runs of these tests leave: text, a program, an archive, and one of each name trick. */
const SCRIPT = [
  `true ${SECRET}`,
  "cd $WORKSPACE_OUTPUT",
  "echo hello > notes.txt",
  "mkdir -p bin",
  'printf "\\177ELF\\002\\001\\001\\000\\000program" > bin/tool.txt',
  "tar -cf all.tar notes.txt",
  'echo long > "$(printf %0100d 7)"',
].join("; ");

/** A project with one run that counts and one that does not; made once a file, copied for each test. */
export function concludedRuns() {
  const original = mkdtempSync(join(tmpdir(), "sworn-test-"));
  let identity = "";
  let recipient = "";
  let run = "";
  let denied = "";
  beforeAll(async () => {
    identity = await generateX25519Identity();
    recipient = await identityToRecipient(identity);
    mkdirSync(join(original, "project"));
    execFileSync("git", ["init", "--quiet"], { cwd: join(original, "project") });
    writeFileSync(join(original, "project", "a"), "a\n");
    const git = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    execFileSync("git", ["add", "-A"], { cwd: join(original, "project") });
    execFileSync("git", [...git, "commit", "-qm", "first"], { cwd: join(original, "project") });
    run = sealed(original, "out", SCRIPT).trace;
    denied = sealed(original, "denied", "echo A=b > $WORKSPACE_OUTPUT/.env").trace;
  }, 120_000);
  afterAll(() => rmSync(original, { recursive: true, force: true }));
  return {
    run: () => run,
    denied: () => denied,
    recipient: () => recipient,
    identity: () => identity,
    stage: (sinks: Record<string, object> = {}) => new Stage(original, run, sinks, recipient),
  };
}

function sealed(own: string, out: string, script: string): { trace: string } {
  const report = join(own, `${out}.json`);
  const args = ["exec", "--out", join(own, out), "--report", report, "--", "sh", "-c", script];
  try {
    execFileSync(process.execPath, [SWORN, ...args], {
      cwd: join(own, "project"),
      env: { ...process.env, SWORN_STATE_DIR: join(own, "state") },
      stdio: "pipe",
    });
  } catch {
    // One of them is refused; the report says which.
  }
  return JSON.parse(readFileSync(report, "utf8"));
}

/** A copy of that project with sinks of its own. */
export class Stage {
  readonly own = temporaryFolder();
  readonly project = join(this.own, "project");
  readonly out = join(this.own, "out");
  readonly shelf = join(this.own, "shelf");
  readonly state = join(this.own, "state");
  readonly place: Place;
  readonly steps: string[] = [];
  readonly #run: string;

  constructor(original: string, run: string, sinks: Record<string, object>, recipient: string) {
    // The times tell which run is the latest.
    cpSync(original, this.own, { recursive: true, preserveTimestamps: true });
    mkdirSync(this.shelf);
    this.#run = run;
    this.place = new Place({ store: join(this.project, ".sworn"), state: this.state });
    const shelf = { kind: "folder", path: "../shelf", recipients: [recipient] };
    writeFileSync(
      join(this.project, "sworn.yaml"),
      JSON.stringify({ deliver: { shelf, ...sinks } }),
    );
  }

  deliver(more: Partial<DeliverRequest> = {}) {
    return deliver({
      place: this.place,
      root: this.project,
      run: this.#run,
      out: this.out,
      to: "shelf",
      env: {},
      home: this.own,
      signal: new AbortController().signal,
      onStep: (words) => this.steps.push(words),
      onProgress: () => {},
      ...more,
    });
  }
}

/** The members of a packet, opened by whom it is for. */
export async function opened(packet: Uint8Array, identity: string): Promise<Map<string, Buffer>> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return membersOf(Buffer.from(await decrypter.decrypt(packet)));
}

export function membersOf(tar: Buffer): Map<string, Buffer> {
  const members = new Map<string, Buffer>();
  for (let at = 0; at < tar.length - 2 * BLOCK_BYTES; ) {
    const { name, sizeBytes } = parseTarHeader(tar.subarray(at, at + BLOCK_BYTES));
    const from = at + BLOCK_BYTES;
    members.set(name, tar.subarray(from, from + sizeBytes));
    at = from + sizeBytes + tarPadding(sizeBytes);
  }
  return members;
}

/** How the record of a delivery verifies. */
export async function statusOf({ place }: Stage, trace: string): Promise<string> {
  return (await verifyLocal(place, trace, { profile: "default", mode: "full", threads: 0 })).status;
}

/** Everything that a record holds: its lines, and what they cite. */
export function recorded({ place }: Stage, trace: string): string {
  const entries = [...readTrace(place, trace)].map((entry) => JSON.stringify(entry)).join("\n");
  const hashes = [...entries.matchAll(/"hash":"([0-9a-f]{64})"/g)].map((match) => match[1] ?? "");
  const cited = hashes.flatMap((hash) => [...place.artifacts.read(hash)].map(String));
  return [entries, ...cited].join("\n");
}
