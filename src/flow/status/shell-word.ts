const PLAIN = /^[\w.:@%+=,/-]+$/;

/** A name as it may stand in a command that somebody types: quoted where a shell would read more into it. */
export function shellWord(name: string): string {
  return PLAIN.test(name) && !name.startsWith("-")
    ? name
    : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
