import { resolve } from "node:path";
import * as z from "zod";
import { renderSarif } from "../../deliver/index.ts";
import { type CheckOutcome, checkReports } from "../../flow/check.ts";
import { reportOfCheck } from "../../flow/check-report.ts";
import type { JudgedFinding, Verdict } from "../../schema/finding.ts";
import type { Answer, CommandIo } from "../io.ts";
import { progress } from "../progress.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({
  reports: z.array(z.string().min(1)).min(1),
  at: z.string().min(1).optional(),
  repo: z.string().min(1).default("."),
  sarif: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const bar = progress(io, "checked", "findings");
  try {
    const outcome = await checkReports({
      paths: args.reports.map((path) => resolve(io.cwd, path)),
      repository: resolve(io.cwd, args.repo),
      at: args.at,
      env: io.env,
      signal: io.signal,
      onProgress: (done) => bar.update(done),
    });
    const answer = toAnswer(outcome);
    if (!args.sarif) return answer;
    const sarif = renderSarif(await reportOfCheck(outcome));
    return { ...answer, bytes: [Buffer.from(`${JSON.stringify(sarif)}\n`)] };
  } finally {
    bar.end();
  }
}

/** What is made up, and what could not be checked, is no pass. */
function toAnswer({ commit, reports }: CheckOutcome): Answer {
  const findings = reports.flatMap((report) => report.findings);
  const unread = reports.flatMap(({ report }) => report.unread);
  const count = (verdict: Verdict) => findings.filter((one) => one.verdict === verdict).length;
  const summary = {
    commit,
    findings: findings.length,
    confirmed: count("CONFIRMED"),
    inaccurate: count("INACCURATE"),
    hallucinated: count("HALLUCINATED"),
    unverified: count("UNVERIFIED"),
    unread: unread.length,
  };
  const isGood = summary.hallucinated + summary.unverified === 0;
  const notRead = unread.length === 0 ? "" : `, ${unread.length} not read`;
  const words = [
    ...(findings.length === 0
      ? []
      : [table(["FINDING", "PLACE", "VERDICT", "WHY"], rowsOf(findings))]),
    ...unread.map(
      ({ line, text, why }) => `Not read, line ${line}: ${text.split("\n")[0]} (${why})`,
    ),
    `${summary.confirmed} confirmed, ${summary.inaccurate} inaccurate, ${summary.hallucinated} made up, ${summary.unverified} not checkable${notRead}, against ${commit.slice(0, 12)}`,
  ];
  const json = { findings: findings.map(toJson), unread, summary };
  const silent = reports.filter(({ hearing }) => hearing === "none");
  words.push(...silent.map(({ path }) => notUnderstood(path)));
  const isHeard = reports.every(({ hearing }) => hearing === "whole");
  const exit = isGood ? (isHeard ? 0 : 2) : 4;
  return { exit, json, words: words.join("\n"), isAnswered: true };
}

function notUnderstood(path: string): string {
  return `${path}: no finding was recognised. Expected findings such as "- [ ] **[SEC-001] Title** in \`file.js:12\`" with a quoted line, findings JSON, SARIF or rdjson; or "No findings." on a line of its own`;
}

function toJson({ finding, verdict, reason, found }: JudgedFinding) {
  const [cited] = finding.citations;
  return {
    id: finding.id,
    title: finding.title,
    file: cited?.file ?? null,
    line: cited?.line ?? null,
    verdict,
    ...(found === undefined ? {} : { found }),
    reason,
  };
}

function rowsOf(findings: readonly JudgedFinding[]): string[][] {
  return findings.map(({ finding, verdict, reason, found }) => {
    const [cited] = finding.citations;
    const place = `${cited?.file ?? "?"}:${cited?.line ?? "?"}`;
    const moved = found === undefined ? "" : ` (really ${found.file}:${found.line})`;
    return [finding.id, place, verdict, `${reason}${moved}`];
  });
}
