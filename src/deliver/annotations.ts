import { PRIORITIES } from "../schema/finding.ts";
import type { ReportedFinding, ReviewReport } from "../schema/review.ts";
import { fileUri } from "./file-uri.ts";
import { truePlace } from "./place.ts";
import { ofPriority, SUPPORT_WORDS } from "./tally.ts";
import { oneLine, visibleText } from "./visible-text.ts";

const COMMANDS = { P1: "error", P2: "warning", P3: "notice" } as const;

/**
 * The findings as workflow commands, one a line, for a runner that shows them beside the code. A
 * newline in a finding would start a command of the finding's own; every value is escaped as the
 * runner documents it.
 */
export function renderAnnotations(report: ReviewReport): string {
  const lines = PRIORITIES.flatMap((priority) => ofPriority(report, priority)).map(annotation);
  const gaps = report.gaps.map(({ what, why }) =>
    command("warning", { title: "Not covered" }, `${what}: ${why}`),
  );
  return [...lines, ...gaps].map((line) => `${line}\n`).join("");
}

function annotation(reported: ReportedFinding): string {
  const { finding, verdict, reason, support } = reported;
  const place = truePlace(reported);
  // A path that leads out of the tree is said in words and not given to the runner as a file.
  const isInside = fileUri(place.file) !== undefined;
  const message = [
    finding.issue ?? finding.title,
    ...(finding.fix === undefined ? [] : [`Fix: ${finding.fix}`]),
    `${verdict}: ${reason} Support: ${SUPPORT_WORDS[support]}.`,
  ].join("\n\n");
  return command(
    COMMANDS[finding.priority],
    {
      file: isInside ? visibleText(place.file) : undefined,
      line: isInside ? place.line : undefined,
      endLine: isInside ? place.endLine : undefined,
      title: `[${oneLine(finding.id)}] ${oneLine(finding.title)}`,
    },
    isInside ? message : `${place.file}\n\n${message}`,
  );
}

type Properties = Readonly<Record<string, string | number | undefined>>;

function command(name: string, properties: Properties, message: string): string {
  const given = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(String(value))}`)
    .join(",");
  return `::${name} ${given}::${escapeData(visibleText(message))}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
