import { setImmediate as nextTurn } from "node:timers/promises";
import { assert } from "../../base/index.ts";
import type { Absence, Citation, Finding, JudgedFinding, Verdict } from "../../schema/finding.ts";
import { claimsAbsence, searchAbsence } from "./absence.ts";
import { type CheckedCitation, checkCitation, checkShown, shown } from "./check-citation.ts";
import { pathsMeant } from "./cited-path.ts";
import { NameSearch } from "./name-search.ts";
import { namedCode, shownCode } from "./named-code.ts";
import { SourceCache } from "./source-cache.ts";
import type { SourceText } from "./source-text.ts";
import type { SourceTree } from "./source-tree.ts";
import type { Place } from "./text-view.ts";
import { hasWord, hasWordIn } from "./word-code.ts";

const REASON_CHARS_MAX = 2_000;
const PATH_CHARS_MAX = 4_096;
/** Lines up to this size are looked at before their file is. */
const CLOSE_BYTES_MAX = 4_000;

/** Stands for the file of findings that cite none of the tree. */
const OUTSIDE = "";
/** Findings whose prose is read between two looks at what git has sent. */
const READ_AT_ONCE = 200;

interface Judged {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly found?: JudgedFinding["found"];
}

/** What is kept of a citation that was checked. */
interface SeenCitation extends Judged {
  readonly path: string;
  readonly isBare: boolean;
}

/** What was seen of one finding so far. It keeps no file: thousands may wait at the same time. */
interface Look {
  readonly at: number;
  readonly finding: Finding;
  readonly citations: SeenCitation[];
  /** Names that the prose says exist and no cited file has. */
  unseen: readonly string[];
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

  async check(finding: Finding): Promise<JudgedFinding> {
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
    onChecked: (checked: JudgedFinding) => void = () => {},
  ): Promise<JudgedFinding[]> {
    const answers: JudgedFinding[] = [];
    const answer = ({ at, finding, citations }: Look, judged: Judged) => {
      const checked = toChecked(finding, citations[0]?.path ?? "", judged);
      answers[at] = checked;
      onChecked(checked);
    };
    const open: Look[] = [];
    const decide = (look: Look) => {
      const judged = refuted(look) ?? judgeAlone(look);
      if (judged === undefined) open.push(look);
      else answer(look, judged);
    };
    for await (const looks of this.#byFile(findings)) {
      const waiting: Promise<void>[] = [];
      for (const look of looks) {
        const looking = this.#lookAt(look);
        if (looking === undefined) decide(look);
        else waiting.push(looking.then(() => decide(look)));
      }
      await Promise.all(waiting);
    }
    await this.#names.look(open.flatMap(({ unseen }) => unseen));
    for (const look of open) answer(look, await this.#judgeByTree(look));
    return answers;
  }

  /**
   * The findings of one file after the other, each time when the file was read: so a file is looked
   * at once, however the findings are ordered, and git reads ahead meanwhile.
   */
  async *#byFile(findings: readonly Finding[]): AsyncGenerator<Look[]> {
    const looks = new Map<string, Look[]>();
    for (const [at, finding] of findings.entries()) {
      const [path = OUTSIDE] = pathsMeant(finding.citations[0]?.file ?? "");
      const look = { at, finding, citations: [], unseen: [] };
      const others = looks.get(path);
      if (others === undefined) looks.set(path, [look]);
      else others.push(look);
    }
    yield looks.get(OUTSIDE) ?? [];
    looks.delete(OUTSIDE);
    const paths = [...looks.keys()];
    this.#cache.ask(paths);
    await readNames([...looks.values()].flat());
    for await (const [path] of this.#cache.each(paths)) yield looks.get(path) ?? [];
  }

  /** At once, as long as the files were read before. */
  #lookAt(look: Look): void | Promise<void> {
    const cited = [...look.finding.citations, ...(look.finding.path ?? [])];
    for (const citation of cited) {
      const checked = checkCitation(citation, this.#cache);
      if (checked instanceof Promise) return this.#lookOn(look, checked, cited);
      take(look, checked);
    }
  }

  async #lookOn(
    look: Look,
    next: Promise<CheckedCitation>,
    cited: readonly Citation[],
  ): Promise<void> {
    take(look, await next);
    for (const citation of cited.slice(look.citations.length)) {
      take(look, await checkCitation(citation, this.#cache));
    }
  }

  /** What needs more of the tree than the cited files. */
  async #judgeByTree({ finding, citations, unseen }: Look): Promise<Judged> {
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

  async #absence(absence: Absence, citations: Look["citations"]): Promise<Judged> {
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

function toChecked(finding: Finding, path: string, judged: Judged): JudgedFinding {
  const { verdict, found } = judged;
  const reason = judged.reason.toWellFormed().slice(0, REASON_CHARS_MAX);
  return found === undefined || found.file.length > PATH_CHARS_MAX
    ? { finding, verdict, reason, path }
    : { finding, verdict, reason, found, path };
}

/** What the cited files alone say; undefined where the rest of the tree has to be asked. */
function judgeAlone({ finding, citations, unseen }: Look): Judged | undefined {
  return unseen.length === 0 && finding.absence === undefined
    ? (unsearched(finding) ?? weakest(citations))
    : undefined;
}

/** Git takes longest over the first files; that is time to read what the findings say. */
async function readNames(looks: readonly Look[]): Promise<void> {
  for (const [at, look] of looks.entries()) {
    if (at % READ_AT_ONCE === 0) await nextTurn();
    look.unseen = namesIn(look.finding);
  }
}

/** Names that the prose says exist. What is said to be absent is searched for in its own way. */
function namesIn({ title, issue, absence }: Finding): string[] {
  const names = namedCode(`${title}\n\n${issue ?? ""}`);
  return absence === undefined ? names : names.filter((name) => !absence.text.includes(name));
}

function take(look: Look, cited: CheckedCitation): void {
  const checked = withShown(look, cited);
  const { verdict, reason, path, found, source, lines } = checked;
  const isBare = checked.isBare === true;
  look.citations.push(
    found === undefined
      ? { verdict, reason, path, isBare }
      : { verdict, reason, path, found, isBare },
  );
  if (source === undefined || look.unseen.length === 0) return;
  look.unseen = look.unseen.filter((name) => !isNamedIn(source, lines, name));
}

/** Where the finding itself is: what its prose shows stands for the quote that it does not have. */
function withShown({ citations, finding }: Look, checked: CheckedCitation): CheckedCitation {
  const [first] = finding.citations;
  if (citations.length > 0 || first === undefined || checked.isBare !== true) return checked;
  const isOnlyFile = [...finding.citations, ...(finding.path ?? [])].every(
    ({ file }) => file === first.file,
  );
  const shown = shownCode(`${finding.title}\n\n${finding.issue ?? ""}`);
  return checkShown(first, checked, shown, isOnlyFile);
}

function unsearched(finding: Finding): Judged | undefined {
  if (!claimsAbsence(finding)) return undefined;
  const reason = "it says that something is nowhere, and carries no search that shows it";
  return { verdict: "UNVERIFIED", reason };
}

/** First in the lines in question, where it mostly is; then in the whole file. */
function isNamedIn({ plain }: SourceText, lines: Place | undefined, name: string): boolean {
  const isClose = lines !== undefined && plain.sizeOf(lines) <= CLOSE_BYTES_MAX;
  return (isClose && hasWordIn(plain.textOf(lines), name)) || hasWord(plain.bytes, name);
}

function refuted({ citations }: Look): Judged | undefined {
  return citations.find(({ verdict }) => verdict === "HALLUCINATED");
}

/** The first citation decides; a later one can only take away. One without a quote takes away nothing. */
function weakest(citations: Look["citations"]): Judged {
  const counted = citations.filter(({ isBare }, at) => at === 0 || !isBare);
  for (const verdict of ["HALLUCINATED", "UNVERIFIED", "INACCURATE"] as const) {
    const worst = counted.find((one) => one.verdict === verdict);
    if (worst !== undefined) return worst;
  }
  return counted[0] ?? { verdict: "UNVERIFIED", reason: "nothing was cited" };
}

/** Checks one finding. For many over the same tree, a `CitationChecker` reads each file once. */
export function checkFinding(finding: Finding, tree: SourceTree): Promise<JudgedFinding> {
  return new CitationChecker(tree).check(finding);
}
