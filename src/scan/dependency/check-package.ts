import type { Found } from "../reviewer.ts";
import { type JsonFile, membersOf } from "./manifest.ts";
import { satisfies } from "./semver.ts";

const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies"] as const;
const CITED_MAX = 20;
const FINDINGS_MAX = 50;

/** Holds a manifest's ranges against its lockfile, and looks at the ranges themselves. */
export function checkManifest(manifest: JsonFile, lock: JsonFile | undefined): Found[] {
  const overrides = membersOf(manifest.value["overrides"]);
  return SECTIONS.flatMap((section) =>
    Object.entries(membersOf(manifest.value[section])).flatMap(([name, range]) => {
      if (typeof range !== "string") return [];
      const told =
        rangeTrouble(name, range) ??
        (name in overrides ? undefined : lockTrouble(lock, section, name, range));
      return told
        ? [{ ...told, citations: [manifest.lines.cite(manifest.lineOf(section, name))] }]
        : [];
    }),
  ).slice(0, FINDINGS_MAX);
}

type Told = Omit<Found, "citations">;

function rangeTrouble(name: string, range: string): Told | undefined {
  const shown = range.slice(0, 100);
  if (/^(?:\*|x|latest|)$/i.test(range.trim())) {
    return told(
      "P3",
      "unpinned-dependency",
      `${name} may be any version`,
      "Any version, also one with breaking changes, satisfies it.",
    );
  }
  if (/^http:/i.test(range)) {
    return told(
      "P2",
      "address-dependency",
      `${name} is fetched without encryption`,
      `Whoever is on the way can change what ${shown} delivers.`,
    );
  }
  const isGit = /^(?:git[+:]|github:|gitlab:|bitbucket:|[\w.-]{1,100}\/[\w.-]{1,100}(?:#|$))/.test(
    range,
  );
  if (/^https:/i.test(range) || (isGit && !/#[0-9a-f]{40}$/.test(range))) {
    return told(
      "P3",
      "address-dependency",
      `${name} comes from an address that can change`,
      `${shown} names no commit.`,
    );
  }
  return undefined;
}

function lockTrouble(
  lock: JsonFile | undefined,
  section: string,
  name: string,
  range: string,
): Told | undefined {
  const packages = lock && membersOf(lock.value["packages"]);
  if (packages === undefined || Object.keys(packages).length === 0) return undefined;
  const entry = packages[`node_modules/${name}`];
  if (entry === undefined) {
    return section === "optionalDependencies"
      ? undefined
      : told(
          "P2",
          "lock-lacks-dependency",
          `The lockfile lacks ${name}`,
          "An installation from the lockfile fails or leaves the package out.",
        );
  }
  const { version } = membersOf(entry);
  if (typeof version !== "string" || satisfies(version, range) !== false) return undefined;
  return told(
    "P2",
    "lock-misses-range",
    `The lockfile has ${name} ${version}, the manifest asks for ${range}`,
    "Manifest and lockfile were changed separately; an installation from the lockfile fails.",
  );
}

function told(priority: "P2" | "P3", category: string, title: string, issue: string): Told {
  return { priority, category, title: title.slice(0, 500), issue };
}

interface Entry {
  readonly path: string;
  readonly entry: ReturnType<typeof membersOf>;
}

/** What a lockfile says about its packages: hashes, install scripts, licences. One finding for each. */
export function checkLock(lock: JsonFile, manifest: JsonFile | undefined): Found[] {
  const packages = membersOf(lock.value["packages"]);
  const entries = Object.entries(packages)
    .filter(([path]) => path.includes("node_modules/"))
    .map(([path, value]) => ({ path, entry: membersOf(value) }))
    .filter(({ entry }) => entry["link"] !== true && entry["inBundle"] !== true);
  const isDoubled = ({ path, entry }: Entry) => {
    const name = path.slice(path.lastIndexOf("node_modules/"));
    return path !== name && majorOf(entry) !== majorOf(membersOf(packages[name]));
  };
  const isBare = ({ entry }: Entry) =>
    typeof entry["integrity"] !== "string" &&
    !/^(?:git|file)/.test(String(entry["resolved"] ?? ""));
  return [
    ...listed(lock, entries.filter(isDoubled), DOUBLED),
    ...listed(lock, entries.filter(isBare), BARE),
    ...listed(
      lock,
      entries.filter(({ entry }) => entry["hasInstallScript"] === true),
      SCRIPTED,
    ),
    ...checkLicences(lock, entries, String(manifest?.value["license"] ?? "")),
  ];
}

/** Licences that ask for more than the project's own, and packages that name none. */
function checkLicences(lock: JsonFile, entries: readonly Entry[], own: string): Found[] {
  const isPermissive = /^(?:MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause)$/.test(own);
  const licence = ({ entry }: Entry) => String(entry["license"] ?? "");
  const isCopyleft = (one: Entry) =>
    isPermissive &&
    one.entry["dev"] !== true &&
    /(?:^|[( ])[AL]?GPL-/.test(licence(one)) &&
    !/ OR /.test(licence(one));
  // Older versions of npm wrote none at all.
  const areNamed = entries.filter((one) => licence(one) !== "").length > entries.length / 2;
  const isSilent = (one: Entry) => areNamed && licence(one) === "";
  return [
    ...listed(lock, entries.filter(isSilent), UNLICENSED),
    ...listed(lock, entries.filter(isCopyleft), COPYLEFT),
  ];
}

const DOUBLED = told(
  "P3",
  "duplicate-major",
  "locked packages stand beside another major version of themselves",
  "Both are loaded, and values made by one are strangers to the other.",
);
const BARE = told(
  "P3",
  "missing-integrity",
  "locked packages have no hash",
  "Nothing shows that a download is what was locked.",
);
const SCRIPTED = told(
  "P3",
  "install-script",
  "locked packages run a script when they are installed",
  "It runs with the rights of whoever installs.",
);
const UNLICENSED = told(
  "P3",
  "missing-licence",
  "locked packages name no licence",
  "Without one nobody may use a package; look for it in its source.",
);
const COPYLEFT = told(
  "P3",
  "copyleft-licence",
  "locked packages have a copyleft licence",
  "The project's own licence is permissive; check that both fit.",
);

function listed(lock: JsonFile, chosen: readonly Entry[], said: Told): Found[] {
  if (chosen.length === 0) return [];
  const citations = chosen
    .slice(0, CITED_MAX)
    .map(({ path }) => lock.lines.cite(lock.lineOf("packages", path)));
  return [{ ...said, title: `${chosen.length} ${said.title}`, citations }];
}

function majorOf(entry: ReturnType<typeof membersOf>): string {
  return String(entry["version"] ?? "").split(".", 1)[0] ?? "";
}
