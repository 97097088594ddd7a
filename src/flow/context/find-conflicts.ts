/** Something that somebody decided or holds to be so, as far as it can be at odds with another. */
export interface Stated {
  readonly kind: "fact" | "decision";
  /** Its name in its trace. */
  readonly id: string;
  /** What it is about: a title, a question. */
  readonly subject: string;
  /** What it says about it. */
  readonly says: string;
  readonly address: string;
  readonly trace: string;
  /** Its place in its trace; says nothing about another trace. */
  readonly seq: number;
  /** Earlier entries of the same trace that it takes the place of. */
  readonly supersedes?: readonly number[] | undefined;
  /** The same, by their names. */
  readonly replaces?: readonly string[] | undefined;
}

/** Two or more that do not say the same about one thing. */
export interface Conflict {
  readonly kind: Stated["kind"];
  readonly about: string;
  readonly between: readonly string[];
  /** The address of the one that counts; null where nothing that is recorded says so. */
  readonly holds: string | null;
  readonly why: string;
}

/**
 * Finds what is recorded twice and differs: under one name, or about one subject. In one trace the
 * later one counts, because there the order is certain. Between traces no clock decides: it is for a
 * person, and said to be open.
 */
export function findConflicts(all: readonly Stated[]): Conflict[] {
  const replaced = all.flatMap((later) =>
    all
      .filter((earlier) => replaces(later, earlier))
      .map((earlier) => ({ earlier, conflict: replacement(later, earlier) })),
  );
  const gone = new Set(replaced.map(({ earlier }) => earlier));
  const standing = all.filter((one) => !gone.has(one));
  return [
    ...replaced.map(({ conflict }) => conflict),
    ...groupsOf(standing).flatMap((group) => contradiction(group) ?? []),
  ];
}

function replaces(later: Stated, earlier: Stated): boolean {
  // An entry cannot take the place of one that did not exist yet, whatever it is called.
  if (later.trace !== earlier.trace || later.seq <= earlier.seq) return false;
  const isNamed = later.kind === earlier.kind && later.replaces?.includes(earlier.id) === true;
  return isNamed || later.supersedes?.includes(earlier.seq) === true;
}

function replacement(later: Stated, earlier: Stated): Conflict {
  return {
    kind: later.kind,
    about: earlier.subject,
    between: [earlier.address, later.address],
    holds: later.address,
    why: "the later one says that it takes the place of the earlier",
  };
}

/** Those that are about one thing: they share a name or a subject, each with some other. */
function groupsOf(all: readonly Stated[]): Stated[][] {
  const groups = new Map<string, Stated[]>();
  for (const one of all) {
    const known = keysOf(one).flatMap((key) => groups.get(key) ?? []);
    const group = [...new Set([...known, one])];
    for (const key of group.flatMap(keysOf)) groups.set(key, group);
  }
  return [...new Set(groups.values())];
}

function keysOf({ kind, id, subject }: Stated): string[] {
  const about = normal(subject);
  return [`${kind} called ${id}`, ...(about === "" ? [] : [`${kind} about ${about}`])];
}

function contradiction(group: readonly Stated[]): Conflict | undefined {
  const said = new Set(group.map(({ says }) => says.trim()));
  const [first] = group;
  if (said.size < 2 || first === undefined) return undefined;
  const isOneTrace = group.every(({ trace }) => trace === first.trace);
  const last = group.reduce((one, other) => (other.seq > one.seq ? other : one), first);
  return {
    kind: first.kind,
    about: first.subject,
    between: group.map(({ address }) => address),
    holds: isOneTrace ? last.address : null,
    why: isOneTrace
      ? "they say different things, and the later one counts"
      : "they say different things, and nothing recorded says which one counts: ask a person",
  };
}

/** Case, spaces and signs do not make another subject. */
function normal(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
