import { counted, fenced, visible } from "../../base/index.ts";
import type { CompletionDocument, DoneItem } from "../../schema/completion.ts";
import type { Agreement } from "../../schema/task-packet.ts";
import type { WorkReport } from "../../schema/work.ts";
import {
  type ShownProof,
  shownProofs,
  testTally,
  weakenedTests,
  weakenedWords,
} from "../../view/index.ts";
import { unconfirmed } from "./unconfirmed.ts";

const EXCERPT_LINES_MAX = 120;
const ROWS_MAX = 200;
const CELL_CHARS_MAX = 300;

/** What a packet says of itself to people. */
export interface ShownTask {
  readonly report: WorkReport;
  readonly artifact: string;
  readonly commit: string;
  readonly tree: string;
  readonly recordedAt: string;
  readonly signer: string;
  readonly consensus: Agreement | null;
  /** What each reviewer said, in the agreement's order. */
  readonly votes: readonly string[];
  /** What was said of it when it was proposed as complete; null where nobody proposed it. */
  readonly completion: CompletionDocument | null;
  /** The decisions on record, one line each. */
  readonly decisions: readonly string[];
  /** Addresses of what it came from, none of which can come to mean something else. */
  readonly lineage: readonly string[];
  /** What the offline verifier said of the record. */
  readonly verification: string;
  /** How the change begins, and how many lines it has. */
  readonly diff: { readonly begin: string; readonly lines: number };
  readonly changed: readonly string[];
  readonly sbom: string;
}

/** `PACKET.md`: all that a person is told, none of which a verifier has to believe. */
export function packetPage(task: ShownTask): string {
  const { report, completion } = task;
  return `${[
    ...headLines(task),
    "## Consensus",
    "",
    ...agreementLines(task),
    "## Approval and residual risk",
    "",
    ...list(task.decisions, "No decision is on record beside the plan and its review."),
    "What nobody has shown:",
    "",
    ...list(
      unconfirmed(report, completion),
      "Nothing: every check that the plan asked for was made and passed, and so is all that done asks for.",
    ),
    "## Provenance",
    "",
    ...fields([
      ["Record", `${report.trace}, in \`record.tar\`; ${task.verification}`],
      ["Signed by", task.signer],
      ["Snapshot", `${task.recordedAt}, commit ${task.commit}`],
    ]),
    ...list(task.lineage, ""),
    "## Contents",
    "",
    "### Final proposal",
    "",
    `The plan is \`plan.json\`, sha256:${report.contract_digest}; what came of it is \`report.json\`.`,
    "",
    ...doneLines(completion),
    "### Final diff",
    "",
    `${counted(task.changed.length, "file")} in \`change.diff\`, and as one commit in \`change.patch\`:`,
    "",
    ...list(task.changed.slice(0, ROWS_MAX), ""),
    excerptOf(task.diff),
    "",
    "### Checks that the runtime made",
    "",
    ...checkTable(shownProofs(report)),
    "### Documents",
    "",
    ...list(documentsIn(task.changed), "The change touches no document."),
    "### Rollback",
    "",
    `\`git revert --no-edit ${report.start}..${task.commit}\`, or go on from ${report.start}.`,
    "",
    "## Compliance",
    "",
    ...fields([
      [
        "Secrets",
        "searched for in the change, the report and this page before anything was handed over; none was found",
      ],
      ["Licences", wordOf(completion, "licences")],
      ["Cost", wordOf(completion, "budgets")],
      ["List of parts", task.sbom],
    ]),
    "## How to verify",
    "",
    "`sworn verify <this>.packet.tar` needs neither keys nor network; `--rerun` makes the checks again in a sandbox.",
    "`minisign -V -p minisign.pub -m packet.json` checks the signature alone.",
  ].join("\n")}\n`;
}

/** What it is, and before everything else whether its tests still say what they said. */
function headLines({ report, artifact, commit, tree, recordedAt }: ShownTask): string[] {
  return [
    `# Delivery of ${line(report.task)}`,
    "",
    ...fields([
      ["Artifact", artifact],
      ["Version", `commit ${commit} (tree ${tree}), on top of ${report.start}`],
      ["Status", `${report.status}, profile ${report.profile}`],
      ["Recorded until", recordedAt],
    ]),
    ...list(weakenedWords(weakenedTests(report)), ""),
  ];
}

/** A table of checks; what others wrote is cut, and can neither end a cell nor add markup. */
export function checkTable(proofs: readonly ShownProof[]): string[] {
  if (proofs.length === 0) return ["None.", ""];
  const rows = proofs
    .slice(0, ROWS_MAX)
    .map(({ subtask, proof, verdict, reason }) => row([subtask, proof.kind, verdict, reason]));
  const left = proofs.length - rows.length;
  const { passed, failed, unproven } = testTally(proofs);
  return [
    `${passed.length} passed, ${failed.length} failed, ${unproven.length} could not be decided.`,
    "",
    row(["Subtask", "Check", "Verdict", "What was found"]),
    "| --- | --- | --- | --- |",
    ...rows,
    ...(left === 0 ? [] : [row(["…", "…", "…", `and ${left} more`])]),
    "",
  ];
}

/** A list of lines, each shown as text. */
export function list(items: readonly string[], none: string): string[] {
  if (items.length === 0) return none === "" ? [] : [none, ""];
  return [...items.slice(0, ROWS_MAX).map((item) => `- ${line(item)}`), ""];
}

/** The proposal as it was voted on, and its definition of done item by item. */
function doneLines(completion: CompletionDocument | null): string[] {
  if (completion === null) return ["It was not proposed as complete.", ""];
  const { completion_id, diff, done } = completion;
  return [
    `The completion proposal is ${line(completion_id)}${diff === null ? "." : `, of risk class ${diff.risk_class}.`}`,
    "",
    ...(diff === null ? [] : list([`What: ${diff.summary}`, `Why: ${diff.why}`], "")),
    row(["Done asks for", "State", "What was found"]),
    "| --- | --- | --- |",
    ...done.map(({ item, state, reason }) => row([item, state, reason])),
    "",
  ];
}

function wordOf(completion: CompletionDocument | null, wanted: DoneItem): string {
  const found = completion?.done.find(({ item }) => item === wanted);
  return found === undefined ? "not judged here" : `${found.state}: ${found.reason}`;
}

function agreementLines({ consensus, votes, report }: ShownTask): string[] {
  if (consensus === null) {
    return [`Nobody was asked to vote: the profile ${report.profile} does not need it.`, ""];
  }
  const { green, yellow, red, completion_id, digest, trace } = consensus;
  return [
    `${green} green, ${yellow} yellow, ${red} red on ${completion_id} (sha256:${digest}), in ${trace}.`,
    "",
    ...list(votes, "No reviewer."),
  ];
}

function documentsIn(changed: readonly string[]): string[] {
  return changed.filter((path) => /\.(?:md|rst|adoc|txt)$/i.test(path));
}

function excerptOf({ begin, lines }: ShownTask["diff"]): string {
  const shown = begin
    .split("\n")
    .slice(0, Math.min(EXCERPT_LINES_MAX, lines))
    .map((one) => visible(one.replaceAll("\t", "  ")));
  const more = lines > shown.length ? [`… ${lines - shown.length} more lines`] : [];
  return fenced("the change, its first lines", [...shown, ...more]);
}

function fields(rows: readonly (readonly [string, string])[]): string[] {
  return [...rows.map(([name, value]) => `- ${name}: ${line(value)}`), ""];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(" | ")} |`;
}

function cell(text: string): string {
  return line(text)
    .slice(0, CELL_CHARS_MAX)
    .replaceAll(/[|<>[\]!`\\]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** One line: what others wrote must neither steer a terminal nor begin a heading. */
function line(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}
