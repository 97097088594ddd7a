import { basename } from "node:path";
import type { CheckedFinding, Finding } from "../../schema/finding.ts";
import type { Gap } from "../../schema/review.ts";
import { allSaid, standing } from "../check/places-beside.ts";
import { type UnseenClaim, unseenClaims } from "../check/unseen-claims.ts";
import { splitByChange } from "./in-change.ts";
import type { Part } from "./make-report.ts";
import { numberFindings } from "./number-findings.ts";
import type { ReportPart } from "./report-part.ts";
import { sealNotes } from "./seal-notes.ts";
import type { SubjectFile } from "./subject.ts";
import type { BuiltInOutcome } from "./tally.ts";

const UNHEARD =
  'no finding was recognised in this report, so that nothing of it was checked; "sworn check" says what it expects';

/** Checks findings against the source, and answers in their order. */
export type Check = (findings: readonly Finding[]) => Promise<CheckedFinding[]>;

/** A reviewer's part with what it handed in, word for word. */
export interface CheckedPart {
  readonly part: Part;
  readonly output: { readonly text: string; readonly mediaType: string };
}

/** Holds everything that was said against the source, the built-in reviewers' words included. */
export async function checkParts(
  outcomes: readonly BuiltInOutcome[],
  reports: readonly ReportPart[],
  files: readonly SubjectFile[],
  check: Check,
  isKnown: (finding: CheckedFinding) => boolean,
): Promise<{ readonly parts: CheckedPart[]; readonly notes: string[] }> {
  const parts: CheckedPart[] = [];
  const notes: string[] = [];
  const builtIn = outcomes.map((outcome) => ({
    outcome,
    ...(outcome.isAboutChange
      ? { touched: outcome.findings, older: 0 }
      : splitByChange(outcome.findings, files)),
  }));
  // All at once, because what the cited files do not settle takes a pass over the whole tree.
  const answers = await check([
    ...builtIn.flatMap(({ touched }) => touched),
    ...reports.flatMap(({ report }) => allSaid(report)),
  ]);
  for (const { outcome, touched, older } of builtIn) {
    notes.push(...outcome.notes.map((note) => `${outcome.name}: not checked: ${note}`));
    if (older > 0) {
      notes.push(
        `${outcome.name}: ${older === 1 ? "1 finding" : `${older} findings`} in lines this change does not touch; see "sworn audit"`,
      );
    }
    const judged = answers.splice(0, touched.length);
    const { said, checked } = numberFindings(judged, outcome.prefix, isKnown);
    parts.push(builtInPart(outcome, said, checked));
  }
  for (const said of reports) {
    const checked = standing(said.report, answers.splice(0, allSaid(said.report).length));
    // One report under two names is not borne out by itself.
    const family = reports.find(({ text }) => text === said.text)?.name ?? said.name;
    const part = agentPart({ ...said, family }, files.length, checked);
    notes.push(...sealNotes(said.name, said.report, said.text));
    notes.push(...claimNotes(said.name, unseenClaims(said.report, said.text)));
    parts.push({ part, output: { text: said.text, mediaType: "text/plain" } });
  }
  return { parts, notes };
}

/** What nobody saw run, for people to read beside the findings. */
export function claimNotes(name: string, claims: readonly UnseenClaim[]): string[] {
  return claims.map(({ text, reason }) => `${name}: unverified "${text}": ${reason}`);
}

function builtInPart(
  outcome: BuiltInOutcome,
  said: readonly Finding[],
  findings: readonly CheckedFinding[],
): CheckedPart {
  const { name, role, filesGiven, filesRead } = outcome;
  return {
    part: {
      reviewer: {
        name,
        kind: "analyser",
        family: `sworn-${name}`,
        findings,
        filesGiven,
        filesRead,
        log: [],
        selfReviewed: false,
      },
      standing: { role, ...howFar(outcome), unread: 0 },
      unread: [],
    },
    output: { text: `${JSON.stringify({ findings: said })}\n`, mediaType: "application/json" },
  };
}

/** Who was stopped did not fail, and is not done either: it was not given all that it would have been. */
function howFar({ filesGiven, filesRead, isStopped }: BuiltInOutcome) {
  const failed = filesGiven - filesRead;
  if (failed === 0 && !isStopped) return { status: "complete" } as const;
  const status = filesRead === 0 ? "missing" : "partial";
  const note = isStopped
    ? "the review was stopped"
    : `it failed on ${failed} of ${filesGiven} files`;
  return { status, note } as const;
}

/** A report of which nothing was understood is a part that nobody reviewed. */
export function unheardGaps(reports: readonly ReportPart[]): Gap[] {
  return reports.flatMap(({ name, path, isUnheard }) =>
    isUnheard ? [{ what: basename(path), who: name, why: UNHEARD }] : [],
  );
}

/** The part of an agent that somebody else ran. */
export function agentPart(
  {
    name,
    report,
    isUnheard,
    family = name,
  }: Pick<ReportPart, "name" | "report" | "isUnheard"> & { family?: string },
  filesGiven: number,
  findings: readonly CheckedFinding[],
): Part {
  const { seal, selfReview, unread } = report;
  const isSealed = seal !== undefined && "seal" in seal;
  const own = isSealed ? { ownConfidence: seal.seal.confidence } : {};
  return {
    reviewer: {
      name,
      kind: "agent",
      family,
      findings,
      filesGiven,
      filesRead: null,
      log: selfReview,
      selfReviewed: isSealed && seal.seal.self_reviewed,
      ...own,
    },
    // Nobody watched it work, so its part is never more than partial.
    standing: {
      role: "A report that somebody else's agent wrote",
      status: isUnheard ? "missing" : "partial",
      note: isUnheard
        ? "no finding was recognised in its report"
        : "nobody watched this agent work",
      unread: unread.length,
    },
    unread,
  };
}
