import { type Json, SwornError } from "../base/index.ts";
import type { Citation, Finding, Priority, Unread } from "../schema/finding.ts";
import { CITATIONS_MAX } from "./citations.ts";
import { cutText, shownText } from "./cut-text.ts";
import { readElements } from "./findings-json.ts";
import { asList, asText, member, parseReportJson } from "./json-value.ts";
import { bareReport, type ParsedReport } from "./parsed-report.ts";
import { toCitation } from "./sarif-location.ts";

/**
 * Reads the results of all runs of a SARIF 2.1.0 log.
 *
 * @throws SwornError `INPUT_INVALID` if it is none.
 */
export function parseSarif(text: string, path: string): ParsedReport {
  const log = parseReportJson(text, path, "a SARIF 2.1.0 log");
  const runs = member(log, "runs");
  if (!Array.isArray(runs)) {
    throw new SwornError("INPUT_INVALID", `${path}: expected a member "runs" with a list`);
  }
  const version = asText(member(log, "version"));
  if (version !== undefined && !version.startsWith("2.")) {
    throw new SwornError(
      "INPUT_INVALID",
      `${path}: expected SARIF 2.1.0, found version ${version.slice(0, 20)}`,
    );
  }
  const results = runs.flatMap((run) => {
    const rules = new Rules(run);
    return asList(member(run, "results")).map((result) => ({ run, rules, result }));
  });
  const read = readElements(
    results.map(({ result }) => result),
    (result, index) => toFinding(result, index, results[index]),
    path,
  );
  const tool = asText(member(member(member(runs[0], "tool"), "driver"), "name"));
  const cut = results.flatMap(({ result }, index) => cutOf(result, index));
  return bareReport("sarif", {
    findings: read.findings,
    unread: [...read.unread, ...cut].sort((a, b) => a.line - b.line),
    ...(tool === undefined ? {} : { reviewer: cutText(tool, 200) }),
  });
}

/** What a result names beyond our bounds. */
function cutOf(result: Json, index: number): Unread[] {
  const counts = [
    ["places", asList(member(result, "locations")).length],
    ["steps", stepsOf(result).length],
  ] as const;
  return counts.flatMap(([what, count]) => {
    if (count <= CITATIONS_MAX) return [];
    const why = `names ${count} ${what}; the first ${CITATIONS_MAX} were read`;
    return [{ line: index + 1, text: shownText(JSON.stringify(result).slice(0, 8_000)), why }];
  });
}

/** What a run says about its rules, found by id or by index. */
class Rules {
  readonly #list: readonly Json[];
  readonly #byId = new Map<string, Json>();

  constructor(run: Json) {
    this.#list = asList(member(member(member(run, "tool"), "driver"), "rules"));
    for (const rule of this.#list) {
      const id = asText(member(rule, "id"));
      if (id !== undefined) this.#byId.set(id, rule);
    }
  }

  of(result: Json): Json | undefined {
    const reference = member(result, "rule");
    const id = asText(member(result, "ruleId")) ?? asText(member(reference, "id"));
    const index = member(result, "ruleIndex") ?? member(reference, "index");
    const listed = typeof index === "number" ? this.#list[index] : undefined;
    return (id === undefined ? undefined : this.#byId.get(id)) ?? listed;
  }
}

interface Place {
  readonly run: Json;
  readonly rules: Rules;
}

const NO_PROBLEM =
  /^is of the kind (?:pass|notApplicable|informational), which reports no problem$/;

/** Whether a part was left unread because its author says that it is no finding. */
export function saysNoProblem({ why }: Pick<Unread, "why">): boolean {
  return NO_PROBLEM.test(why);
}

function toFinding(
  result: Json,
  index: number,
  place: Place | undefined,
): Finding | { readonly why: string } {
  const rule = place?.rules.of(result);
  const run = place?.run ?? null;
  const message = messageOf(result, rule);
  const citations = asList(member(result, "locations")).flatMap((at) => toCitation(at, run) ?? []);
  const kind = asText(member(result, "kind"));
  if (kind !== undefined && kind !== "fail" && kind !== "review" && kind !== "open") {
    return { why: `is of the kind ${kind}, which reports no problem` };
  }
  if (message === undefined) return { why: "has no message" };
  if (citations.length === 0) return { why: "names no file, so that nothing can be checked" };
  const category = categoryOf(result, rule);
  const path = flowOf(result, run);
  const help = asText(member(member(rule, "help"), "text"));
  return {
    id: `X-${index + 1}`,
    title: cutText(message.split("\n")[0] ?? "", 500),
    priority: priorityOf(result, rule),
    citations: citations.slice(0, CITATIONS_MAX),
    issue: cutText(message, 20_000),
    ...(category === undefined ? {} : { category }),
    ...(help === undefined ? {} : { fix: cutText(help, 20_000) }),
    ...(path.length === 0 ? {} : { path }),
  };
}

/** The message, with its arguments filled in where it names one of the rule's texts. */
function messageOf(result: Json, rule: Json | undefined): string | undefined {
  const message = member(result, "message");
  const texts = member(rule, "messageStrings");
  const named = member(member(texts, asText(member(message, "id")) ?? ""), "text");
  const text =
    asText(member(message, "text")) ?? asText(named) ?? asText(member(message, "markdown"));
  const values = asList(member(message, "arguments"));
  return text?.replace(
    /\{(\d{1,2})\}/g,
    (whole, at: string) => asText(values[Number(at)]) ?? whole,
  );
}

function categoryOf(result: Json, rule: Json | undefined): string | undefined {
  const id = asText(member(result, "ruleId")) ?? asText(member(rule, "id"));
  const name = asText(member(rule, "name")) ?? id;
  const words = name
    ?.replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("-").slice(0, 64).replace(/-$/, "");
}

/** A score of the kind CVSS uses says more than the level; a level may also stand with the rule. */
function priorityOf(result: Json, rule: Json | undefined): Priority {
  const scored = [result, rule].map((from) =>
    member(member(from, "properties"), "security-severity"),
  );
  const score = Number(scored.find((value) => value !== undefined) ?? Number.NaN);
  if (score >= 0 && score <= 10) return score >= 9 ? "P1" : score >= 7 ? "P2" : "P3";
  const level =
    asText(member(result, "level")) ??
    asText(member(member(rule, "defaultConfiguration"), "level"));
  if (level === "error") return "P1";
  return level === "note" || level === "none" ? "P3" : "P2";
}

/** The steps of the first flow: from where a value comes to where it does harm. */
function flowOf(result: Json, run: Json): Citation[] {
  return stepsOf(result)
    .slice(0, CITATIONS_MAX)
    .flatMap((step) => toCitation(member(step, "location") ?? null, run) ?? []);
}

function stepsOf(result: Json): readonly Json[] {
  const [flow] = asList(member(result, "codeFlows"));
  const [thread] = asList(member(flow, "threadFlows"));
  return asList(member(thread, "locations"));
}
