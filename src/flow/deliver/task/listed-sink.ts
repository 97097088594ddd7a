import { resolve } from "node:path";
import { SwornError } from "../../../base/index.ts";
import { isNeverASink } from "../../../deliver/packet/index.ts";
import { BranchSink } from "../../../schema/config.ts";
import type { ExecRefusal } from "../../exec/exec-outcome.ts";
import type { Place } from "../../place.ts";
import { CONFIG_NAME, readConfig } from "../../workflow-config.ts";
import type { OpenSink } from "../deliver-facts.ts";
import { openSink, tokenIfSet, tokenOf } from "../open-sink.ts";

/** The sink that every project has, unless it lists another one under this name. */
export const LOCAL_BRANCH = "branch";

/** Where a work can go: a branch or what is made of one, or a place for packets. */
export type Sink =
  | { readonly kind: "branches"; readonly listed: BranchSink }
  | { readonly kind: "store"; readonly open: OpenSink };

/** A sink that somebody asks for, and the project that it is asked of. */
interface AskedSink {
  readonly place: Place;
  /** The root of the project, with its `sworn.yaml`. */
  readonly root: string;
  readonly to: string;
  readonly home: string;
}

/**
 * Looks whether something could be delivered there at all, before anybody works for it.
 *
 * @throws SwornError when it is not listed, not there, never allowed, or its token is not set.
 */
export function assertSink(
  asked: AskedSink & {
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Whether what leaves this machine really does. */
    readonly isSent: boolean;
  },
): void {
  const sink = sinkOf(asked);
  if (sink === undefined) throw new SwornError("INPUT_INVALID", unlistedWords(asked.to));
  const wrong = wrongAddress(sink);
  if (wrong !== undefined) throw new SwornError("INPUT_INVALID", `${asked.to}: ${wrong.reason}`);
  const listed = sink.kind === "store" ? sink.open.listed : sink.listed;
  (asked.isSent ? tokenOf : tokenIfSet)(listed, asked.env);
}

/** A name as it may be shown and recorded: whatever else was asked for is nobody's business. */
export function shownName(to: string): string {
  return /^[\w.-]{1,64}$/.test(to) ? to : "a place that has no name";
}

/** Why a place cannot be delivered to. */
export function unlistedWords(to: string): string {
  return `${shownName(to)} is not listed under deliver in ${CONFIG_NAME}; have the operator list it, or choose one that is`;
}

/** Whether it is a branch of this very repository. */
export function isOwnBranch(sink: Sink): boolean {
  return sink.kind === "branches" && sink.listed.kind === "branch";
}

/** The sink of that name; undefined when nobody listed it. */
export function sinkOf({ place, root, to, home }: AskedSink): Sink | undefined {
  const { deliver = {} } = readConfig(root);
  // Own keys alone: a sink may be asked for as `constructor`.
  const listed = Object.hasOwn(deliver, to) ? deliver[to] : undefined;
  if (listed?.kind === "folder" || listed?.kind === "https") {
    const open = openSink(place, to, home);
    return open && { kind: "store", open };
  }
  if (listed !== undefined) return { kind: "branches", listed: fromRoot(listed, root) };
  return to === LOCAL_BRANCH
    ? { kind: "branches", listed: BranchSink.parse({ kind: "branch" }) }
    : undefined;
}

/** Git pushes from a folder of ours, where a relative path would lead elsewhere than from `sworn.yaml`. */
function fromRoot(listed: BranchSink, root: string): BranchSink {
  if (listed.kind === "branch" || !/^\.{1,2}\//.test(listed.url)) return listed;
  return { ...listed, url: resolve(root, listed.url) };
}

/** Whether what was listed is a place that nothing may go to. */
export function wrongAddress(sink: Sink): ExecRefusal | undefined {
  if (sink.kind === "store" || !("url" in sink.listed)) return undefined;
  const { listed } = sink;
  const addresses = listed.kind === "pull-request" ? [listed.url, listed.api] : [listed.url];
  return addresses.some((one) => URL.canParse(one) && isNeverASink(new URL(one)))
    ? { rule: "U.1", reason: "the listed address is a place that results never go to" }
    : undefined;
}

/** Whether nothing leaves this machine. */
export function staysHere(sink: Sink): boolean {
  return sink.kind === "store" ? sink.open.isLocal : isOwnBranch(sink);
}
