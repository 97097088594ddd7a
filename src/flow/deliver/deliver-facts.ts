import { factsOfMounts } from "../../admit/index.ts";
import { counted } from "../../base/index.ts";
import type { SinkPlace } from "../../deliver/packet/index.ts";
import { summaryOf } from "../../run/manifest/index.ts";
import type { ListedSink } from "../../schema/config.ts";
import type { ComparedOutput } from "./compare-output.ts";
import type { ConcludedRun } from "./concluded-run.ts";
import type { RunSummary } from "./deliver-record.ts";

/** A sink as it was resolved on this machine. */
export interface OpenSink {
  readonly name: string;
  readonly listed: ListedSink;
  readonly place: SinkPlace;
  /** The folder itself, links followed; undefined for an address. */
  readonly folder: string | undefined;
  /** Whether it is a folder of this machine's own disks. */
  readonly isLocal: boolean;
}

/**
 * The facts of the run as it was admitted, with what it left and where that is to go. Usually there is
 * one set of them. A plain folder of this machine has two, and both must be allowed: nothing travels
 * there, as nothing does with `sworn exec --out`, so that the first names no delivery; the second is as
 * if it were encrypted, so that every other rule about destinations is asked as well.
 */
export function deliveryFacts(
  { facts }: ConcludedRun,
  { secretFiles, flagged }: ComparedOutput,
  { listed, place, isLocal }: OpenSink,
) {
  const factsWith = (deliveries: readonly object[]) => ({
    ...facts,
    moment: "complete",
    output: {
      secret_files: secretFiles,
      unreviewed_flags: flagged,
      // A file without its sidecar was refused before it came to this.
      missing_sidecars: [],
      deliveries,
    },
  });
  const delivery = {
    ...place,
    listed: true,
    by: "agent",
    encrypted: listed.recipients !== undefined,
    // Decided and recorded before anything leaves, and refused without a signature.
    logged: true,
    signed: true,
  };
  const staysHere = listed.kind === "folder" && listed.plain === true && isLocal;
  return staysHere
    ? [factsWith([]), factsWith([{ ...delivery, encrypted: true }])]
    : [factsWith([delivery])];
}

/** Whether a folder is on this machine's own disks. Fail closed: what cannot be told is elsewhere. */
export function isLocalFolder(path: string, home: string, state: string): boolean {
  const asked = { source: path, target: "/", isWritable: true, kind: "output" as const };
  const homes = [home];
  return factsOfMounts([asked], { homes, state }).every(({ remote }) => !remote);
}

/** What the decision record shows of a run; the whole manifest is in the packet, and only there. */
export function runSummary({ manifest, trace }: ConcludedRun): RunSummary {
  const summary = summaryOf(manifest);
  const { task_id, environment, files, bytes, egress_used, classification } = summary;
  const { digest, decision } = manifest.policy;
  const words = [
    `${task_id} ran in ${environment} and left ${counted(files, "file")} of ${bytes} bytes (${classification})`,
    `egress: ${egress_used === false ? "none" : egress_used}`,
    `the policies ${digest.slice(0, 12)} decided ${decision}`,
    `manifest sha256:${summary.manifest_sha256}, recorded in ${trace}`,
  ].join("; ");
  return { run: trace, words, document: { ...summary, run: trace, policy: { digest, decision } } };
}
