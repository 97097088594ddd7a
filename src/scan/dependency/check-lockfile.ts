import type { Found } from "../reviewer.ts";
import type { Declared, Manifest } from "./declared.ts";
import { LOCAL_SCHEMES, type Locked, type Lockfile } from "./lockfile.ts";

const CITED_MAX = 20;
const FINDINGS_MAX = 50;
/** Ranges that name something else than versions; a lockfile writes them in its own way. */
function isOtherRange(range: string): boolean {
  const [scheme = ""] = range.split(":", 1);
  if (scheme !== range && LOCAL_SCHEMES.has(scheme)) return true;
  return /^(?:npm|catalog|git|github|gitlab|bitbucket|https?|ssh)[:+]|\//.test(range);
}

/** Holds a manifest against the lockfile beside it. */
export function checkAgainstLock(manifest: Manifest, lock: Lockfile): Found[] {
  if (lock.packages.length === 0) return [];
  const byName = groupByName(lock.packages);
  const asked = new Set(lock.packages.flatMap((one) => one.asked));
  return manifest.declared
    .flatMap((one): Found[] => {
      const entries = byName.get(one.name);
      if (entries === undefined) return isElsewhere(one, asked) ? [] : [lacks(one, lock)];
      return manifest.overruled.has(one.name)
        ? []
        : [...outdated(one, lock, asked), ...twice(one, lock, entries)];
    })
    .slice(0, FINDINGS_MAX);
}

function groupByName(packages: readonly Locked[]): Map<string, Locked[]> {
  const groups = new Map<string, Locked[]>();
  for (const one of packages) {
    const known = groups.get(one.name);
    if (known) known.push(one);
    else groups.set(one.name, [one]);
  }
  return groups;
}

/** Another name, a folder or a neighbour: the lockfile knows it in another way, if at all. */
function isElsewhere({ name, range, isOptional }: Declared, asked: ReadonlySet<string>): boolean {
  return isOptional || isOtherRange(range) || asked.has(`${name}@${range}`);
}

function lacks({ name, at }: Declared, { path }: Lockfile): Found {
  return {
    priority: "P2",
    category: "lock-lacks-dependency",
    title: `${path} lacks ${name}`.slice(0, 500),
    citations: [at],
    issue: "An installation from the lockfile fails or leaves the package out.",
    fix: "Update the lockfile together with the manifest.",
  };
}

function outdated(
  { name, range, at }: Declared,
  lock: Lockfile,
  asked: ReadonlySet<string>,
): Found[] {
  if (!lock.namesRanges || isOtherRange(range)) return [];
  if (asked.has(`${name}@${range}`) || asked.has(`${name}@npm:${range}`)) return [];
  return [
    {
      priority: "P2",
      category: "lock-misses-range",
      title: `${lock.path} does not know ${name} as the manifest asks for it`.slice(0, 500),
      citations: [at],
      issue: `No entry was made for \`${name}@${range.slice(0, 100)}\`: manifest and lockfile were changed separately.`,
      fix: "Update the lockfile together with the manifest.",
    },
  ];
}

function twice({ name, at }: Declared, lock: Lockfile, entries: readonly Locked[]): Found[] {
  const versions = [...new Set(entries.map(({ version }) => version.replace(/\(.*$/, "")))];
  if (versions.length < 2) return [];
  return [
    {
      priority: "P3",
      category: "duplicate-version",
      title: `${lock.path} has ${name} in ${versions.length} versions`.slice(0, 500),
      citations: [at, ...entries.slice(0, CITED_MAX).map(({ line }) => lock.lines.cite(line))],
      issue: `${versions.slice(0, 10).join(", ")}: all are loaded, and values made by one are strangers to the others.`,
    },
  ];
}

/** What a lockfile tells about its packages. One finding for each kind of thing. */
export function checkPackages(lock: Lockfile): Found[] {
  const listed = (chosen: readonly Locked[], told: Omit<Found, "citations">): Found[] =>
    chosen.length === 0
      ? []
      : [
          {
            ...told,
            title: `${chosen.length} ${told.title}`,
            citations: chosen.slice(0, CITED_MAX).map(({ line }) => lock.lines.cite(line)),
          },
        ];
  const { packages } = lock;
  const usual = usualHost(packages);
  return [
    ...listed(
      packages.filter(({ source }) => source.kind === "plain-address"),
      {
        priority: "P2",
        category: "address-dependency",
        title: "locked packages are fetched without encryption",
        issue: "Whoever is on the way can change what is delivered.",
      },
    ),
    ...listed(
      packages.filter(({ source }) => source.kind === "git" || source.kind === "address"),
      {
        priority: "P3",
        category: "address-dependency",
        title: "locked packages come from an address and not from a registry",
        issue: "What an address delivers can change or vanish, and nobody keeps a copy.",
      },
    ),
    ...listed(
      packages.filter(({ source }) => source.kind === "registry" && source.host !== usual),
      {
        priority: "P3",
        category: "other-registry",
        title: "locked packages come from another registry than the rest",
        issue: "A package of the same name may be somebody else's there.",
      },
    ),
    ...listed(
      packages.filter(({ source, hasHash }) => !hasHash && source.kind === "registry"),
      {
        priority: "P3",
        category: "missing-integrity",
        title: "locked packages have no hash",
        issue: "Nothing shows that a download is what was locked.",
      },
    ),
    ...listed(
      packages.filter(({ runsScript }) => runsScript),
      {
        priority: "P3",
        category: "install-script",
        title: "locked packages run a script when they are installed",
        issue: "It runs with the rights of whoever installs.",
      },
    ),
  ];
}

/** The registry that most packages come from. */
function usualHost(packages: readonly Locked[]): string {
  const counts = new Map<string, number>();
  for (const { source } of packages) {
    if (source.kind === "registry") counts.set(source.host, (counts.get(source.host) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return first?.[0] ?? "";
}
