import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert, canonicalize, messageOf, sha256Hex } from "../../../base/index.ts";
import { Repository } from "../../../repo/index.ts";
import { redact } from "../../../scan/classify/index.ts";
import { findSecrets } from "../../../scan/secret/index.ts";
import { parseAddress } from "../../../schema/address.ts";
import type { VerbAnswer, VerbArgs } from "../../../schema/tooling.ts";
import { WorkReport } from "../../../schema/work.ts";
import type { Place } from "../../place.ts";
import { Bus, isRefused, RUNTIME } from "../../talk/bus.ts";
import { post } from "../../talk/post.ts";
import type { Speaker } from "../../tooling/speaker.ts";
import { readStored } from "../../trace/stored-document.ts";
import { readConfig } from "../../workflow-config.ts";
import { deliverTask } from "./deliver-task.ts";
import { isWorkId } from "./delivered-work.ts";
import { keepHandedIn } from "./handed-in.ts";
import { LOCAL_BRANCH } from "./listed-sink.ts";

const WORKS_MAX = 1_000;
const REPORT_BYTES_MAX = 64 << 20;
const ID_CHARS = 16;

type Asked = VerbArgs<"deliver.submit">;
type Answer = VerbAnswer<"deliver.submit">;

interface KnownWork {
  readonly id: string;
  readonly commit: string;
}

/** Where submissions are taken. */
export interface SubmitSetting {
  readonly place: Place;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Takes a submission from an agent. What holds goes onto a branch of the local repository, which is all
 * that an agent can bring about: `accepted`. Where the project lists places outside, the submission then
 * waits for a person to send it: `queued`. Asked again, the same submission is the same one.
 */
export async function submitWork(
  setting: SubmitSetting,
  asked: Asked,
  speaker: Speaker,
): Promise<Answer> {
  const { agent, role } = speaker;
  const { place, env, signal } = setting;
  const root = dirname(place.store);
  const id = `sub-${sha256Hex(canonicalize({ agent, ...asked })).slice(0, ID_CHARS)}`;
  const no = (error: string): Answer => ({ submission_id: id, status: "rejected", error });
  const [secret] = findSecrets(asked.packet_markdown, {});
  if (secret !== undefined)
    return no(`packet_markdown holds what looks like a secret: ${secret.rule}`);
  const work = findWork(place, asked.artifact);
  if (typeof work === "string") return no(work);
  const repository = await Repository.open(root, { env, signal });
  try {
    const stranger = await firstStranger(repository, work.commit, asked.files);
    if (stranger !== undefined) return no(`${stranger} is not in the commit that is submitted`);
    const { refused, effect, packet } = await deliverTask({
      ...{ place, repository, root, work: work.id, to: LOCAL_BRANCH, isSent: false },
      ...{ env: {}, home: root, signal, onStep: () => {} },
    });
    if (refused !== undefined || packet === undefined) {
      return no(
        refused === undefined ? "nothing was packed" : `${refused.rule}: ${refused.reason}`,
      );
    }
    const outside = Object.entries(readConfig(root).deliver ?? {})
      .filter(([, { kind }]) => kind !== "branch")
      .map(([name]) => name);
    const { status } = keepHandedIn(place, {
      ...{ v: 1, id, status: outside.length === 0 ? "accepted" : "queued" },
      ...{ agent, role, work: work.id, waits_for: outside },
      ...{ artifact: packet.head.artifact, packet_sha256: packet.digest, branch: effect?.where },
      notify_roles: asked.notify_roles,
      urgency: asked.urgency,
      files: asked.files,
      packet_markdown: redact(asked.packet_markdown).text,
    });
    await notify(place, asked, { id, status, task: speaker.task, commit: work.commit });
    return { submission_id: id, status };
  } finally {
    repository.close();
  }
}

/** The work that an artifact is of, named by its id or by an address that holds its commit; else why there is none. */
function findWork(place: Place, artifact: string): KnownWork | string {
  const commit = commitIn(artifact);
  const ids = isWorkId(artifact) ? [artifact] : commit === undefined ? [] : worksIn(place);
  const unreadable: string[] = [];
  for (const id of ids) {
    try {
      const found = knownWork(place, id);
      if (found !== undefined && (commit ?? found.commit) === found.commit) return found;
    } catch (error) {
      // It keeps no other from being found, and is named where none is: it may be the one.
      unreadable.push(messageOf(error));
    }
  }
  const [first] = unreadable;
  const expected = "expected the id of a work, or the address of its commit (…/git:<commit>)";
  return first === undefined ? expected : `no work that can be read is the one asked for; ${first}`;
}

/** The newest first. */
function worksIn({ store }: Place): string[] {
  const folder = join(store, "work");
  const ids = existsSync(folder) ? readdirSync(folder).filter(isWorkId).sort() : [];
  return ids.slice(-WORKS_MAX).reverse();
}

/** `git:<commit>`, as completions are proposed, or an address that holds it. */
function commitIn(artifact: string): string | undefined {
  const alone = /^git:([0-9a-f]{40}|[0-9a-f]{64})$/.exec(artifact)?.[1];
  if (alone !== undefined) return alone;
  const parsed = parseAddress(artifact);
  return parsed.ok && parsed.address.when.kind === "commit"
    ? parsed.address.when.commit
    : undefined;
}

function knownWork(place: Place, id: string): KnownWork | undefined {
  const path = join(place.store, "work", id, "report.json");
  if (!existsSync(path)) return undefined;
  const { commit } = readStored(path, WorkReport, REPORT_BYTES_MAX);
  return commit === undefined ? undefined : { id, commit };
}

async function firstStranger(repository: Repository, commit: string, files: readonly string[]) {
  for (const path of files) {
    if ((await repository.blobAt(commit, path)) === undefined) return path;
  }
  return undefined;
}

/**
 * Tells the roles that are to know, in the runtime's own words on the task's bus: a text of the agent's
 * could say of a submission what it likes. Asked again, it is said once.
 */
async function notify(
  place: Place,
  { notify_roles, urgency }: Asked,
  about: {
    readonly id: string;
    readonly status: "queued" | "accepted";
    readonly task: string | undefined;
    readonly commit: string;
  },
): Promise<void> {
  if (notify_roles.length === 0) return;
  const { id, status, task, commit } = about;
  const roles = [...new Set(notify_roles)].toSorted().join(",");
  const bus = await Bus.begin({ place, task });
  try {
    const kind = urgency === "hotfix" ? "WARNING" : "INFO";
    const meta = { submission: id, status, urgency, roles };
    const hurry = urgency === "hotfix" ? ", a hotfix," : "";
    const text = `For ${roles}: submission ${id}${hurry} of commit ${commit} is ${status}.`;
    const said = await post(bus, RUNTIME, { text, kind, meta, idem: `${id} ${status}` });
    assert(!isRefused(said), "the runtime may speak on every bus");
  } finally {
    bus.close();
  }
}
