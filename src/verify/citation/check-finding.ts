import { assert } from "../../base/index.ts";
import type { Absence, CheckedFinding, Citation, Finding, Verdict } from "../../schema/finding.ts";
import { claimsAbsence, searchAbsence } from "./absence.ts";
import { type CheckedCitation, checkCitation, shown } from "./check-citation.ts";
import { identityOf } from "./identity.ts";
import { NameSearch } from "./name-search.ts";
import { namedCode } from "./named-code.ts";
import { SourceCache } from "./source-cache.ts";
import type { SourceTree } from "./source-tree.ts";
import { together } from "./together.ts";
import { hasWord, hasWordIn } from "./word-code.ts";

const REASON_CHARS_MAX = 2_000;
const PATH_CHARS_MAX = 4_096;
/** Lines up to this size are looked at before their file is. */
const CLOSE_BYTES_MAX = 4_000;

interface Judged {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly found?: CheckedFinding["found"];
}

/** A finding that more of the tree than its cited files decides about. */
interface Open {
  readonly at: number;
  readonly finding: Finding;
  readonly citations: readonly CheckedCitation[];
  readonly unseen: readonly string[];
}

/**
 * Checks findings against one tree. It proves that what a reviewer points at is there, and not that
 * the reviewer is right about it. What could not be looked at leaves a finding UNVERIFIED.
 */
export class CitationChecker {
  readonly #cache: SourceCache;
  readonly #names: NameSearch;

  constructor(tree: SourceTree) {
    this.#cache = new SourceCache(tree);
    this.#names = new NameSearch(this.#cache);
  }

  async check(finding: Finding): Promise<CheckedFinding> {
    const [checked] = await this.checkAll([finding]);
    assert(checked, "every finding is answered");
    return checked;
  }

  /**
   * Checks many findings and gives the answers in their order. Each answer is told as soon as it is
   * there; what its hearer throws ends the check.
   */
  async checkAll(
    findings: readonly Finding[],
    onChecked: (checked: CheckedFinding) => void = () => {},
  ): Promise<CheckedFinding[]> {
    const answers: CheckedFinding[] = [];
    const answer = (at: number, finding: Finding, path: string, judged: Judged) => {
      const checked = toChecked(finding, path, judged);
      answers[at] = checked;
      onChecked(checked);
    };
    const open: Open[] = [];
    const decide = (citations: readonly CheckedCitation[], finding: Finding, at: number) => {
      const judged = refuted(citations) ?? judgeAlone(finding, citations);
      if ("unseen" in judged) {
        open.push({ at, finding, citations: citations.map(withoutSource), unseen: judged.unseen });
      } else answer(at, finding, citations[0]?.path ?? "", judged);
    };
    await together(findings, (finding, at) => {
      const citations = this.#lookAt([...finding.citations, ...(finding.path ?? [])]);
      if (!(citations instanceof Promise)) return decide(citations, finding, at);
      return citations.then((all) => decide(all, finding, at));
    });
    await this.#names.look(open.flatMap(({ unseen }) => unseen));
    for (const { at, finding, citations, unseen } of open) {
      const judged = await this.#judgeByTree(finding, citations, unseen);
      answer(at, finding, citations[0]?.path ?? "", judged);
    }
    return answers;
  }

  /** At once, as long as their files were read before. */
  #lookAt(citations: readonly Citation[]): CheckedCitation[] | Promise<CheckedCitation[]> {
    const checked: CheckedCitation[] = [];
    for (const citation of citations) {
      const one = checkCitation(citation, this.#cache);
      if (one instanceof Promise) return this.#lookOn(checked, one, citations);
      checked.push(one);
    }
    return checked;
  }

  async #lookOn(
    checked: CheckedCitation[],
    next: Promise<CheckedCitation>,
    citations: readonly Citation[],
  ): Promise<CheckedCitation[]> {
    checked.push(await next);
    for (const citation of citations.slice(checked.length)) {
      checked.push(await checkCitation(citation, this.#cache));
    }
    return checked;
  }

  /** What needs more of the tree than the cited files. */
  async #judgeByTree(
    finding: Finding,
    citations: readonly CheckedCitation[],
    unseen: readonly string[],
  ): Promise<Judged> {
    return (
      this.#inventedName(unseen) ??
      (finding.absence === undefined
        ? (unsearched(finding) ?? weakest(citations))
        : await this.#absence(finding.absence, citations))
    );
  }

  /** A name in the prose that is neither in the cited files nor anywhere in the tree was made up. */
  #inventedName(unseen: readonly string[]): Judged | undefined {
    const invented = unseen.find((name) => !this.#names.has(name));
    if (invented === undefined) return undefined;
    const what = `it speaks of \`${shown(invented)}\`, which is nowhere in the source`;
    const { unread } = this.#names;
    return unread === undefined
      ? { verdict: "HALLUCINATED", reason: what }
      : { verdict: "UNVERIFIED", reason: `${what} that was read; ${shown(unread)} was not` };
  }

  async #absence(absence: Absence, citations: readonly CheckedCitation[]): Promise<Judged> {
    const searched = await searchAbsence(absence, this.#cache);
    const what = `\`${shown(absence.text)}\``;
    if (searched.state === "found") {
      const { file, line } = searched;
      const reason = `${what} is said to be absent, and is in ${shown(file)} at line ${line}`;
      return { verdict: "HALLUCINATED", reason, found: { file, line } };
    }
    if (searched.state === "unknown") {
      const reason = `whether ${what} is absent is not known: ${searched.why}`;
      return { verdict: "UNVERIFIED", reason };
    }
    const quoted = citations.filter(({ isBare }) => !isBare);
    const reason = `${what} is in none of ${searched.files} files`;
    const worst = weakest(quoted);
    return quoted.length > 0 && worst.verdict !== "CONFIRMED"
      ? { ...worst, reason: `${reason}; ${worst.reason}` }
      : { verdict: "CONFIRMED", reason };
  }
}

function toChecked(finding: Finding, path: string, judged: Judged): CheckedFinding {
  const { verdict, found } = judged;
  const reason = judged.reason.toWellFormed().slice(0, REASON_CHARS_MAX);
  const identity = identityOf(finding, path);
  return found === undefined || found.file.length > PATH_CHARS_MAX
    ? { finding, verdict, reason, identity }
    : { finding, verdict, reason, found, identity };
}

/** What the cited files alone say, or the names that have to be looked for elsewhere. */
function judgeAlone(
  finding: Finding,
  citations: readonly CheckedCitation[],
): Judged | { readonly unseen: readonly string[] } {
  const unseen = unseenNames(finding, citations);
  return unseen.length === 0 && finding.absence === undefined
    ? (unsearched(finding) ?? weakest(citations))
    : { unseen };
}

/** What waits for the rest of the tree must not keep whole files in memory meanwhile. */
function withoutSource({ source: _, ...rest }: CheckedCitation): CheckedCitation {
  return rest;
}

/** Names that the prose says exist and the cited files do not have. */
function unseenNames(
  { title, issue, absence }: Finding,
  citations: readonly CheckedCitation[],
): string[] {
  // What is said to be absent is searched for in its own way.
  return namedCode(`${title}\n\n${issue ?? ""}`).filter(
    (name) => !absence?.text.includes(name) && !citations.some((one) => isNamedIn(one, name)),
  );
}

function unsearched(finding: Finding): Judged | undefined {
  if (!claimsAbsence(finding)) return undefined;
  const reason = "it says that something is nowhere, and carries no search that shows it";
  return { verdict: "UNVERIFIED", reason };
}

/** First in the lines in question, where it mostly is; then in the whole file. */
function isNamedIn({ source, lines }: CheckedCitation, name: string): boolean {
  if (source === undefined) return false;
  const { plain } = source;
  const isClose = lines !== undefined && plain.sizeOf(lines) <= CLOSE_BYTES_MAX;
  return (isClose && hasWordIn(plain.textOf(lines), name)) || hasWord(plain.bytes, name);
}

function refuted(citations: readonly CheckedCitation[]): Judged | undefined {
  return citations.find(({ verdict }) => verdict === "HALLUCINATED");
}

/** The first citation decides; a later one can only take away. One without a quote takes away nothing. */
function weakest(citations: readonly CheckedCitation[]): Judged {
  const counted = citations.filter(({ isBare }, at) => at === 0 || !isBare);
  for (const verdict of ["HALLUCINATED", "UNVERIFIED", "INACCURATE"] as const) {
    const worst = counted.find((one) => one.verdict === verdict);
    if (worst !== undefined) return worst;
  }
  return counted[0] ?? { verdict: "UNVERIFIED", reason: "nothing was cited" };
}

/** Checks one finding. For many over the same tree, a `CitationChecker` reads each file once. */
export function checkFinding(finding: Finding, tree: SourceTree): Promise<CheckedFinding> {
  return new CitationChecker(tree).check(finding);
}
