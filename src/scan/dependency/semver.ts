type Version = readonly [major: number, minor: number, patch: number];

/** Ranges are typed by hand; longer ones are not judged. */
const RANGE_CHARS_MAX = 200;
const PARTIAL =
  /^(\^|~|>=|<=|>|<|=)?v?(\d{1,9}|[xX*])(?:\.(\d{1,9}|[xX*]))?(?:\.(\d{1,9}|[xX*]))?$/;

/**
 * Whether a version lies in a range of npm's notation. Undefined where this small reading of the
 * notation cannot tell (pre-releases, tags, addresses): what is not understood is not called wrong.
 */
export function satisfies(version: string, range: string): boolean | undefined {
  const exact = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:\+[\w.-]{1,100})?$/.exec(version);
  if (exact === null || range.length > RANGE_CHARS_MAX) return undefined;
  const found: Version = [Number(exact[1]), Number(exact[2]), Number(exact[3])];
  const alternatives = range.split("||").map((part) => inAlternative(found, part.trim()));
  if (alternatives.includes(true)) return true;
  return alternatives.includes(undefined) ? undefined : false;
}

function inAlternative(version: Version, part: string): boolean | undefined {
  const hyphen = /^(\S{1,40}) - (\S{1,40})$/.exec(part);
  const comparators = hyphen
    ? [`>=${hyphen[1]}`, `<=${hyphen[2]}`]
    : part.replace(/([<>=^~]) {1,4}/g, "$1").split(/ {1,8}/);
  const answers = comparators.map((one) => (one === "" ? true : inComparator(version, one)));
  if (answers.includes(undefined)) return undefined;
  return !answers.includes(false);
}

function inComparator(version: Version, comparator: string): boolean | undefined {
  const match = PARTIAL.exec(comparator);
  if (match === null) return undefined;
  const [, sign = "=", ...texts] = match;
  const given = texts.filter((text) => text !== undefined && /^\d/.test(text)).map(Number);
  const low: Version = [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0];
  if (given.length === 0) return sign === "<" || sign === ">" ? undefined : true;
  return inBounds(version, sign, low, given.length);
}

function inBounds(version: Version, sign: string, low: Version, given: number): boolean {
  const afterPart = next(low, given - 1);
  switch (sign) {
    case "^":
      return isWithin(version, low, next(low, firstSet(low, given)));
    case "~":
      return isWithin(version, low, next(low, Math.min(1, given - 1)));
    case ">=":
      return compare(version, low) >= 0;
    case "<":
      return compare(version, low) < 0;
    case ">":
      return compare(version, afterPart) >= 0;
    case "<=":
      return compare(version, afterPart) < 0;
    default:
      return isWithin(version, low, afterPart);
  }
}

/** A caret allows changes right of the first number that is not zero. */
function firstSet(low: Version, given: number): number {
  const at = low.findIndex((number) => number !== 0);
  return at < 0 ? given - 1 : at;
}

function next([major, minor, patch]: Version, at: number): Version {
  if (at === 0) return [major + 1, 0, 0];
  return at === 1 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function isWithin(version: Version, low: Version, high: Version): boolean {
  return compare(version, low) >= 0 && compare(version, high) < 0;
}
