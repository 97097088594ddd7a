import { messageOf } from "../../base/index.ts";
import {
  type CheckedFinding,
  type Finding,
  type JudgedFinding,
  PRIORITIES,
} from "../../schema/finding.ts";
import type { Gap } from "../../schema/review.ts";
import { CitationChecker, identified, type SourceTree } from "../../verify/citation/index.ts";
import { type CircuitBreaker, openCircuitGap } from "../../verify/contract/index.ts";

/** How long findings may be held against the source before the rest is left unverified. */
const CHECK_MS_MAX = 15 * 60 * 1_000;
const WHAT = "findings against the source (layer 2)";
const WHY_CHARS_MAX = 500;

/** The findings of one teammate. */
interface Said {
  readonly name: string;
  readonly findings: readonly Finding[];
}

export interface TruthRequest {
  readonly said: readonly Said[];
  /** Opens the source; a failure here counts against the breaker like any other. */
  readonly open: () => Promise<SourceTree>;
  readonly breaker: CircuitBreaker;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
  /** Called when the breaker let a single try through, before that try starts. */
  readonly onTrial: () => void;
}

/** What the source says about every finding. What was not checked is unverified, and a gap says so. */
export interface TruthCheck {
  readonly checked: ReadonlyMap<string, readonly CheckedFinding[]>;
  /** Undefined where the source could not be read. */
  readonly tree: SourceTree | undefined;
  readonly gaps: readonly Gap[];
}

/**
 * Holds every finding against the source, the urgent ones first. An error of ours is no pass: it
 * leaves the rest unverified and counts against the breaker, as a check that takes too long does.
 */
export async function checkTruth(request: TruthRequest): Promise<TruthCheck> {
  const { breaker, clock, said } = request;
  if (said.every(({ findings }) => findings.length === 0)) return unverified(request, "", []);
  const answer = breaker.ask(clock());
  if (answer.kind === "open") {
    const gap = openCircuitGap(WHAT, answer);
    return unverified(request, gap.why, [gap]);
  }
  if (answer.kind === "half-open") request.onTrial();
  const verdicts = new Map<Finding, JudgedFinding>();
  let tree: SourceTree | undefined;
  try {
    tree = await request.open();
    await checkInto(verdicts, tree, request);
    breaker.succeeded();
    return { checked: collect(said, verdicts, "not checked"), tree, gaps: [] };
  } catch (error) {
    // A person who stops the run has not seen the check fail.
    request.signal.throwIfAborted();
    breaker.failed(clock());
    const why = `not checked: ${messageOf(error)}`.slice(0, WHY_CHARS_MAX);
    return { checked: collect(said, verdicts, why), tree, gaps: [{ what: WHAT, why }] };
  }
}

async function checkInto(
  verdicts: Map<Finding, JudgedFinding>,
  tree: SourceTree,
  { said, clock, signal, onProgress }: TruthRequest,
): Promise<void> {
  const checker = new CitationChecker(tree);
  const started = clock();
  const all = said.flatMap(({ findings }) => findings);
  const hear = (judged: JudgedFinding) => {
    verdicts.set(judged.finding, judged);
    onProgress(verdicts.size);
    signal.throwIfAborted();
    if (clock() - started > CHECK_MS_MAX) {
      throw new Error(`it took longer than ${CHECK_MS_MAX / 60_000} minutes`);
    }
  };
  for (const urgency of PRIORITIES) {
    const urgent = all.filter(({ priority }) => priority === urgency);
    await checker.checkAll(urgent, hear);
  }
}

function unverified({ said }: TruthRequest, why: string, gaps: readonly Gap[]): TruthCheck {
  return { checked: collect(said, new Map(), why), tree: undefined, gaps };
}

function collect(
  said: readonly Said[],
  verdicts: ReadonlyMap<Finding, JudgedFinding>,
  why: string,
): Map<string, CheckedFinding[]> {
  const checkedOf = (finding: Finding): CheckedFinding => {
    const path = finding.citations[0]?.file ?? "";
    const unchecked = { finding, verdict: "UNVERIFIED", reason: why, path } as const;
    return identified(verdicts.get(finding) ?? unchecked);
  };
  return new Map(said.map(({ name, findings }) => [name, findings.map(checkedOf)]));
}
