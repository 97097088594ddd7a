import { table } from "./table.ts";

/** A finding with what the source says about it, as it is told to people and programs. */
export interface ToldFinding {
  readonly id: string;
  readonly title: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly verdict: string;
  readonly found?: { readonly file: string; readonly line: number } | undefined;
  readonly reason: string;
}

/** One report after its check. */
export interface ToldReport {
  readonly path: string;
  readonly commit: string;
  readonly findings: readonly ToldFinding[];
  /** What it says was run, such as tests that pass. */
  readonly claims: readonly {
    readonly text: string;
    readonly verdict: string;
    readonly reason: string;
  }[];
  readonly unread: readonly {
    readonly line: number;
    readonly text: string;
    readonly why: string;
  }[];
  /** How much of it was understood. */
  readonly hearing: "whole" | "partial" | "none";
}

/** What is made up, and what could not be checked, is no pass. The same words inside a run and out. */
export function checkAnswer(reports: readonly ToldReport[], drawn: typeof table = table) {
  const findings = reports.flatMap((report) => report.findings);
  const unread = reports.flatMap((report) => report.unread);
  const claims = reports.flatMap((report) => report.claims);
  const count = (verdict: string) => findings.filter((one) => one.verdict === verdict).length;
  const commit = reports[0]?.commit ?? "";
  const summary = {
    commit,
    findings: findings.length,
    confirmed: count("CONFIRMED"),
    inaccurate: count("INACCURATE"),
    hallucinated: count("HALLUCINATED"),
    unverified: count("UNVERIFIED"),
    claims: claims.length,
    unread: unread.length,
  };
  const notRead = unread.length === 0 ? "" : `, ${unread.length} not read`;
  const silent = reports.filter(({ hearing }) => hearing === "none");
  const words = [
    ...(findings.length === 0
      ? []
      : [drawn(["FINDING", "PLACE", "VERDICT", "WHY"], rowsOf(findings))]),
    ...claims.map(({ text, verdict, reason }) => `${verdict} "${text}": ${reason}`),
    ...unread.map(
      ({ line, text, why }) => `Not read, line ${line}: ${text.split("\n")[0]} (${why})`,
    ),
    `${summary.confirmed} confirmed, ${summary.inaccurate} inaccurate, ${summary.hallucinated} made up, ${summary.unverified} not checkable${notRead}, against ${commit.slice(0, 12)}`,
    ...silent.map(({ path }) => notUnderstood(path)),
  ];
  const reasons = silent.map(({ path }) => notUnderstood(path));
  const reason = reasons.length === 0 ? {} : { reason: reasons.join("\n") };
  return {
    exit: exitOf(reports),
    json: { findings, claims, unread, summary, ...reason },
    words: words.join("\n"),
  };
}

function exitOf(reports: readonly ToldReport[]): 0 | 2 | 4 {
  const isBad = reports.some(({ findings, claims }) =>
    [...findings, ...claims].some(
      ({ verdict }) => verdict === "HALLUCINATED" || verdict === "UNVERIFIED",
    ),
  );
  if (isBad) return 4;
  return reports.every(({ hearing }) => hearing === "whole") ? 0 : 2;
}

function notUnderstood(path: string): string {
  return `${path}: no finding was recognised. Expected findings such as "- **P1** \`file.js:12\` what is wrong" or "- [ ] **[SEC-001] Title** in \`file.js:12\`", each with the lines it is about copied below it into a block between \`\`\` and \`\`\`: a place alone cannot be confirmed; findings JSON, SARIF or rdjson; or "No findings." on a line of its own. What an agent says of its own work is held against it in a run, or by a hook.`;
}

function rowsOf(findings: readonly ToldFinding[]): string[][] {
  return findings.map(({ id, file, line, verdict, reason, found }) => {
    const moved = found === undefined ? "" : ` (really ${found.file}:${found.line})`;
    return [id, `${file ?? "?"}:${line ?? "?"}`, verdict, `${reason}${moved}`];
  });
}
