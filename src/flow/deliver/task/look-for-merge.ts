import { SwornError } from "../../../base/index.ts";
import { isNeverASink } from "../../../deliver/packet/index.ts";
import type { Repository } from "../../../repo/index.ts";
import type { Place } from "../../place.ts";
import type { Review } from "../../vote/read-reviews.ts";
import { CONFIG_NAME, readConfig } from "../../workflow-config.ts";
import { tokenOf } from "../open-sink.ts";
import { deliveriesOf } from "./find-delivery.ts";
import { ForgeClient } from "./forge-client.ts";
import type { DeliveryEnd } from "./move-delivered.ts";

/** Branches that hold what was made here before anybody took it. */
const OWN_BRANCHES = "sworn/";

/**
 * What a branch of this repository shows. What it contains by now is merged: the commit itself has to be
 * there, because a copy of it could be of anything, and on a branch that others look at, because the
 * branch that it was delivered on always holds it.
 */
export async function lookInBranch(
  { place, repository }: { readonly place: Place; readonly repository: Repository },
  review: Review,
  into: string,
): Promise<DeliveryEnd> {
  const commit = commitOf(review);
  const target = await repository.resolveCommit(into);
  const branch = await repository.branchCalled(into);
  if (branch === undefined) {
    return nothing(`${into} is no branch; name the one to merge into with --into`);
  }
  const own = (await deliveriesOf(place, commit)).map((one) => one.branch);
  // As it is called here, and as it is called at the remote where it comes from.
  const names = [branch, branch.replace(/^[^/]+\//, "")];
  if (names.some((name) => name.startsWith(OWN_BRANCHES) || own.includes(name))) {
    return nothing(`${branch} is where it was left; name the branch to merge into with --into`);
  }
  return (await repository.isContained(commit, target))
    ? { to: "merged", reason: `${branch} contains it` }
    : nothing(`it is not in ${branch}`);
}

/** What it takes to ask a forge. */
export interface ForgeQuestion {
  readonly place: Place;
  /** The root of the project, with its `sworn.yaml`. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
  /** Between two attempts; only tests have another one. */
  readonly pause?: ((ms: number) => Promise<unknown>) | undefined;
}

/**
 * What a forge says of the pull request that something was delivered as. It counts only for the very
 * commit that was delivered: whoever pushes to the branch afterwards has something else merged.
 *
 * @throws SwornError when it was delivered as none, or the forge gives no answer that counts.
 */
export async function askForge(question: ForgeQuestion, review: Review): Promise<DeliveryEnd> {
  const { place, root, env, signal, onStep, pause } = question;
  if (review.phase !== "SUBMITTED") return nothing(`it is ${review.phase}, not SUBMITTED`);
  const commit = commitOf(review);
  const delivery = (await deliveriesOf(place, commit)).find((one) => one.request !== undefined);
  if (delivery?.request === undefined) {
    const what = `no record says that ${commit.slice(0, 12)} was delivered as a pull request`;
    throw new SwornError("NOT_FOUND", `${what}; leave out --ask to look at a branch`);
  }
  const { api, repository, base, listed } = forgeOf(root, delivery.sink);
  const client = new ForgeClient({
    ...{ api, repository, token: tokenOf(listed, env) ?? "", tokenFrom: listed.token_env },
    ...{ signal, onStep, ...(pause === undefined ? {} : { pause }) },
  });
  const found = await client.state(delivery.request);
  const what = `request ${found.number} of ${repository}`;
  if (found.head.sha !== commit) {
    const state = found.merged ? "merged" : found.state;
    const why = `${what} is ${state} and stale: its head is ${found.head.sha}, not ${commit} that was delivered`;
    return nothing(why);
  }
  if (found.merged && found.base.ref !== base) {
    return nothing(`${what} was merged into ${found.base.ref}, not into ${base}`);
  }
  const as = found.merge_commit_sha ? ` as ${found.merge_commit_sha}` : "";
  if (found.merged) return { to: "merged", reason: `${what} was merged into ${base}${as}` };
  return found.state === "closed"
    ? { to: "rejected", reason: `${what} was closed and not merged` }
    : nothing(`${what} is open`);
}

function forgeOf(root: string, sink: string) {
  const { deliver = {} } = readConfig(root);
  const listed = Object.hasOwn(deliver, sink) ? deliver[sink] : undefined;
  if (listed?.kind !== "pull-request") {
    const what = `it was delivered to ${sink}, which ${CONFIG_NAME} does not list as a pull request`;
    throw new SwornError(
      "NOT_FOUND",
      `${what} any more; list it again, or say --merged or --rejected`,
    );
  }
  if (isNeverASink(new URL(listed.api))) {
    const message = `${CONFIG_NAME}: the forge of ${sink} is at a place that nothing is sent to`;
    throw new SwornError("INPUT_INVALID", message);
  }
  const { api, repository, base } = listed;
  return { api, repository, base, listed };
}

function commitOf({ body }: Review): string {
  const commit = /^git:([0-9a-f]{40,64})$/.exec(body.artifact)?.[1];
  if (commit !== undefined) return commit;
  const message = `${body.artifact} names no commit; say --merged or --rejected`;
  throw new SwornError("INPUT_INVALID", message);
}

function nothing(reason: string): DeliveryEnd {
  return { to: undefined, reason };
}
