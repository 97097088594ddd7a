// Measures the security reviewer on published packages with a known weak spot: how often it speaks
// at the spot in the vulnerable version, how often it is silent there in the repaired one, and how
// often it speaks at all. Needs dist/, and packages that are unpacked already: none are kept here.
//
// Usage: node bench/published.mjs --packages <folder> [--list <pairs.json>] [--misses] [--json]
//
// The folder holds one folder for each package, named `name@version` with `/` written as `__`. The
// list holds { name, vulnerable, fixed, category, file, line, fixedLine }: the lines of the spot in
// the vulnerable version, and where they are in the repaired one. Without a list, the alarms of all
// packages in the folder are counted, which is meant for packages that are well kept.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { security } from "../dist/scan/security/index.js";

const LINES_APART_MAX = 5;
/** Folders that are not the package's own code, and code that was made from other code. */
const LEFT_OUT = /(?:^|\/)(?:node_modules|tests?|__tests__|spec|examples?|docs?)\/|\.min\.[a-z]+$/;

const OPTIONS = {
  packages: { type: "string" },
  list: { type: "string" },
  misses: { type: "boolean" },
  json: { type: "boolean" },
};

const folderOf = (name, version) => `${name.replaceAll("/", "__")}@${version}`;

function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => security.covers(path) && !LEFT_OUT.test(path));
}

/** What is said about one file; nothing where the file is gone. */
function review(folder, path) {
  let text;
  try {
    text = readFileSync(join(folder, path), "utf8");
  } catch {
    // The repair can be that the file is not there any more.
    return { lines: 0, found: [] };
  }
  if (security.passesOver({ path, text }) !== undefined) return { lines: 0, found: [] };
  return { lines: text.split("\n").length, found: security.review({ path, text }) };
}

const isAlarm = ({ priority }) => priority !== "P3";

/** All alarms of a package, with the number of lines they are about. */
function alarmsOf(folder) {
  const all = { lines: 0, p1: 0, p2: 0, ms: 0, said: [] };
  for (const path of sourceFiles(folder)) {
    const from = performance.now();
    const { lines, found } = review(folder, path);
    all.ms = Math.max(all.ms, performance.now() - from);
    all.lines += lines;
    for (const one of found.filter((each) => isAlarm(each))) {
      all[one.priority.toLowerCase()] += 1;
      all.said.push(`${one.priority} ${one.category} ${path}:${one.citations[0].line}`);
    }
  }
  return all;
}

function isLoud(folder, path, category, near) {
  return review(folder, path).found.some(
    (one) =>
      isAlarm(one) &&
      one.category === category &&
      near.some((line) => Math.abs(line - one.citations[0].line) <= LINES_APART_MAX),
  );
}

function judge(pair, packages) {
  const { name, vulnerable, fixed, category, file, line, fixedLine } = pair;
  const before = join(packages, folderOf(name, vulnerable));
  const after = join(packages, folderOf(name, fixed));
  const spots = [line].flat();
  return {
    name,
    category,
    hit: isLoud(before, file, category, spots),
    loud: isLoud(after, file, category, [fixedLine ?? spots].flat()),
    alarms: alarmsOf(before),
  };
}

function summarise(name, judged) {
  const count = (test) => judged.filter(test).length;
  const total = (key) => judged.reduce((sum, { alarms }) => sum + alarms[key], 0);
  return {
    name,
    pairs: judged.length,
    hits: count(({ hit }) => hit),
    right: count(({ hit, loud }) => hit && !loud),
    p1: total("p1"),
    p2: total("p2"),
    perThousandLines: ((total("p1") + total("p2")) * 1_000) / Math.max(1, total("lines")),
  };
}

function print(rows) {
  const head = ["", "pairs", "hits", "right", "P1", "P2", "alarms per 1,000 lines"];
  const cells = rows.map((row) => [
    row.name,
    ...[row.pairs, row.hits, row.right, row.p1, row.p2].map(String),
    row.perThousandLines.toFixed(2),
  ]);
  const all = [head, ...cells];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all)
    console.log(
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])))
        .join("  ")
        .trimEnd(),
    );
}

function measurePairs(list, packages) {
  const judged = JSON.parse(readFileSync(list, "utf8")).map((pair) => judge(pair, packages));
  const categories = [...new Set(judged.map(({ category }) => category))];
  const rows = categories.map((category) =>
    summarise(
      category,
      judged.filter((one) => one.category === category),
    ),
  );
  return { judged, rows: [...rows, summarise("overall", judged)] };
}

function measureFolders(packages) {
  const judged = readdirSync(packages).map((name) => ({
    name,
    alarms: alarmsOf(join(packages, name)),
  }));
  const rows = judged.map((one) => summarise(one.name, [one]));
  return { judged, rows: [...rows, summarise("overall", judged)] };
}

const { values } = parseArgs({ options: OPTIONS });
if (values.packages === undefined)
  throw new Error("--packages is missing: name the folder that holds the unpacked packages");
const { judged, rows } = values.list
  ? measurePairs(values.list, values.packages)
  : measureFolders(values.packages);
if (values.json) console.log(JSON.stringify({ node: process.version, rows, judged }));
else print(rows);
if (values.misses)
  for (const { name, category, hit, loud, alarms } of judged) {
    const isRight = category === undefined || (hit && !loud);
    if (!isRight) console.log(`${hit ? "" : "missed "}${loud ? "loud " : ""}${category} ${name}`);
    if (category === undefined) for (const line of alarms.said) console.log(`${name} ${line}`);
  }
