import { assert } from "../../base/index.ts";
import type { ParsedSeal } from "../../claim/index.ts";
import type { Contract } from "../../schema/contract.ts";
import type { CheckedFinding } from "../../schema/finding.ts";
import type { Gap, ReviewReport } from "../../schema/review.ts";
import type { SourceTree } from "../../verify/citation/index.ts";
import type { Deliverable } from "../../verify/contract/index.ts";
import { ContextReader } from "../review/context.ts";
import { makeReport, type Part } from "../review/make-report.ts";
import type { Delivered } from "./deliveries.ts";

const WORD_CHARS_MAX = 200;
const NOTE_CHARS_MAX = 1_500;
/** A scope without any of these is one file, called by its name. */
const PATTERN = /[*?[\]{}!()]/;

/** What a team's report is made of. */
export interface TeamReportInput {
  readonly contract: Contract;
  readonly nonce: string;
  readonly subject: ReviewReport["subject"];
  readonly deliveries: readonly Delivered[];
  readonly deliverables: readonly Deliverable[];
  readonly checked: ReadonlyMap<string, readonly CheckedFinding[]>;
  readonly gaps: readonly Gap[];
  /** How many files were known to have no reader before anybody started. */
  readonly unassigned: number;
  readonly notes: readonly string[];
  readonly tree: SourceTree | undefined;
}

/** Brings the team's checked findings together, each said once, with everybody who said it. */
export async function teamReport(input: TeamReportInput): Promise<{
  readonly report: ReviewReport;
  readonly parts: readonly Part[];
}> {
  const { contract, nonce, subject, gaps, notes, tree } = input;
  const parts = input.deliveries.map((one) => partOf(one, input));
  const contexts = tree === undefined ? undefined : new ContextReader(tree);
  const report = await makeReport({
    kind: contract.workflow,
    nonce,
    subject,
    parts,
    gaps,
    coverage: coverageOf(input),
    isCancelled: false,
    known: new Map(),
    notes,
    contextOf: async (finding) => (await contexts?.around(finding)) ?? { from: 1, lines: [] },
  });
  return { report, parts };
}

function partOf({ teammate, report }: Delivered, input: TeamReportInput): Part {
  const { name, role = name, file_scope } = teammate;
  const deliverable = input.deliverables.find((one) => one.name === name);
  assert(deliverable !== undefined, "every teammate's part is judged");
  const { status, reasons, notes } = deliverable;
  const note = [...reasons, ...notes].join("; ").slice(0, NOTE_CHARS_MAX);
  const unread = report?.unread ?? [];
  return {
    reviewer: {
      name,
      kind: "agent",
      // Nobody knows which models worked here; agents of one team may share their mistakes.
      family: "unknown",
      findings: input.checked.get(name) ?? [],
      filesGiven: filesOf(file_scope).length,
      filesRead: null,
      log: report?.selfReview ?? [],
      ...ownWords(report?.seal),
    },
    standing: {
      role: role.slice(0, WORD_CHARS_MAX),
      status,
      ...(note === "" ? {} : { note }),
      unread: unread.length,
    },
    unread,
  };
}

/** What an agent says of itself; it can only lower what is thought of it. */
function ownWords(seal: ParsedSeal | undefined) {
  if (seal === undefined || !("seal" in seal)) return { selfReviewed: false };
  const { self_reviewed: selfReviewed, confidence: ownConfidence } = seal.seal;
  return { selfReviewed, ownConfidence };
}

/** Files that the contract names one by one; how many a pattern means, it does not say. */
function filesOf(scope: readonly string[] = []): string[] {
  return scope.filter((glob) => !PATTERN.test(glob.replaceAll(/\\./g, "")));
}

function coverageOf({ deliveries, deliverables, unassigned }: TeamReportInput) {
  const missing = new Set(
    deliverables.filter(({ status }) => status === "missing").map(({ name }) => name),
  );
  const given = new Set(deliveries.flatMap(({ teammate }) => filesOf(teammate.file_scope)));
  const there = deliveries.filter(({ teammate }) => !missing.has(teammate.name));
  const covered = new Set(there.flatMap(({ teammate }) => filesOf(teammate.file_scope)));
  return { files: given.size + unassigned, covered: covered.size };
}
