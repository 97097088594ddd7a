const SHOWN_MAX = 5;

/** The names that a word means: the very one, else all that begin with it. */
export function namesMeant(wanted: string, names: readonly string[]): readonly string[] {
  return names.includes(wanted) ? [wanted] : names.filter((name) => name.startsWith(wanted));
}

/** What is said where a word means several names, so that the next try can name one of them. */
export function severalMeant(what: string, wanted: string, names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_MAX).join(", ");
  const more = names.length > SHOWN_MAX ? ` and ${names.length - SHOWN_MAX} more` : "";
  const begin = `${names.length} ${what} begin with ${JSON.stringify(wanted)}: ${shown}${more}`;
  return `${begin}; say more of the one that is meant`;
}
