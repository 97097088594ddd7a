/** More names than this in one line are read by nobody; documents for programs have them all. */
const NAMES_MAX = 24;

/** Names in a line, and how many are left out. */
export function someNames(names: readonly string[], between = ", "): string {
  const more = names.length - NAMES_MAX;
  if (more <= 0) return names.join(between);
  return [...names.slice(0, NAMES_MAX), `… (${more} more)`].join(between);
}
