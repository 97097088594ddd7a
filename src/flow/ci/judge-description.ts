import {
  type AddedTests,
  addedTests,
  onlyFiles,
  parseReport,
  type SaidWork,
  saidWork,
  untouchedTests,
} from "../../claim/index.ts";
import type { WeakenedTest } from "../../scan/weaken/index.ts";
import type { CiCheck, CiClaim } from "../../schema/ci-report.ts";
import type { JudgedFinding } from "../../schema/finding.ts";
import type { Observation } from "../../schema/observation.ts";
import { CitationChecker, type SourceTree } from "../../verify/citation/index.ts";
import { reconcile, runsCheck } from "../../verify/observed/index.ts";
import { judgeChangeWords } from "../change/judge-change-words.ts";
import { judgePlaces } from "../hook/cited-places.ts";
import { isPlaced } from "../hook/judge-message.ts";
import { type Judged, judgeAddedTests, judgeKeptTests } from "./judge-change-of-tests.ts";
import type { TestFiles } from "./test-files.ts";
import { isUncounted } from "./what-runs-show.ts";

/** Forges take 65,536 characters; what is longer is no description of one. */
const BODY_CHARS_MAX = 100_000;
const TEXT_CHARS_MAX = 300;
const CLAIMS_MAX = 1_000;

/** What is known of a pull request, for whoever judges its words. */
export interface Known {
  /** The source at head, then at base: what one of them has is not made up. */
  readonly trees: readonly SourceTree[];
  /** The files of head. */
  readonly paths: ReadonlySet<string>;
  readonly changed: Observation["changed"];
  readonly checks: readonly CiCheck[];
  /** What the change takes away from the tests, as far as it can be read. */
  readonly weakened: readonly WeakenedTest[];
  /** Whether it takes something away, of tests that nothing here reads too. */
  readonly isWeakened: boolean;
  readonly files: TestFiles;
}

/** Holds a description against the change, the source and the checks. It is hostile text. */
export async function judgeDescription(body: string, known: Known): Promise<CiClaim[]> {
  // Nothing but text is read: what hides in it would hide from whoever reads the answer too.
  const text = body.slice(0, BODY_CHARS_MAX).replaceAll("\0", "\ufffd").toWellFormed();
  const claims = [
    ...judgeWork(text, known),
    ...(await judgeUntouched(text, known)),
    ...judgeAdded(addedTests(text), known),
    ...(await judgeContent(text, known)),
    ...(await judgeFindings(text, known.trees)),
    ...(await judgeCited(text, known.trees)),
  ];
  return [
    ...unique(claims).slice(0, CLAIMS_MAX),
    ...notRead(`after ${BODY_CHARS_MAX} characters`, body.length > BODY_CHARS_MAX),
    ...notRead(`after ${CLAIMS_MAX} claims`, claims.length > CLAIMS_MAX),
  ];
}

function notRead(text: string, isSo: boolean): CiClaim[] {
  const why = "the description is too long, and the rest of it was not judged";
  return isSo ? [{ kind: "unread", text, verdict: "unverified", why }] : [];
}

function unique(claims: readonly CiClaim[]): CiClaim[] {
  return [...new Map(claims.map((one) => [JSON.stringify(one), one])).values()];
}

/** That a file was changed is half of what is said where it is said to be the only one. */
function judgeWork(body: string, known: Known): CiClaim[] {
  const whole = new Set(onlyFiles(body).map(({ text }) => text));
  return saidWork(body).flatMap((said) => {
    const claim = judgeSaid(said, known);
    const isHalf = said.kind === "file" || (said.kind === "check" && said.check === "scope");
    return isHalf && whole.has(said.text) && claim.verdict !== "refuted" ? [] : [claim];
  });
}

function judgeSaid(said: SaidWork, known: Known): CiClaim {
  const text = said.text.slice(0, TEXT_CHARS_MAX).toWellFormed();
  if (said.kind === "tests") return { kind: "tests", text, ...judgeTests(said, known) };
  if (said.kind === "command") return { kind: "command", text, ...judgeCommand(said, known) };
  if (said.kind === "check") return { kind: "command", text, ...judgeCheck(said, known) };
  return { kind: "file", text, ...judgeFile(said, known) };
}

function judgeTests(
  { count, isOfChecks }: Extract<SaidWork, { kind: "tests" }>,
  { checks, isWeakened }: Known,
): Judged {
  const tests = checks.filter(({ is_tests }) => is_tests || isOfChecks === true);
  if (tests.length === 0) {
    const what = isOfChecks ? "no check" : "no check that runs tests";
    return { verdict: "unverified", why: `${what} is declared` };
  }
  const bad = tests.find((check) => isOtherwise(check, isWeakened));
  if (bad !== undefined) return { verdict: "refuted", why: `${bad.name}: ${bad.shows}` };
  if (isMoreThanRan(count, tests)) return judgeCount(count, tests);
  const open = tests.find(({ status }) => status !== "pass");
  if (open !== undefined) return { verdict: "unverified", why: `${open.name}: ${open.shows}` };
  if (isWeakened) return { verdict: "unverified", why: "they pass, and the change weakens some" };
  if (isOfChecks) {
    return { verdict: "confirmed", why: `run here: ${tests.map(({ name }) => name).join(", ")}` };
  }
  return judgeCount(count, tests);
}

/** Each by itself, and then together: the same tests cannot bear out two sentences. */
function judgeAdded(said: readonly AddedTests[], known: Known): CiClaim[] {
  const claimed = new Map(said.map(({ text, count }) => [text, count]));
  // "Added tests" beside "added 3 tests" speaks of the same ones.
  const all = [...claimed.values()].reduce((sum, count) => sum + (count > 1 ? count : 0), 0);
  const together = judgeAddedTests(all, known);
  return [...claimed].map(([text, count]) => {
    const shown = { kind: "tests" as const, text: text.slice(0, TEXT_CHARS_MAX).toWellFormed() };
    const alone = judgeAddedTests(count, known);
    if (alone.verdict !== "confirmed" || together.verdict === "confirmed") {
      return { ...shown, ...alone };
    }
    const why = `${alone.why}; all that is said of added tests comes to ${all}`;
    return { ...shown, verdict: "unverified" as const, why };
  });
}

async function judgeUntouched(text: string, known: Known): Promise<CiClaim[]> {
  const claims: CiClaim[] = [];
  for (const said of untouchedTests(text)) {
    const shown = said.text.slice(0, TEXT_CHARS_MAX).toWellFormed();
    claims.push({ kind: "tests", text: shown, ...(await judgeKeptTests(said, known)) });
  }
  return claims;
}

/** What is said of the content of the change; of its tests more is known here, and judged with that. */
async function judgeContent(body: string, known: Known): Promise<CiClaim[]> {
  const judged = await judgeChangeWords(body, known, known.files);
  return judged
    .filter(({ kind }) => kind !== "added-tests")
    .map(({ text, verdict, why }) => ({
      ...{ kind: "file", verdict, why },
      text: text.slice(0, TEXT_CHARS_MAX).toWellFormed(),
    }));
}

/** They fail, none ran, or those that would fail were taken away; what nobody knows is no lie. */
function isOtherwise({ status, base, head }: CiCheck, isWeakened: boolean): boolean {
  if (isUncounted({ base, head })) return false;
  if (head.state === "pass") return status === "fail" && isWeakened;
  return head.state !== "undecided";
}

/** A figure is wrong whatever else is not shown, where every check counted and all of them together ran fewer. */
function isMoreThanRan(count: number | undefined, tests: readonly CiCheck[]): boolean {
  const ran = tests.map(({ head }) => (head.tests?.unit === "test" ? head.tests.passed : Infinity));
  return count !== undefined && count > ran.reduce((sum, one) => sum + one, 0);
}

function judgeCount(count: number | undefined, tests: readonly CiCheck[]): Judged {
  const counted = tests.flatMap(({ head }) => head.tests ?? []);
  // One check can start several runners.
  const each = counted.flatMap(({ passed, parts }) => parts?.map((part) => part.passed) ?? passed);
  const all = each.reduce((sum, one) => sum + one, 0);
  const names = tests.map(({ name }) => name).join(", ");
  const isCounted = counted.every(({ unit }) => unit === "test");
  if (count !== undefined && tests.some(hasMoreSums)) {
    const why = `${names}: it printed more sums of tests than on base, and not each may be a runner's`;
    return { verdict: "unverified", why };
  }
  if (count === undefined || !isCounted || count === all || each.includes(count)) {
    return { verdict: "confirmed", why: `${names}: run here, ${all} passed` };
  }
  const why = `${names}: ${all} passed here, not ${count}`;
  return { verdict: count > all ? "refuted" : "unverified", why };
}

/** Tests can print a sum beside their runner's, which would be added to it. */
function hasMoreSums({ base, head }: CiCheck): boolean {
  const [then, now] = [base, head].map(({ tests }) => tests && (tests.parts?.length ?? 1));
  return typeof then === "number" && typeof now === "number" && now > then;
}

function judgeCommand(
  { command, isPassed }: Extract<SaidWork, { kind: "command" }>,
  { checks }: Known,
): Judged {
  const words = command.split(/\s+/).join(" ");
  const same = checks.find(({ argv }) => argv.join(" ") === words);
  const nobody = "nobody saw it run";
  if (same === undefined)
    return { verdict: "unverified", why: `${nobody}; no check is declared so` };
  if (same.head.state === "pass") {
    return { verdict: "confirmed", why: `run again here as ${same.name}: ${same.head.why}` };
  }
  if (isPassed && same.head.state === "fail") {
    return { verdict: "refuted", why: `run again here as ${same.name}: ${same.head.why}` };
  }
  return { verdict: "unverified", why: `${nobody}; run here as ${same.name}: ${same.head.why}` };
}

/** By a declared check that runs such a thing; of what nobody declared nothing is known. */
function judgeCheck(
  { check }: Extract<SaidWork, { kind: "check" }>,
  { checks, changed }: Known,
): Judged {
  const same = checks.filter(({ argv }) => runsCheck(check, argv));
  const bad = same.find(({ head }) => head.state === "fail");
  if (bad !== undefined) {
    return { verdict: "refuted", why: `run here as ${bad.name}: ${bad.head.why}` };
  }
  if (same.length > 0 && same.every(({ head }) => head.state === "pass")) {
    return { verdict: "confirmed", why: `run here: ${same.map(({ name }) => name).join(", ")}` };
  }
  const seen = { ...UNSEEN, changed };
  return { verdict: "unverified", why: reconcile({ kind: "check", check }, seen).reason };
}

const UNSEEN = { tree: "", ignored: [], processes: [], is_complete: false, gaps: [] };

function judgeFile(said: Extract<SaidWork, { kind: "file" }>, { changed, paths }: Known): Judged {
  const seen = { ...UNSEEN, changed };
  const { verdict, reason } = reconcile(said, seen);
  if (verdict === "CONFIRMED") return { verdict: "confirmed", why: reason };
  if (verdict === "UNVERIFIED") return { verdict: "unverified", why: reason };
  const isTouched = changed.some(
    ({ path }) => path === said.path || path.endsWith(`/${said.path}`),
  );
  const isThere = [...paths].some((path) => path === said.path || path.endsWith(`/${said.path}`));
  // A name alone can be of a file elsewhere; what was added is here, or nowhere.
  const isKnown = isPlaced(said.path) || paths.has(said.path) || (said.how === "added" && !isThere);
  // What head does not have and the change does not touch, base did not have either.
  const untouched = `the change does not touch ${said.path}${isThere ? "" : ", and there is no such file"}`;
  const why = isTouched ? reason : untouched;
  return { verdict: isKnown || isTouched ? "refuted" : "unverified", why };
}

/** A finding is made up when neither tree has what it points at. */
async function judgeFindings(text: string, trees: readonly SourceTree[]): Promise<CiClaim[]> {
  const { findings } = parseReport(text, { path: "the description", format: "markdown" });
  if (findings.length === 0) return [];
  const judged: JudgedFinding[][] = [];
  for (const tree of trees) judged.push(await new CitationChecker(tree).checkAll(findings));
  return findings.map(({ id, title }, at): CiClaim => {
    const each = judged.flatMap((answers) => answers[at] ?? []);
    const best = each.find(({ verdict }) => verdict !== "HALLUCINATED") ?? each[0];
    const verdict =
      best === undefined || best.verdict === "UNVERIFIED"
        ? "unverified"
        : best.verdict === "HALLUCINATED"
          ? "refuted"
          : "confirmed";
    const shown = `${id} ${title}`.slice(0, TEXT_CHARS_MAX);
    return { kind: "finding", text: shown, verdict, why: best?.reason ?? "it was not judged" };
  });
}

const CITED = { there: "confirmed", missing: "refuted", unknown: "unverified" } as const;

async function judgeCited(text: string, trees: readonly SourceTree[]): Promise<CiClaim[]> {
  const places = await judgePlaces(text, trees, "");
  return places.map(
    ({ place, state, why }): CiClaim => ({
      kind: "citation",
      text: place,
      verdict: CITED[state],
      why,
    }),
  );
}
