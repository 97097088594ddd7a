import { counted } from "../base/index.ts";
import type { Aborted, Changed, Validated } from "../flow/validate/judge-contract.ts";
import type { ReviewerOutcome } from "../schema/review.ts";
import type { Answer } from "./io.ts";
import { table } from "./table.ts";

/** How many lines of one kind a person is shown; all of them are in the JSON. */
const LISTED_MAX = 20;
const LINE_CHARS_MAX = 300;

/** No file at all: something went wrong for everybody, and there is nothing to judge. */
export function abortedAnswer({ opened, folder, ...look }: Aborted, waited: boolean): Answer {
  const teammates = look.deliverables.map(({ name, status, reasons }) => ({
    name,
    status,
    reasons,
  }));
  const words = [
    `sworn: FAILED: ${look.reason}`,
    `  looked in ${folder}`,
    ...teammates.map(({ name, reasons }) => line(`  ${name}: ${reasons.join("; ")}`)),
    ...look.warnings.map((warning) => line(`  warning: ${warning}`)),
    ...(waited ? [] : ["  agents that are still at work are waited for with --wait"]),
  ];
  const json = {
    status: "failed",
    reason: look.reason,
    workflow: opened.contract.workflow,
    folder,
    teammates,
    warnings: look.warnings,
  };
  return { exit: 1, json, words: words.join("\n") };
}

/** The contract was changed under way: whoever did that decides what would be judged. */
export function changedAnswer({ opened, expected }: Changed): Answer {
  const { path, digest } = opened;
  const words = [
    "FAILED: the contract was changed after it was made; nothing was judged",
    `  ${path}`,
    `  expected sha256 ${expected}, found ${digest}`,
    'Next: put back the contract as "sworn contract" wrote it, or make a new one',
  ];
  const reason = "the contract was changed after it was made";
  const json = { status: "failed", reason, contract: path, expected, found: digest };
  return { exit: 4, json, words: words.join("\n") };
}

/** What a team's work came to: what is made up weighs more than what is missing. */
export function validatedAnswer(outcome: Validated): Answer {
  const { report, injected, lateGaps, questions, files } = outcome;
  const sum = (of: (reviewer: ReviewerOutcome) => number): number =>
    report.reviewers.reduce((total, reviewer) => total + of(reviewer), 0);
  const summary = {
    complete: sum(({ status }) => Number(status === "complete")),
    teammates: report.reviewers.length,
    confirmed: sum(({ confirmed }) => confirmed),
    inaccurate: sum(({ inaccurate }) => inaccurate),
    hallucinated: sum(({ hallucinated }) => hallucinated),
    unverified: sum(({ unverified }) => unverified),
    injected: injected.length,
    gaps: report.gaps.length,
  };
  const isMadeUp = summary.hallucinated > 0 || summary.injected > 0;
  const json = {
    status: report.status,
    workflow: outcome.opened.contract.workflow,
    folder: outcome.folder,
    commit: report.subject.head,
    summary,
    teammates: teammatesOf(outcome),
    injected: injected.map(({ id, title, file, why }) => ({ id, title, file, why })),
    gaps: report.gaps,
    questions,
    second_look: outcome.spotChecks.map(({ reviewer, findings, of }) => ({
      reviewer,
      findings: findings.map(({ finding }) => finding.id),
      of,
    })),
    self_review: report.self_review,
    notes: report.notes,
    warnings: warningsOf(outcome),
    retry_at: outcome.retryAt ?? null,
    files: { completion: files.completion, inline: files.inline, bound: files.bound },
  };
  return {
    exit: isMadeUp ? 4 : lateGaps > 0 ? 3 : 0,
    json,
    words: words(outcome, summary).join("\n"),
  };
}

function teammatesOf({ report, deliverables, ended }: Validated) {
  return report.reviewers.map((reviewer) => {
    const { reasons = [], impact = "" } =
      deliverables.find(({ name }) => name === reviewer.name) ?? {};
    return { ...reviewer, reasons, impact, ended: ended.get(reviewer.name) ?? null };
  });
}

/** What a contract may lack without anybody missing it. */
const UNMISSED = ["aggregator", "context_engineering"];

function warningsOf({ opened, warnings }: Validated): string[] {
  const { ignored } = opened;
  const absent = opened.absent.filter((field) => !UNMISSED.includes(field));
  return [
    ...warnings,
    ...(ignored.length === 0 ? [] : [`fields of the contract left aside: ${ignored.join(", ")}`]),
    ...(absent.length === 0 ? [] : [`the contract lacks: ${absent.join(", ")}`]),
  ];
}

function words(outcome: Validated, summary: Record<string, number>): string[] {
  const { report, injected, questions, files } = outcome;
  const lies = report.refuted.map(
    ({ by, finding, reason }) => `${by} ${finding.id} ${finding.title}: ${reason}`,
  );
  return [
    table(HEAD, rowsOf(outcome)),
    ...listed("Made up", lies),
    ...listed(
      "Injected into the bound document, and refused",
      injected.map(({ id, title, file, why }) => `${id} ${title} (${file}): ${why}`),
    ),
    ...listed(
      "Gaps",
      report.gaps.map(
        ({ what, who, why }) => `${who === undefined ? "" : `${who}: `}${what}: ${why}`,
      ),
    ),
    ...listed(
      "Questions",
      questions.map(({ by, to, text, heard }) => {
        const whom =
          to === "person" ? "for a person" : heard ? "for the lead" : "not heard, one too many";
        return `${by} (${whom}): ${text}`;
      }),
    ),
    ...listed(
      "Self-review",
      report.self_review
        .filter(({ health }) => health !== "healthy")
        .map(({ reviewer, health, notes }) => `${reviewer}: ${health}: ${notes.join("; ")}`),
    ),
    ...listed("Notes", [...report.notes, ...warningsOf(outcome)]),
    "",
    `${report.status}: ${summary["complete"]} of ${counted(summary["teammates"] ?? 0, "teammate")} complete; ` +
      `${summary["confirmed"]} confirmed, ${summary["inaccurate"]} inaccurate, ${summary["hallucinated"]} made up, ` +
      `${summary["unverified"]} not checked, ${summary["injected"]} injected, against ${report.subject.head.slice(0, 12)}`,
    `Wrote ${files.completion}${files.bound === null ? "" : `; the bound document is ${files.bound}`}`,
    ...nextOf(outcome),
  ];
}

const HEAD = [
  "TEAMMATE",
  "STATUS",
  "FINDINGS",
  "CONFIRMED",
  "INACCURATE",
  "MADE UP",
  "UNCHECKED",
  "IMPACT",
];

function rowsOf(outcome: Validated): string[][] {
  return teammatesOf(outcome).map((one) => [
    one.name,
    one.status,
    String(one.p1 + one.p2 + one.p3),
    String(one.confirmed),
    String(one.inaccurate),
    String(one.hallucinated),
    String(one.unverified),
    line(one.hallucinated > 0 ? "unreliable: everything it wrote is in doubt" : one.impact),
  ]);
}

function nextOf({ spotChecks, deliverables, isBoundShort, files, retryAt }: Validated): string[] {
  const open = deliverables.filter(({ status }) => status !== "complete");
  const looks = spotChecks.reduce((total, { findings }) => total + findings.length, 0);
  return [
    ...(open.length === 0
      ? []
      : [
          `Next: have ${open.map(({ name }) => name).join(", ")} deliver what is missing, then validate again`,
        ]),
    ...(retryAt === undefined
      ? []
      : [
          `Next: validate again after ${retryAt}; until then a check that kept failing is not made`,
        ]),
    ...(isBoundShort ? [`Next: remove ${files.bound} to have it bound anew`] : []),
    ...(looks === 0 ? [] : [`Worth a second look by another agent: ${counted(looks, "finding")}`]),
  ];
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - LISTED_MAX;
  return [
    "",
    `${title}:`,
    ...lines.slice(0, LISTED_MAX).map((one) => line(`  ${one}`)),
    ...(more > 0 ? [`  and ${more} more; --json has them all`] : []),
  ];
}

function line(text: string): string {
  const flat = text.replaceAll("\n", " ");
  return flat.length <= LINE_CHARS_MAX ? flat : `${flat.slice(0, LINE_CHARS_MAX - 1)}…`;
}
