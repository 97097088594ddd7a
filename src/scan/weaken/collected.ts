import { isVendored } from "../kind/index.ts";

const NAMED_JAVASCRIPT =
  /(?:^|[._-])(?:test|spec|e2e)\.[cm]?[jt]sx?$|(?:^|\/)test-[^/]*\.[cm]?js$/i;
const NAMED_PYTHON = /(?:^|\/)(?:test[^/]*|[^/]*_tests?)\.py$/;
const FOLDER = /(?:^|\/)(?:__tests__|tests?|specs?)\//i;
const HIDDEN = /(?:^|\/)\.[^/]/;

/**
 * How surely test runners find a file by its name, as they come: 2 for a name that all of them look
 * for, 1 for a folder that some look into, 0 for one that nobody looks at.
 */
export function collectedRank(path: string): 0 | 1 | 2 {
  if (isVendored(path) !== undefined || HIDDEN.test(path)) return 0;
  if (path.endsWith(".py")) return NAMED_PYTHON.test(path) ? 2 : 0;
  if (!/\.[cm]?[jt]sx?$/.test(path)) return 0;
  return NAMED_JAVASCRIPT.test(path) ? 2 : FOLDER.test(path) ? 1 : 0;
}
