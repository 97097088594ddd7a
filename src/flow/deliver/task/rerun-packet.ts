import {
  counted,
  decodeUtf8,
  messageOf,
  parseJson,
  SwornError,
  visible,
} from "../../../base/index.ts";
import type { Repository } from "../../../repo/index.ts";
import { Plan } from "../../../schema/plan.ts";
import { TryWork, WorkReport } from "../../../schema/work.ts";
import type { ProofOutcome } from "../../../schema/work-proof.ts";
import { openPacket, PacketRecord, readTaskPacket } from "../../../verify/packet/index.ts";
import { filesOf, type Prover } from "../../work/work-parts.ts";

const JSON_BYTES_MAX = 64 << 20;
const DIFF_BYTES_MAX = 64 << 20;
const LINE_CHARS_MAX = 200;

/** One check, as the packet says it came out and as it comes out here. */
export interface RerunCheck {
  readonly subtask: string;
  readonly kind: string;
  readonly recorded: ProofOutcome["verdict"];
  /** Null where it cannot be made again: an opinion is not a check. */
  readonly now: ProofOutcome["verdict"] | null;
  readonly reason: string;
  /** The first line in which what it prints differs, such as a time that it took; null where nothing does. */
  readonly printed: { readonly recorded: string; readonly now: string } | null;
}

/** What came of making the checks of a packet again. */
export interface RerunReport {
  /** Whether the change comes to the very tree that the packet names. */
  readonly isSameTree: boolean;
  readonly checks: readonly RerunCheck[];
  /** What differs, in words; nothing of what could not be made again does. */
  readonly differs: readonly string[];
}

/** Where the checks are made again. */
export interface RerunScene {
  readonly repository: Repository;
  readonly prover: Prover;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
}

/**
 * Makes every check of a packet again, on the change as it is in the packet, put onto the commit that it
 * began with. The packet has to be one that verified; the project has to be here, with that commit.
 *
 * @throws SwornError `NOT_FOUND` when the commit is not here.
 */
export async function rerunPacket(path: string, scene: RerunScene): Promise<RerunReport> {
  const { repository } = scene;
  const packet = openPacket(path);
  try {
    const read = readTaskPacket(packet);
    if (typeof read === "string") throw new SwornError("BUNDLE_MALFORMED", read);
    const { start, tree, work } = read.head;
    await assertHere(repository, start);
    const json = (name: string) =>
      parseJson(decodeUtf8(packet.read(name, JSON_BYTES_MAX)), JSON_BYTES_MAX);
    const isChecked = read.head.kind === "task";
    const report = WorkReport.parse(json("report.json"));
    const maker = repository.commitMaker();
    const patch = packet.read("change.diff", DIFF_BYTES_MAX);
    const after = await maker.withPatch(start, patch, `packet of work ${work}`);
    // Nothing of git's own keeps an unnamed commit while the checks run.
    await maker.point(`refs/sworn/rerun/${work}`, after);
    const isSameTree = (await repository.commitFacts(after)).tree === tree;
    if (!isSameTree) {
      const differs = [`the change comes to another tree than ${tree}`];
      return { isSameTree, checks: [], differs };
    }
    // What a session claims was never a check, and there is nothing to make again.
    if (!isChecked) return { isSameTree, checks: [], differs: [] };
    const plan = Plan.parse(json("plan.json"));
    const window = packet.members.get("record.tar");
    if (window === undefined) throw new SwornError("BUNDLE_MALFORMED", "record.tar is missing");
    const record = await PacketRecord.open(path, window);
    try {
      const checks = await checksOf({ ...scene, plan, report, record, start, after });
      return { isSameTree, checks, differs: checks.flatMap(differenceOf) };
    } finally {
      record.close();
    }
  } finally {
    packet.close();
  }
}

async function assertHere(repository: Repository, start: string): Promise<void> {
  try {
    await repository.commitFacts(start);
  } catch (cause) {
    const message = `commit ${start} is not in this repository; run it in a clone of the project that has it: ${messageOf(cause)}`;
    throw new SwornError("NOT_FOUND", message, { cause });
  }
}

async function checksOf(
  about: RerunScene & {
    readonly plan: Plan;
    readonly report: WorkReport;
    readonly record: PacketRecord;
    readonly start: string;
    readonly after: string;
  },
): Promise<RerunCheck[]> {
  const { plan, report, record, prover, start: before, after, signal, onStep } = about;
  const checks: RerunCheck[] = [];
  const files = filesOf(plan);
  for (const subtask of plan.subtasks) {
    const tries = report.subtasks.find(({ id }) => id === subtask.id)?.tries ?? [];
    const shown = tries.find(({ status }) => status === "proven") ?? tries.at(-1);
    if (shown === undefined) continue;
    onStep(`${subtask.id}: ${counted(subtask.proofs.length, "check")} again`);
    const left = TryWork.optional().parse(record.json(`${shown.execution}.work`));
    const scene = { before, after, output: left?.output?.text, files, signal, onStep };
    const found = await prover.prove(subtask, scene);
    checks.push(
      ...shown.proofs.map(({ proof, verdict, output: said }, at): RerunCheck => {
        const again = proof.kind === "judge" ? undefined : found[at];
        return {
          subtask: subtask.id,
          kind: proof.kind,
          recorded: verdict,
          now: again?.verdict ?? null,
          reason: again?.reason ?? "an opinion, which is not asked for again",
          printed: again === undefined ? null : firstDifference(said, again.output),
        };
      }),
    );
  }
  return checks;
}

/** Records keep the beginning of what was printed, so that no more than that can be compared. */
function firstDifference(recorded: string, now: string): RerunCheck["printed"] {
  const [old, found] = [recorded, now.slice(0, recorded.length)].map((text) => text.split("\n"));
  const at = old?.findIndex((line, index) => line !== found?.[index]) ?? -1;
  if (at < 0) return null;
  const cut = (line = "") => visible(line).slice(0, LINE_CHARS_MAX);
  return { recorded: cut(old?.[at]), now: cut(now.split("\n")[at]) };
}

function differenceOf({ subtask, kind, recorded, now, reason }: RerunCheck): string[] {
  return now === null || now === recorded
    ? []
    : [`${subtask}, ${kind}: recorded ${recorded}, now ${now}: ${reason}`];
}
