import { canonicalize, sha256Hex } from "../../base/index.ts";
import { type BlobReader, type Environment, Repository } from "../../repo/index.ts";
import type { ReviewReport } from "../../schema/review.ts";
import {
  type AskedQuestion,
  circuitsOf,
  completionSteps,
  type Deliverable,
  type Ended,
  startWorkflow,
} from "../../verify/contract/index.ts";
import { type SpotCheckPlan, spotCheckPlan } from "../../verify/team/index.ts";
import { sourceTree } from "../change/source-tree.ts";
import type { Place } from "../place.ts";
import type { Part } from "../review/make-report.ts";
import { type Injected, readBound } from "./bound-document.ts";
import { Breakers } from "./breaker-memory.ts";
import { type OpenedContract, openContract } from "./contract-file.ts";
import { standingOf } from "./contract-memory.ts";
import { hasFindings } from "./deliveries.ts";
import { judgeTeam, unreadGaps, unverifiedGaps } from "./judge-team.ts";
import { type Look, lookForFiles } from "./look-for-files.ts";
import { endState, readState } from "./state-file.ts";
import { teamReport } from "./team-report.ts";
import { checkTruth } from "./truth-check.ts";
import { unassignedIn } from "./uncovered.ts";
import { settleBound, type WrittenFiles, writeOutcome } from "./write-outcome.ts";

const NO_FINDINGS =
  "the contract turns verification off: nothing that these files say was held against the source";

/** Which contract is to be judged, and against which source. */
export interface JudgeRequest {
  /** The path of `inscription.json`. */
  readonly contract: string;
  /** A folder in the repository that the team worked on. */
  readonly repository: string;
  /** The commit the findings are about; the current one where nobody says. */
  readonly at?: string | undefined;
  /** Look again, as the format says, while no file is there. */
  readonly wait: boolean;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly placeFor: (root: string) => Place;
  readonly onProgress: (step: JudgeStep) => void;
  /** Given by tests, which do not sleep. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What a person can be told while it runs. */
export type JudgeStep =
  | { readonly kind: "waiting"; readonly seconds: number }
  | { readonly kind: "checking"; readonly done: number };

/** Nothing was there to be judged. It is a failure, and never an empty result. */
export interface Aborted extends Extract<Look, { kind: "abort" }> {
  readonly opened: OpenedContract;
  readonly warnings: readonly string[];
}

/** The contract is not the one that was made: what is owed is not known, and nothing is judged. */
export interface Changed {
  readonly kind: "changed";
  readonly opened: OpenedContract;
  readonly expected: string;
}

/** What a team's work came to. */
export interface Validated {
  readonly kind: "validated";
  readonly opened: OpenedContract;
  readonly folder: string;
  readonly report: ReviewReport;
  readonly deliverables: readonly Deliverable[];
  readonly ended: ReadonlyMap<string, Ended>;
  readonly injected: readonly Injected[];
  readonly questions: readonly AskedQuestion[];
  /** What a second agent should look at; empty where the contract asks for no second look. */
  readonly spotChecks: readonly SpotCheckPlan[];
  /** What went wrong since the contract was made: a file nobody was to read is not among it. */
  readonly lateGaps: number;
  /** Whether the bound document lost something that the team's files have. */
  readonly isBoundShort: boolean;
  /** When everything is asked again, where a check is left alone because it kept failing. */
  readonly retryAt: string | undefined;
  readonly files: WrittenFiles;
  readonly warnings: readonly string[];
}

/**
 * Judges what a team delivered, whoever ran it: is anything there, is each file in order, who said
 * what, is it true, and what is missing. Writes the outcome beside the contract. The source is read
 * from git's objects; the team's files are read and never believed.
 *
 * @throws SwornError `NOT_FOUND`, `INPUT_INVALID`, `LIMIT_EXCEEDED` for a contract or a repository
 * that cannot be read.
 */
export async function judgeContract(request: JudgeRequest): Promise<Aborted | Changed | Validated> {
  const opened = openContract(request.contract);
  const repository = await Repository.open(request.repository, request);
  const blobs = repository.openBlobs();
  try {
    const commit = await repository.resolveCommit(request.at ?? "HEAD");
    const place = request.placeFor(repository.root);
    const standing = standingOf(place, opened.path, opened.digest);
    if (standing.kind === "changed") {
      return { kind: "changed", opened, expected: standing.expected };
    }
    const look = await lookForFiles(opened, {
      ...request,
      root: repository.root,
      onWait: (seconds) => request.onProgress({ kind: "waiting", seconds }),
    });
    if (look.kind === "abort") return abort(opened, look, request.wait, place);
    const judged = await judge(request, { opened, look, repository, blobs, commit, place });
    if (standing.kind === "unchanged") return judged;
    return { ...judged, warnings: [...standing.warnings, ...judged.warnings] };
  } finally {
    await blobs.close();
    repository.close();
  }
}

interface Scene {
  readonly opened: OpenedContract;
  readonly look: Extract<Look, { kind: "found" }>;
  readonly repository: Repository;
  readonly blobs: BlobReader;
  readonly commit: string;
  readonly place: Place;
}

/** One look may have come too early; only after all looks of the format has the run failed for good. */
function abort(
  opened: OpenedContract,
  look: Extract<Look, { kind: "abort" }>,
  isFinal: boolean,
  place: Place,
): Aborted {
  const { state, warnings } = readState(opened.folder);
  const started = state ?? startOf(opened, place);
  const more = isFinal ? endState(opened.folder, started, "failed", [look.reason]) : [];
  return { ...look, opened, warnings: [...warnings, ...more] };
}

async function judge(request: JudgeRequest, scene: Scene): Promise<Validated> {
  const { opened, look, place } = scene;
  const { contract } = opened;
  const breakers = new Breakers(place, circuitsOf(contract), opened.digest);
  const before = readState(opened.folder);
  const state = before.state ?? startOf(opened, place);
  const unassigned = unassignedIn(state.gaps);
  const team = judgeTeam(opened, look.deliveries, unassigned, { breakers, nowMs: place.clock() });
  const truth = await truthOf(request, scene, breakers);
  breakers.remember();
  const waits = breakers.waits();
  const unchecked = [
    ...(truth.gaps.length > 0 ? truth.gaps : unverifiedGaps(truth.checked)),
    ...unreadGaps(look.deliveries),
  ];
  const { report, parts } = await teamReport({
    ...team,
    contract,
    // Without a nonce of its own the run can be told from no other; the text still needs one.
    nonce: contract.nonce ?? sha256Hex(canonicalize(contract)).slice(0, 32),
    subject: subjectOf(scene),
    checked: truth.checked,
    gaps: [...team.gaps, ...unchecked],
    unassigned: unassigned.length,
    tree: truth.tree,
  });
  const said = [...truth.checked.values()].flat();
  const bound = settleBound(readBound(look.folder, contract, said), report);
  const whole = bound.report;
  const files = writeOutcome({ ...scene, report: whole, bound, team, said, place });
  const status = whole.status === "cancelled" ? "failed" : whole.status;
  return {
    kind: "validated",
    opened,
    folder: look.folder,
    report: whole,
    deliverables: team.deliverables,
    ended: team.ended,
    injected: bound.injected,
    questions: team.questions,
    spotChecks: spotChecksOf(opened, parts),
    lateGaps: team.lateGaps.length + unchecked.length + bound.gaps.length,
    isBoundShort: bound.gaps.length > 0,
    retryAt: waits
      .map(({ until }) => until)
      .toSorted()
      .at(-1),
    files,
    warnings: [
      ...before.warnings,
      ...breakers.warnings,
      ...waits.map(({ words }) => words),
      ...bound.notes,
      ...(hasFindings(contract) ? [] : [NO_FINDINGS]),
      ...endState(opened.folder, state, status, files.gapLines),
    ],
  };
}

function truthOf(request: JudgeRequest, scene: Scene, breakers: Breakers) {
  const { look, repository, blobs, commit, place } = scene;
  return checkTruth({
    said: look.deliveries.map(({ teammate, report }) => ({
      name: teammate.name,
      findings: report?.findings ?? [],
    })),
    open: () => sourceTree(repository, blobs, commit),
    breaker: breakers.layer2,
    clock: place.clock,
    signal: request.signal,
    onProgress: (done) => request.onProgress({ kind: "checking", done }),
    onTrial: () => breakers.remember(),
  });
}

function startOf({ contract }: OpenedContract, place: Place) {
  const started = contract.timestamp ?? new Date(place.clock()).toISOString();
  return startWorkflow(
    started,
    contract.teammates.map(({ output_file }) => output_file),
  );
}

function subjectOf({ repository, commit, opened }: Scene): ReviewReport["subject"] {
  const name = repository.root.split(/[/\\]/).at(-1) ?? "";
  const range = `${opened.contract.output_dir} at ${commit.slice(0, 12)}`;
  return {
    repository: name.slice(0, 200),
    base: null,
    head: commit,
    range: range.slice(0, 2_000),
  };
}

function spotChecksOf({ contract }: OpenedContract, parts: readonly Part[]): SpotCheckPlan[] {
  if (!completionSteps(contract).includes("second-look")) return [];
  return parts
    .map(({ reviewer, standing }) =>
      spotCheckPlan(reviewer, { inlineFailed: standing.status !== "complete" }),
    )
    .filter(({ findings }) => findings.length > 0);
}
