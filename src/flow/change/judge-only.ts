import { posix } from "node:path";
import { type OnlyFiles, sentencesOf } from "../../claim/index.ts";
import { isCache } from "../../run/observe/index.ts";
import { isTestName } from "../../scan/kind/index.ts";
import type { ChangeSeen, OfChange } from "./judge-part.ts";

const SHOWN_MAX = 5;
const OF_TESTS = /test|spec|prueba|测试|テスト/iu;
/** That tests pass says nothing of what was done to them. */
const OF_PASSING =
  /\bpass|green|succe|grün|laufen|läuft|bestanden|vert|pasan|exitos|通过|成功|通り|パス/iu;

/**
 * That these files were changed, and no others. Refuted by a file that is not spoken of at all: who names
 * it elsewhere has hidden nothing, and only did not mean it.
 *
 * @param words all that was said
 */
export function judgeOnly(
  { paths }: Pick<OnlyFiles, "paths">,
  words: string,
  { changed }: Pick<ChangeSeen, "changed">,
): OfChange {
  const own = changed.filter(({ path }) => !isCache(path));
  const others = own.filter(({ path }) => !paths.some((one) => isMeant(path, one)));
  const hidden = others.filter(({ path }) => !isSpokenOf(path, words));
  const [first] = hidden.length > 0 ? hidden : others;
  if (first !== undefined) {
    const more = others.length > 1 ? `, and ${others.length - 1} more beside what is named` : "";
    const verdict = hidden.length > 0 ? "refuted" : "unverified";
    return { verdict, why: `${first.path} was ${first.how}${more}` };
  }
  const unseen = paths.find((one) => !own.some(({ path }) => isMeant(path, one)));
  if (unseen !== undefined) {
    return { verdict: "unverified", why: `${unseen} is not in the change` };
  }
  const all = own.slice(0, SHOWN_MAX).map(({ path }) => path);
  const rest = own.length > SHOWN_MAX ? ` and ${own.length - SHOWN_MAX} more` : "";
  return { verdict: "confirmed", why: `the change is of ${all.join(", ")}${rest}` };
}

const isMeant = (path: string, named: string): boolean =>
  named.endsWith("/")
    ? path.startsWith(named) || path.includes(`/${named}`)
    : path === named || path.endsWith(`/${named}`);

/** By its name, or, where it is one of tests, by what is said of tests beside that they pass. */
function isSpokenOf(path: string, words: string): boolean {
  const ofTests = (one: string) => OF_TESTS.test(one) && !OF_PASSING.test(one);
  return (
    words.includes(posix.basename(path)) || (isTestName(path) && sentencesOf(words).some(ofTests))
  );
}
