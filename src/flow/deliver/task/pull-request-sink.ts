import { pullRequestBody } from "../../../deliver/packet/index.ts";
import type { Repository } from "../../../repo/index.ts";
import type { CompletionDocument } from "../../../schema/completion.ts";
import type { BranchSink } from "../../../schema/config.ts";
import type { WorkReport } from "../../../schema/work.ts";
import type { ExecRefusal } from "../../exec/exec-outcome.ts";
import { toRemote } from "./branch-sink.ts";
import { ForgeClient, type PullRequest } from "./forge-client.ts";
import type { PackedTask } from "./pack-task.ts";
import type { SinkEffect } from "./task-sink.ts";

/** A change that is to become a pull request. */
export interface RequestHandover {
  readonly repository: Repository;
  readonly listed: Extract<BranchSink, { kind: "pull-request" }>;
  readonly packed: PackedTask;
  readonly report: WorkReport;
  readonly completion: CompletionDocument | null;
  readonly branch: string;
  readonly token: string;
  readonly isSent: boolean;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
  readonly pause?: ((ms: number) => Promise<unknown>) | undefined;
}

/**
 * Pushes the branch, and asks for it to be merged. Both are looked for first: whoever submits the same
 * commit again, after a lost answer too, finds the one request that there is.
 */
export async function toPullRequest(handover: RequestHandover): Promise<SinkEffect | ExecRefusal> {
  const { repository, listed, packed, branch, token, isSent, signal, onStep, pause } = handover;
  const { api, repository: name, base, url } = listed;
  const { commit, artifact } = packed.head;
  const where = `${new URL(api).host} ${name}: ${branch} into ${base}`;
  if (!isSent) return { status: "planned", where, branch };
  if (branch === base) return { rule: "U.6", reason: `${branch} is the branch to merge into` };
  const target = { url, ...(url.startsWith("https://") ? { token } : {}) };
  const pushed = await toRemote(repository, target, branch, commit, true);
  if ("rule" in pushed) return pushed;
  const client = new ForgeClient({
    ...{ api, repository: name, token, signal, onStep },
    ...(pause === undefined ? {} : { pause }),
  });
  const found = await client.find(branch);
  if (found !== undefined) {
    if (found.state === "open") return { status: "present", where, branch, ...seenAs(found) };
    const reason = `request ${found.number} for ${branch} is ${found.state}; what was decided there is not asked again`;
    return { rule: "U.6", reason };
  }
  const { title, body } = pullRequestBody(handover.report, handover.completion, {
    artifact,
    commit,
    digest: packed.digest,
  });
  const opened = await client.open({ title, body, head: branch, base });
  return { status: "sent", where, branch, ...seenAs(opened) };
}

function seenAs({ html_url, number }: PullRequest) {
  return { url: html_url, request: number };
}
