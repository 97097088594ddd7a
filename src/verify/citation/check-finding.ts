import type { Absence, CheckedFinding, Finding, Verdict } from "../../schema/finding.ts";
import { claimsAbsence, searchAbsence } from "./absence.ts";
import { type CheckedCitation, checkCitation, shown } from "./check-citation.ts";
import { identityOf } from "./identity.ts";
import { KnownNames } from "./known-names.ts";
import { namedCode } from "./named-code.ts";
import { SourceCache } from "./source-cache.ts";
import type { SourceTree } from "./source-tree.ts";
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

/**
 * Checks findings against one tree. It proves that what a reviewer points at is there, and not that
 * the reviewer is right about it. What could not be looked at leaves a finding UNVERIFIED.
 */
export class CitationChecker {
  readonly #cache: SourceCache;
  #names: Promise<KnownNames> | undefined;

  constructor(tree: SourceTree) {
    this.#cache = new SourceCache(tree);
  }

  async check(finding: Finding): Promise<CheckedFinding> {
    const citations = await this.#citations(finding);
    const [first] = citations;
    const judged = refuted(citations) ?? (await this.#judge(finding, citations));
    const found =
      judged.found && judged.found.file.length <= PATH_CHARS_MAX ? judged.found : undefined;
    const { verdict } = judged;
    const reason = judged.reason.toWellFormed().slice(0, REASON_CHARS_MAX);
    const identity = identityOf(finding, first?.path ?? "");
    return found === undefined
      ? { finding, verdict, reason, identity }
      : { finding, verdict, reason, found, identity };
  }

  async #judge(finding: Finding, citations: readonly CheckedCitation[]): Promise<Judged> {
    const unseen = unseenNames(finding, citations);
    const invented = unseen.length === 0 ? undefined : await this.#inventedName(unseen);
    if (invented !== undefined) return invented;
    return finding.absence === undefined
      ? (unsearched(finding) ?? weakest(citations))
      : this.#absence(finding.absence, citations);
  }

  async #citations(finding: Finding): Promise<CheckedCitation[]> {
    const checked: CheckedCitation[] = [];
    for (const citation of [...finding.citations, ...(finding.path ?? [])]) {
      checked.push(await checkCitation(citation, this.#cache));
    }
    return checked;
  }

  /** A name in the prose that is neither in the cited files nor anywhere in the tree was made up. */
  async #inventedName(unseen: readonly string[]): Promise<Judged | undefined> {
    this.#names ??= KnownNames.of(this.#cache);
    const known = await this.#names;
    const invented = unseen.find((name) => !known.has(name));
    if (invented === undefined) return undefined;
    const what = `it speaks of \`${shown(invented)}\`, which is nowhere in the source`;
    return known.unread === undefined
      ? { verdict: "HALLUCINATED", reason: what }
      : { verdict: "UNVERIFIED", reason: `${what} that was read; ${shown(known.unread)} was not` };
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
