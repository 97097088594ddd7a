import {
  type AddedTests,
  addedTests,
  keptFiles,
  onlyFiles,
  partDeeds,
  saidWork,
} from "../../claim/index.ts";
import type { TestFiles } from "../ci/test-files.ts";
import { judgeKept } from "./judge-kept.ts";
import { judgeOnly } from "./judge-only.ts";
import { type ChangeSeen, judgePart, newNeeds, type OfChange } from "./judge-part.ts";
import { writtenTests } from "./written-tests.ts";

/** Something that is said of a change, and what the change shows of it. */
export interface SaidOfChange extends OfChange {
  readonly kind: "part" | "kept-files" | "only-files" | "added-tests" | "dependencies";
  readonly text: string;
}

const NO_TESTS = "no file of tests was added to or made";
/** Whoever speaks says that they did it, and of tests. Other words may be of what was there, or of others' work. */
const OWN_TESTS =
  /(?:^[^\p{L}]{0,12}(?:also\s)?|\b(?:I|we)(?:['’]ve|\shave)?\s(?:also\s|then\s)?|\band\s(?:also\s|then\s)?|,\s(?:also\s)?)(?:added|wrote|created)\s(?:[\p{L}\d-]{1,20}\s){0,5}?(?:tests|specs|test\scases?|(?:unit|regression|integration|e2e|new|a|one)\stest)\b(?!\s(?:plan|page|user|account|report|result|environment|fixture|mock|util|harness))/iu;
/** How many there are is another matter. */
const OF_MAKING = /\b(?:add(?:ed|s|ing)?|wrote|written|created?)\b/i;
/** Of a change, and not of what a part of it is like. */
const OF_ADDING =
  /\b(?:new|additional|extra|further|add(?:ed|ing)|introduc(?:ed|ing)|install(?:ed|ing))\b/i;
/** Said of what a program needs when it runs, of which what it is developed with is none. */
const AT_WORK = /\b(?:runtime|production|external|third-party)\b/i;

/** What a text says of the content of a change, as far as the change itself can tell. */
export async function judgeChangeWords(
  text: string,
  seen: ChangeSeen,
  files: Pick<TestFiles, "isTest" | "mayBe">,
): Promise<SaidOfChange[]> {
  const judged: SaidOfChange[] = [];
  for (const said of partDeeds(text)) {
    const found = await judgePart(said, seen);
    if (found !== undefined) judged.push({ kind: "part", text: said.text, ...found });
  }
  for (const said of keptFiles(text)) {
    judged.push({ kind: "kept-files", text: said.text, ...(await judgeKept(said, seen)) });
  }
  for (const said of onlyFiles(text)) {
    judged.push({ kind: "only-files", text: said.text, ...judgeOnly(said, text, seen) });
  }
  for (const said of addedTests(text).filter((one) => OF_MAKING.test(one.text))) {
    judged.push({ kind: "added-tests", text: said.text, ...(await judgeAdded(said, seen, files)) });
  }
  return [...judged, ...(await judgeNeeds(text, seen))];
}

/** That tests were added: written in a file of tests, and as many as were said. */
async function judgeAdded(
  { count, text }: AddedTests,
  { trees, changed }: ChangeSeen,
  files: Pick<TestFiles, "isTest" | "mayBe">,
): Promise<OfChange> {
  const tests = changed.filter(({ path }) => files.isTest(path));
  const may = changed.map(({ path }) => files.mayBe(path)).find((why) => why !== undefined);
  if (!tests.some(({ how }) => how !== "deleted")) {
    return may === undefined && OWN_TESTS.test(text)
      ? { verdict: "refuted", why: NO_TESTS }
      : {
          verdict: "unverified",
          why: may === undefined ? NO_TESTS : `cannot tell which files are tests: ${may}`,
        };
  }
  const more = await writtenTests(
    tests.map(({ path }) => path),
    trees,
  );
  if (more === undefined) {
    return { verdict: "unverified", why: "nothing here counts the tests in its files" };
  }
  const why = `${Math.abs(more)} ${more < 0 ? "fewer" : "more"} tests are written in its files of tests`;
  return { verdict: more >= count ? "confirmed" : "unverified", why };
}

/** That nothing else is needed now is refuted by what is; what else could be needed is not known. */
async function judgeNeeds(text: string, seen: ChangeSeen): Promise<SaidOfChange[]> {
  const said = saidWork(text).filter(
    (one) =>
      one.kind === "check" &&
      one.check === "dependencies" &&
      OF_ADDING.test(one.text) &&
      !AT_WORK.test(one.text),
  );
  if (said.length === 0) return [];
  const [need] = await newNeeds(seen);
  if (need === undefined) return [];
  return said.map((one) => ({
    kind: "dependencies",
    text: one.text,
    verdict: "refuted",
    why: need,
  }));
}
