import { join } from "node:path";
import type { ParsedReport } from "../../claim/index.ts";
import type { Contract } from "../../schema/contract.ts";
import type { CheckedFinding, Finding, Priority } from "../../schema/finding.ts";
import type { Gap } from "../../schema/review.ts";
import { readReportFile } from "./deliveries.ts";

/** How many losses are told one by one. */
const GAPS_MAX = 1_000;

/** A finding in the bound document that did not come from the team. */
export interface Injected {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly why: string;
  /** Whether it carries this run's nonce all the same. */
  readonly isOwn: boolean;
}

/** What an aggregator made of the team's files. */
export interface BoundDocument {
  readonly path: string;
  readonly text: string;
  readonly findings: number;
  readonly injected: readonly Injected[];
  readonly gaps: readonly Gap[];
  readonly notes: readonly string[];
}

/** The document that binds the parts: absent, not readable, or read and held against the parts. */
export type BoundReading =
  | { readonly kind: "none"; readonly path: string }
  | { readonly kind: "unreadable"; readonly path: string; readonly why: string }
  | { readonly kind: "read"; readonly bound: BoundDocument };

/**
 * Reads the bound document, if the contract asks for one. Findings in it count only inside a wrapper
 * with the run's nonce, and only if a teammate wrote them: an aggregator knows the nonce too.
 */
export function readBound(
  folder: string,
  contract: Contract,
  said: readonly CheckedFinding[],
): BoundReading | undefined {
  if (contract.aggregator === undefined) return undefined;
  const path = join(folder, contract.aggregator.output_file);
  const read = readReportFile(path);
  if ("report" in read) {
    const { report, text } = read;
    return { kind: "read", bound: { path, text, ...compare(report, contract, said) } };
  }
  return read.why === undefined
    ? { kind: "none", path }
    : { kind: "unreadable", path, why: read.why };
}

function compare(
  { findings, nonces }: ParsedReport,
  { nonce, aggregator }: Contract,
  said: readonly CheckedFinding[],
): Omit<BoundDocument, "path" | "text"> {
  const titles = titlesOf(said);
  const injected = findings.flatMap((finding, index): Injected[] => {
    const why = strangeness(finding, nonces[index], nonce, titles);
    if (why === undefined) return [];
    const { id, title, citations } = finding;
    const isOwn = nonce !== undefined && nonces[index] === nonce;
    return [{ id, title, file: citations[0]?.file ?? "", why, isOwn }];
  });
  const who = aggregator === undefined ? {} : { who: aggregator.name };
  const changed = [...lossesOf(said, findings), ...rewordedIn(findings, titles)];
  const lost = changed.map((loss): Gap => ({ ...loss, ...who }));
  const more = { what: `${lost.length - GAPS_MAX} more findings`, ...who, why: "as those before" };
  const gaps = lost.length > GAPS_MAX ? [...lost.slice(0, GAPS_MAX), more] : lost;
  const notes =
    nonce === undefined ? ["the contract has no nonce: whose findings are bound is not known"] : [];
  return { findings: findings.length, injected, gaps, notes };
}

/** What the bound document took from findings that the source does not refute. */
function lossesOf(said: readonly CheckedFinding[], bound: readonly Finding[]): Gap[] {
  const best = new Map<string, Priority>();
  for (const finding of bound) {
    for (const key of keysOf({ finding })) {
      const known = best.get(key);
      if (known === undefined || finding.priority < known) best.set(key, finding.priority);
    }
  }
  return said.flatMap((one): Gap[] => {
    const { id, title, priority } = one.finding;
    if (one.verdict === "HALLUCINATED") return [];
    const found = keysOf(one).flatMap((key) => best.get(key) ?? []);
    if (found.some((as) => as <= priority)) return [];
    const why =
      found.length === 0
        ? "a teammate wrote it, and the bound document leaves it out"
        : `a teammate wrote it as ${priority}, and the bound document lowers it`;
    return [{ what: `${id}: ${title}`, why }];
  });
}

/** The titles that the team gave to what it quotes, by the keys of the findings. */
function titlesOf(said: readonly CheckedFinding[]): Map<string, Set<string>> {
  const titles = new Map<string, Set<string>>();
  for (const one of said) {
    for (const key of keysOf(one)) {
      titles.set(key, (titles.get(key) ?? new Set()).add(wordsOf(one.finding.title)));
    }
  }
  return titles;
}

/** Who binds may not put other words into a teammate's mouth: the quotation bears out neither. */
function rewordedIn(
  bound: readonly Finding[],
  titles: ReadonlyMap<string, ReadonlySet<string>>,
): Gap[] {
  return bound.flatMap((finding): Gap[] => {
    const given = keysOf({ finding }).flatMap((key) => [...(titles.get(key) ?? [])]);
    if (given.length === 0 || given.includes(wordsOf(finding.title))) return [];
    const why = "the bound document quotes what a teammate quoted, and calls it otherwise";
    return [{ what: `${finding.id}: ${finding.title}`, why }];
  });
}

const wordsOf = (title: string): string =>
  (title.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(" ");

function strangeness(
  finding: Finding,
  found: string | undefined,
  nonce: string | undefined,
  known: ReadonlyMap<string, unknown>,
): string | undefined {
  if (nonce !== undefined && found !== nonce) {
    return found === undefined ? "it carries no nonce" : "it carries another nonce";
  }
  return keysOf({ finding }).some((key) => known.has(key)) ? undefined : "no teammate wrote it";
}

/** How a finding is recognised in another document: by what it quotes, else by what it is called. */
function keysOf({ finding, found }: Pick<CheckedFinding, "finding" | "found">): string[] {
  const [cited] = finding.citations;
  const files = [cited?.file ?? "", ...(found === undefined ? [] : [found.file])];
  const anchor = cited?.quote === undefined ? `id ${finding.id}` : `text ${collapse(cited.quote)}`;
  return files.map((file) => `${file}\n${anchor}`);
}

/** Documents indent what they quote each in their own way. */
const collapse = (text: string): string => text.replace(/\s+/g, " ").trim();
