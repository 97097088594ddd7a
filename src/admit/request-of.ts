import { posix } from "node:path";
import type { PolicyRequest } from "../policy/index.ts";
import type { AdmissionFacts, MountFacts } from "../schema/admission.ts";
import { WORKSPACE } from "../schema/execution.ts";
import { isBadHost } from "./bad-host.ts";
import { uploadCommandsIn } from "./upload-commands.ts";
import type { Waived } from "./waived.ts";

/**
 * Facts in the form that policies see. Cedar cannot ask "is there a mount that …", so lists come as
 * sets of those that something is wrong with.
 */
export function requestOf(facts: AdmissionFacts, waived: Waived): PolicyRequest {
  const { requester, moment, task } = facts;
  const run = { run: runOf(facts), waived };
  const context = facts.moment === "start" ? run : { ...run, output: outputOf(facts.output) };
  return { requester, moment, task, context };
}

function runOf(facts: AdmissionFacts) {
  const { engine, argv, env_names, network, controls, limits, same_node, data_is_clean } = facts;
  return {
    engine,
    environment: environmentOf(facts.environment),
    program: argv[0] ?? "",
    argv,
    command_line: argv.join(" "),
    env_names,
    network,
    egress: egressOf(facts),
    mounts: mountsOf(facts.mounts),
    controls,
    limits,
    same_node,
    data_is_clean,
    // Looked for here too: a caller that forgot to look must not let an upload through.
    upload_commands: [...new Set([...facts.upload_commands, ...uploadCommandsIn(argv)])],
    denied_licences: facts.denied_licences,
    budget: budgetOf(facts.budget),
    critical_vulnerabilities: facts.critical_vulnerabilities,
  };
}

function environmentOf({ name, digest, reference }: AdmissionFacts["environment"]) {
  const isByDigest = digest !== null && (reference === digest || reference.endsWith(`@${digest}`));
  return { name, reference, digest: digest ?? "", by_digest: isByDigest };
}

function egressOf({ egress, mounts }: AdmissionFacts) {
  const hosts = [...new Set(egress.hosts)];
  return {
    mode: egress.mode,
    hosts,
    host_count: hosts.length,
    bad_hosts: hosts.filter(isBadHost),
    attached: mounts.some(({ kind }) => kind === "proxy"),
  };
}

/** Where each kind of mount belongs; a system's own programs and the proxy's socket have no such place. */
const PLACES: Readonly<Partial<Record<MountFacts["kind"], string>>> = {
  input: WORKSPACE.input,
  data: WORKSPACE.data,
  output: WORKSPACE.output,
};
const WRITABLE: readonly MountFacts["kind"][] = ["data", "output", "proxy"];

function mountsOf(mounts: readonly MountFacts[]) {
  const sourcesOf = (which: (mount: MountFacts) => boolean) =>
    mounts.filter(which).map(({ source }) => source);
  return {
    sources: mounts.map(({ source }) => source),
    targets: mounts.map(({ target }) => target),
    secret: mounts.flatMap(({ source, secret }) =>
      secret === null ? [] : [`${source}: ${secret}`],
    ),
    remote: sourcesOf(({ remote }) => remote),
    foreign: sourcesOf(isForeign),
    overwritable: sourcesOf(({ writable, kind }) => writable && !WRITABLE.includes(kind)),
  };
}

function isForeign({ kind, target }: MountFacts): boolean {
  const place = PLACES[kind];
  // A target such as /workspace/input/../../etc is compared in the form the engine would use.
  const where = posix.normalize(target);
  const isInWorkspace = isAtOrBelow(where, WORKSPACE.root);
  // What is no part of the workspace must not be laid over it either.
  return place === undefined ? isInWorkspace && kind === "system" : !isAtOrBelow(where, place);
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function budgetOf({ spent_thousandths, ceiling_thousandths }: AdmissionFacts["budget"]) {
  return {
    known: spent_thousandths !== null && ceiling_thousandths !== null,
    spent_thousandths: spent_thousandths ?? 0,
    ceiling_thousandths: ceiling_thousandths ?? 0,
  };
}

type Output = Extract<AdmissionFacts, { moment: "complete" }>["output"];

function outputOf({ secret_files, unreviewed_flags, missing_sidecars, deliveries }: Output) {
  const destinationsOf = (which: (delivery: Output["deliveries"][number]) => boolean) =>
    deliveries.filter(which).map(({ destination }) => destination);
  return {
    secret_files,
    unreviewed_flags,
    missing_sidecars,
    deliveries: {
      sinks: [...new Set(deliveries.map(({ sink }) => sink))],
      destinations: destinationsOf(() => true),
      unlisted: destinationsOf(({ listed }) => !listed),
      by_task: destinationsOf(({ by }) => by === "task"),
      unencrypted: destinationsOf(({ encrypted }) => !encrypted),
      unlogged: destinationsOf(({ logged }) => !logged),
      unsigned: destinationsOf(({ signed }) => !signed),
    },
  };
}
