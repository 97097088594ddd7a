import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { onTestFinished } from "vitest";
import { tarOf } from "../../../../src/deliver/packet/index.ts";
import { readDeliveredWork } from "../../../../src/flow/deliver/task/delivered-work.ts";
import { type PackedTask, packTask } from "../../../../src/flow/deliver/task/pack-task.ts";
import { Place } from "../../../../src/flow/place.ts";
import { Repository } from "../../../../src/repo/index.ts";
import type { PacketReport } from "../../../../src/schema/packet-report.ts";
import type { Plan } from "../../../../src/schema/plan.ts";
import { openPacket, verifyPacket } from "../../../../src/verify/packet/index.ts";
import { temporaryFolder } from "../../../fake/sandbox.ts";
import { sharedFolder } from "../../../shared-folder.ts";
import { type Act, planOf, subtask, WorkWorld } from "../../work/work-world.ts";

const OPTIONS = { profile: "default", mode: "full", threads: 0 } as const;

/** A work that was done, proven and can be delivered, in a project of its own. */
export interface DoneWork {
  readonly home: string;
  readonly path: string;
  readonly env: Record<string, string | undefined>;
  readonly place: Place;
  readonly repository: Repository;
  readonly work: string;
  readonly commit: string;
  readonly start: string;
  /** The packet that was made where the copy comes from. */
  readonly made: { readonly packed: PackedTask; readonly home: string } | undefined;
}

interface Template {
  readonly home: string;
  readonly packed: PackedTask | undefined;
  readonly known: Pick<DoneWork, "work" | "commit" | "start">;
}

const ONE = planOf([subtask("ST-01")]);
const templates = new Map<string, Promise<Template>>();

/** Works take seconds; each kind is done once in a process, and every test has a copy. */
export async function doneWork(
  kind: {
    readonly act?: Act;
    readonly name?: string;
    readonly profile?: "solo" | "team";
    readonly isPacked?: boolean;
    readonly plan?: Plan;
    /** What the project holds before the work. */
    readonly files?: Record<string, string>;
    /** The tests that the work is said to weaken. */
    readonly weakened?: readonly string[];
  } = {},
): Promise<DoneWork> {
  const { act, name = "", profile = "solo", isPacked = false, plan = ONE } = kind;
  const { files = {}, weakened = [] } = kind;
  const id = `${name} ${profile} ${isPacked}`;
  const ready = templates.get(id) ?? template(plan, act, profile, { isPacked, files, weakened });
  templates.set(id, ready);
  const { home: from, known, packed } = await ready;
  const home = temporaryFolder();
  cpSync(from, home, { recursive: true });
  const path = join(home, "project");
  const env = { PATH: process.env["PATH"], HOME: home };
  const repository = await Repository.open(path, { env });
  onTestFinished(() => repository.close());
  const place = new Place({ store: join(path, ".sworn"), state: join(home, "state") });
  const made = packed && { packed, home: from };
  return { home, path, env, place, repository, made, ...known };
}

async function template(
  plan: Plan,
  act: Act | undefined,
  profile: "solo" | "team",
  about: {
    readonly isPacked: boolean;
    readonly files: Record<string, string>;
    readonly weakened: readonly string[];
  },
): Promise<Template> {
  const { isPacked, files, weakened } = about;
  const world = await WorkWorld.open(act, files);
  const weakenedBy = async () => ({ weakened, notes: [] });
  const { report } = await world.run(plan, { profile, weakenedBy });
  const home = sharedFolder("template");
  cpSync(world.project.home, home, { recursive: true });
  const { work, commit = "" } = report;
  const place = new Place({ store: join(home, "project", ".sworn"), state: join(home, "state") });
  const { repository, start } = world;
  const packed = isPacked ? await pack({ place, repository, work }) : undefined;
  return { home, packed, known: { work, commit, start } };
}

export async function pack({
  place,
  repository,
  work,
}: Pick<DoneWork, "place" | "repository" | "work">): Promise<PackedTask> {
  const read = await readDeliveredWork(place, work);
  if ("rule" in read) throw new Error(`refused: ${read.reason}`);
  return packTask({ place, repository, signal: new AbortController().signal }, read);
}

/** Git in the project, or in another folder, with nobody's configuration. */
export function git({ path, env }: Pick<DoneWork, "path" | "env">, ...args: string[]): string {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const options = { cwd: path, env, encoding: "utf8", stdio: "pipe", timeout: 20_000 } as const;
  return execFileSync("git", [...identity, ...args], options).trim();
}

/** What a stranger finds, who has the file and nothing else. */
export function judged(path: string, trustedKey?: string): Promise<PacketReport> {
  return verifyPacket(path, { ...OPTIONS, ...(trustedKey === undefined ? {} : { trustedKey }) });
}

export function failedCheck({ checks }: PacketReport): string | undefined {
  return checks.find(({ status }) => status === "fail")?.id;
}

/** The members of a packet by name, in their order. */
export function membersOf(path: string): Map<string, Buffer> {
  const packet = openPacket(path);
  try {
    return new Map(
      [...packet.members.keys()].map((name) => [name, packet.read(name, 1 << 30)] as const),
    );
  } finally {
    packet.close();
  }
}

export function tarFrom(members: ReadonlyMap<string, Buffer>): Buffer {
  const listed = [...members].map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    chunks: [bytes],
  }));
  return Buffer.concat([...tarOf(listed)]);
}

/** Every file below a folder with its bytes. */
export function filesBelow(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile()).sort();
  return new Map(
    files.map((name) => [relative(folder, join(folder, name)), readFileSync(join(folder, name))]),
  );
}
