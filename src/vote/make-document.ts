import type { CompletionDocument, DoneItem, JudgedItem } from "../schema/completion.ts";
import type { RiskClass } from "../schema/index.ts";
import type { Mitigation } from "../schema/vote.ts";
import { COVERAGE_PERCENT_MIN, type DoneFacts } from "./done-facts.ts";
import type { Kin } from "./kinship.ts";

/** What is proposed as complete. What is left out is not known, and shows as that. */
export interface CompletionRequest {
  readonly completionId: string;
  /** An address that always means the same bytes. */
  readonly artifact: string;
  /** The hash of those bytes. */
  readonly subject: string;
  readonly scope: readonly string[];
  /** The commit or build, by its hash. */
  readonly build: string;
  readonly authors: readonly Kin[];
  readonly facts: DoneFacts;
  readonly riskClass?: RiskClass | undefined;
  /** Items that somebody else decided can wait. */
  readonly deferred?: ReadonlyMap<DoneItem, string> | undefined;
  readonly specLinks?: readonly string[] | undefined;
  readonly security?: readonly string[] | undefined;
  readonly compliance?: readonly string[] | undefined;
  readonly docs?: readonly string[] | undefined;
  readonly openYellows?: readonly Mitigation[] | undefined;
  readonly lineage?: string | undefined;
  /** By hash: the context as it was, results of tests and measurements, data. */
  readonly evidence?:
    | Partial<Record<"context" | "results" | "data", readonly string[]>>
    | undefined;
  /** What tools printed, word for word. */
  readonly outputs?: readonly { readonly name: string; readonly text: string }[] | undefined;
  /** So many beats after this one the votes are needed by. */
  readonly dueBeats?: number | undefined;
  readonly revises?: string | undefined;
}

/** When it is proposed. */
export interface Moment {
  readonly at: string;
  /** By which logs and measurements of the time are found again. */
  readonly keys: CompletionDocument["evidence"]["keys"];
  /** The last beat for votes. */
  readonly dueBeat: number | undefined;
}

/** What nobody judged is not thought to be harmless. */
const RISK_UNKNOWN: RiskClass = "high";

/** All that is said of work that is proposed as complete, in one document. It is not judged here. */
export function makeDocument(
  asked: CompletionRequest,
  done: readonly JudgedItem[],
  moment: Moment,
): CompletionDocument {
  const { at, keys, dueBeat } = moment;
  return {
    v: 1,
    completion_id: asked.completionId,
    artifact: asked.artifact,
    subject: asked.subject,
    scope: [...asked.scope],
    snapshot: { at, build: asked.build },
    ...factsIn(asked),
    security: [...(asked.security ?? [])],
    compliance: [...(asked.compliance ?? [])],
    docs: [...(asked.docs ?? [])],
    open_yellows: [...(asked.openYellows ?? [])],
    evidence: { ...evidenceIn(asked), keys },
    outputs: [...(asked.outputs ?? [])],
    request: { seats: ["domain", "quality", "domain"], due_beat: dueBeat ?? null },
    done: [...done],
  };
}

function factsIn(asked: CompletionRequest) {
  const { diff, tests, budgets, traceability } = asked.facts;
  const { addresses = [], decisions = [] } = traceability ?? {};
  const provenance = {
    addresses: [asked.artifact, ...addresses],
    lineage: asked.lineage ?? "made in this trace",
  };
  return {
    links: { spec: [...(asked.specLinks ?? [])], decisions: [...decisions] },
    diff: diff === undefined ? null : diffOf(diff, asked.riskClass),
    tests: tests === undefined ? null : testsOf(tests),
    performance: [...(budgets?.measured ?? [])],
    rollback: diff === undefined || diff.rollback === "" ? null : diff.rollback,
    provenance,
  };
}

function diffOf(
  { summary, why, risks }: NonNullable<DoneFacts["diff"]>,
  risk_class: RiskClass = RISK_UNKNOWN,
) {
  const unsaid = "(not said)";
  return { summary: summary || unsaid, why: why || unsaid, risk_class, risks: [...risks] };
}

function testsOf({
  passed,
  failed,
  coverage = undefined,
  coverageMin = COVERAGE_PERCENT_MIN,
}: NonNullable<DoneFacts["tests"]>) {
  const percent = typeof coverage === "number" ? coverage : null;
  return { passed, failed, coverage: percent, coverage_min: coverageMin };
}

function evidenceIn({ evidence = {} }: CompletionRequest) {
  const { context = [], results = [], data = [] } = evidence;
  return { context: [...context], results: [...results], data: [...data] };
}
