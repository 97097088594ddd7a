import { readSettings, type Settings } from "./read-settings.ts";
import { TooMuch } from "./reading.ts";
import { commandLoss } from "./test-command.ts";
import { type ChangedSource, shown, type WeakenedTest } from "./weakened-test.ts";

/** Settings of one file that are compared; nobody has as many that concern tests. */
const COMPARED_MAX = 2_000;
const SETTINGS_CHARS_MAX = 500_000;

const EXCLUDING =
  /(?:^|\.)(?:exclude|testPathIgnorePatterns|modulePathIgnorePatterns|testIgnore|excludeSpecPattern|ignore|collect_ignore|collect_ignore_glob|norecursedirs)$/;
const INCLUDING =
  /(?:^|\.)(?:include|testMatch|testRegex|spec|specs|roots|testpaths|python_files|python_classes|python_functions|testDir|specPattern)$/;
const COVERAGE = /(?:^|\.)(?:coverage|nyc|c8|run|report)\b/;
const THRESHOLD =
  /(?:^|\.)(?:thresholds|coverageThreshold|check-coverage|fail_under)(?:\.|$)|^(?:nyc\.|c8\.)?(?:branches|lines|functions|statements)$/;
const SWITCH = /(?:^|\.)(?:passWithNoTests|dangerouslyIgnoreUnhandledErrors|allowOnly)$/;
const PATTERN = /(?:^|\.)(?:testNamePattern|grep|grepInvert|fgrep|invert)$/;
const PATIENCE = /(?:^|\.)(?:retry|retries|testTimeout|hookTimeout|timeout|reruns)$/;
const TEST_SCRIPT = /^scripts\.(?:(?:pre|post)?test(?:[:.-].{1,60})?|check|ci|verify|coverage)$/;
/** What a bundler takes or leaves out concerns no test. */
const OF_BUILDING = /(?:^|\.)(?:optimizeDeps|build|server|ssr|resolve|plugins|css|esbuild)\./;
/** Of a `package.json`, what else is there concerns no test. */
const PACKAGE_PART = /^(?:jest|vitest|mocha|ava|nyc|c8|tap)\./;
const SECTION_PART =
  /^(?:pytest|tool:pytest|tool\.pytest(?:\.ini_options)?|coverage:\w+|tool\.coverage\.\w+|report|run)\./;

type Said = Pick<WeakenedTest, "severity" | "message" | "line">;
const weakened = (message: string): Said => ({ severity: "weakened", message });
const note = (message: string): Said => ({ severity: "note", message });

/** How a file that decides which tests run lets fewer of them run, or less of them count. */
export function compareSettings(file: ChangedSource): WeakenedTest[] {
  const { path, before, after } = file;
  const place = { kind: "config", path, side: "after" } as const;
  if (before === undefined) return after === undefined ? [] : freshSettings(file);
  const [old, now] = [read(file.renamedFrom ?? path, before), read(path, after ?? "{}")];
  if (old === undefined || (now === undefined && after !== undefined)) {
    const message = `${path} could not be read: whether fewer tests run now was not judged`;
    return [{ ...place, severity: isOnlyTests(path) ? "weakened" : "note", message }];
  }
  const said =
    after === undefined
      ? [note(`${path} decided which tests run, and is gone`)]
      : differences(file, old, now ?? new Map());
  return said.map((one) => ({ ...place, ...one }));
}

/** A new file of settings can leave out what ran without it; only what always does is said. */
function freshSettings(file: ChangedSource): WeakenedTest[] {
  const { path, after = "" } = file;
  if (!/conftest\.py$|pytest\.ini$/.test(path)) return [];
  const now = read(path, after);
  const said = now ? differences(file, new Map(), now) : [];
  return said.map((one) => ({ kind: "config", path, side: "after", ...one }));
}

function isOnlyTests(path: string): boolean {
  return !/(?:package\.json|pyproject\.toml|setup\.cfg|vite\.config\.\w+)$/.test(path);
}

function read(path: string, text: string): Settings | undefined {
  if (text.length > SETTINGS_CHARS_MAX) return undefined;
  try {
    return readSettings(path, text);
  } catch (error) {
    // A file that asks for too much is reported as not judged; anything else is a bug of ours.
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

/** Where a setting stands now, by the last part of its path. */
function lineOf(text: string | undefined, name: string): { line?: number } {
  const word = name.slice(name.lastIndexOf(".") + 1);
  const at = [`"${word}"`, word].map((one) => text?.indexOf(one) ?? -1).find((index) => index >= 0);
  return at === undefined || text === undefined
    ? {}
    : { line: text.slice(0, at).split("\n").length };
}

function differences({ path, after }: ChangedSource, old: Settings, now: Settings): Said[] {
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => concerns(path, name));
  return names.slice(0, COMPARED_MAX).flatMap((name) => {
    const judge = JUDGES.find(([pattern]) => pattern.test(name))?.[1];
    const said = judge?.(name, old.get(name), now.get(name)) ?? [];
    return said.map((one) => ({ ...one, ...lineOf(after, name) }));
  });
}

function concerns(path: string, name: string): boolean {
  if (path.endsWith("package.json")) return PACKAGE_PART.test(name) || TEST_SCRIPT.test(name);
  if (/(?:^|\/)vite(?:st)?\./.test(path)) return !OF_BUILDING.test(name);
  return /\.(?:toml|cfg|ini)$/.test(path) ? SECTION_PART.test(name) : true;
}

type Values = readonly string[] | undefined;
type Judge = (name: string, old: Values, now: Values) => Said[];

function isOn(values: readonly string[] | undefined): boolean {
  return /^true$/i.test(values?.[0] ?? "");
}

function script(name: string, old: Values, now: Values): Said[] {
  if (old === undefined) return [];
  const why = commandLoss(old[0] ?? "", now?.[0]);
  // A script that is gone may have another name now; the one that everybody calls may not.
  const isMain = name === "scripts.test";
  if (why === undefined) return [];
  return [now !== undefined || isMain ? weakened(`${name}: ${why}`) : note(`${name}: ${why}`)];
}

function options(name: string, old: Values = [], now: Values = []): Said[] {
  const why = commandLoss(old.join(" "), now.join(" "));
  const [from, to] = [old, now].map((one) => /--cov-fail-under[= ](\d+)/.exec(one.join(" "))?.[1]);
  const isLower = from !== undefined && to !== undefined && Number(to) < Number(from);
  if (isLower) return [weakened(`${name}: --cov-fail-under ${from} before, ${to} now`)];
  return why === undefined ? [] : [weakened(`${name}: ${why}`)];
}

function hook(name: string, old: Values, now: Values): Said[] {
  if (now === undefined || old?.[0] === now[0]) return [];
  const what = name.slice("hook.".length);
  const isChoosing =
    /^pytest_(?:collect|ignore|itemcollected|runtest|deselected|pycollect|sessionfinish|report)/.test(
      what,
    );
  if (!isChoosing) return [];
  const message = `${what} ${old ? "decides in another way now" : "is new and decides"} which tests run or how they count: \`${shown(now[0] ?? "")}\``;
  return [weakened(message)];
}

function threshold(name: string, old: Values, now: Values): Said[] {
  const [from, to] = [Number(old?.[0]), Number(now?.[0])];
  if (old === undefined || Number.isNaN(from)) return [];
  if (now === undefined) return [weakened(`${name}: ${from} before, none now`)];
  // A negative number is how many lines may stay uncovered.
  const isLower = from < 0 && to < 0 ? to < from : to < from;
  return isLower ? [weakened(`${name}: ${from} before, \`${to}\` now`)] : [];
}

/** What one list holds and the other does not. */
function listed(
  name: string,
  more: readonly string[] = [],
  less: readonly string[] = [],
  verb: string,
): Said[] {
  const known = new Set(less);
  const found = more.filter((one) => !known.has(one) && !one.startsWith("..."));
  if (found.length === 0) return [];
  const message = `${name} ${verb} ${found
    .map((one) => `\`${shown(one)}\``)
    .slice(0, 5)
    .join(", ")} now`;
  return [COVERAGE.test(name) ? note(message) : weakened(message)];
}

function chosen(name: string, old: Values, now: Values): Said[] {
  if (now === undefined || old?.[0] === now[0]) return [];
  return [weakened(`${name} is \`${shown(now[0] ?? "")}\` now: other tests do not run`)];
}

function patience(name: string, old: Values, now: Values): Said[] {
  const [from, to] = [
    Number((old?.[0] ?? "0").replaceAll("_", "")),
    Number((now?.[0] ?? "").replaceAll("_", "")),
  ];
  return now !== undefined && to > from
    ? [note(`${name}: ${old?.[0] ?? "unset"} before, ${to} now`)]
    : [];
}

/** Which settings are compared, and how; the first that fits decides. */
const JUDGES: readonly (readonly [RegExp, Judge])[] = [
  [TEST_SCRIPT, script],
  [/\.addopts$/, options],
  [/^hook\./, hook],
  [THRESHOLD, threshold],
  [EXCLUDING, (name, old, now) => listed(name, now, old, "leaves out")],
  [
    INCLUDING,
    (name, old, now) =>
      old && now
        ? listed(name, old, now, "no longer takes")
        : now
          ? [note(`${name} is new: only what it names is taken now`)]
          : [],
  ],
  [SWITCH, (name, old, now) => (isOn(now) && !isOn(old) ? [weakened(`${name} is on now`)] : [])],
  [
    /xfail_strict$/,
    (name, old, now) => (isOn(old) && !isOn(now) ? [weakened(`${name} is off now`)] : []),
  ],
  [PATTERN, chosen],
  [PATIENCE, patience],
];
