import { renderTome } from "../../deliver/index.ts";
import type { CheckedFinding, Verdict } from "../../schema/finding.ts";
import type { ReviewReport } from "../../schema/review.ts";
import type { CheckedPart } from "./check-parts.ts";
import type { FindingCheck, ReviewerOutput, ReviewRecord } from "./record.ts";

/** Everything said and found goes into the record; only then is it the review's outcome. */
export async function recordOutcome(
  record: ReviewRecord,
  parts: readonly CheckedPart[],
  report: ReviewReport,
): Promise<void> {
  const isMissing = ({ part }: CheckedPart) => part.standing.status === "missing";
  for (const { part } of parts.filter(isMissing)) {
    await record.failed(part.reviewer.name, part.standing.note ?? "it handed in nothing");
  }
  const outputs = parts.filter((part) => !isMissing(part)).map(toOutput);
  for (const output of outputs) await record.finished(output, output.claim);
  if (report.status === "cancelled") {
    await record.abort("cancelled by the user; what was found until then is recorded");
    return;
  }
  for (const output of outputs) await record.claim(output);
  const summary = summaryOf(report);
  await record.bind(
    `${JSON.stringify({ reviewers: outputs.map(({ name }) => name) })}\n`,
    [
      { name: "report.json", text: `${JSON.stringify(report)}\n`, media_type: "application/json" },
      { name: "tome.md", text: renderTome(report), media_type: "text/markdown" },
    ],
    summary,
  );
  const standing = outputs.filter(({ refuted }) => refuted === undefined).map(({ name }) => name);
  await record.conclude(standing, summary);
}

function toOutput({ part, output }: CheckedPart): ReviewerOutput {
  const { name, findings } = part.reviewer;
  const lies = findings.filter(({ verdict }) => verdict === "HALLUCINATED");
  const verdicts = findings.map(({ finding, verdict, reason, found, identity }) => ({
    id: finding.id,
    verdict,
    reason,
    ...(found === undefined ? {} : { found }),
    identity,
  }));
  const refuted =
    lies.length === 0
      ? {}
      : {
          refuted: `${lies.length} of ${findings.length} findings are not in the source: ${lies[0]?.reason}`,
        };
  return {
    name,
    output,
    verdicts: `${JSON.stringify({ verdicts })}\n`,
    checks: findings.map(toCheck),
    claim: claimOf(part),
    ...ownWord(part),
    ...refuted,
  };
}

function toCheck({ finding, verdict, reason, found, identity }: CheckedFinding): FindingCheck {
  const [cited] = finding.citations;
  return {
    finding_id: plain(finding.id),
    verdict,
    identity,
    place: plain(`${cited?.file}${cited?.line === undefined ? "" : `:${cited.line}`}`),
    ...(found === undefined ? {} : { found: plain(`${found.file}:${found.line}`) }),
    reason: plain(reason || verdict),
  };
}

/** Reports are somebody else's: half a character in one must not end the recording. */
function plain(text: string): string {
  return text.toWellFormed();
}

/** What its findings come to; for somebody else's agent it is we who speak, so only what we know. */
function claimOf({ reviewer: { name, findings } }: CheckedPart["part"]): string {
  const count = (verdict: Verdict) => findings.filter((one) => one.verdict === verdict).length;
  const counts = `${count("CONFIRMED")} confirmed, ${count("INACCURATE")} inaccurate, ${count("HALLUCINATED")} made up, ${count("UNVERIFIED")} not checkable`;
  const said = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
  return `${name} reports ${said}: ${counts}`;
}

/** A program repeats itself exactly; an agent is as sure as it says, and says so in its Seal alone. */
function ownWord({ reviewer }: CheckedPart["part"]): Pick<ReviewerOutput, "confidence"> {
  return { confidence: reviewer.kind === "analyser" ? 100 : (reviewer.ownConfidence ?? 0) };
}

function summaryOf({ findings, refuted, gaps }: ReviewReport): string {
  const count = (priority: string) =>
    findings.filter(({ finding }) => finding.priority === priority).length;
  return `${count("P1")} P1, ${count("P2")} P2, ${count("P3")} P3; ${refuted.length} refuted by the source; ${gaps.length === 1 ? "1 gap" : `${gaps.length} gaps`}`;
}
