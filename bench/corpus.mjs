// Measures the security reviewer on pairs of files: how many weak spots it finds, and how often it
// still speaks about the twin in which the spot is repaired. Needs dist/.
//
// Usage: node bench/corpus.mjs [--part tuning|held-out] [--misses] [--json] [--strict]
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { security } from "../dist/scan/security/index.js";

const CORPUS = fileURLToPath(new URL("corpus/", import.meta.url));
const RECALL_LEAST = 0.85;
const TWIN_ALARMS_MOST = 0.05;
/** How far from the marked line an alarm may be and still be about it. */
const LINES_APART_MAX = 5;

const OPTIONS = {
  part: { type: "string" },
  misses: { type: "boolean" },
  json: { type: "boolean" },
  strict: { type: "boolean" },
};

/** Every third pair is held out: rules are tuned on the others. */
function pairs() {
  const all = readdirSync(CORPUS, { recursive: true })
    .map(String)
    .filter((name) => name.includes(".vulnerable."))
    .sort();
  return all.map((name, at) => {
    const [category] = name.split("/");
    const part = at % 3 === 0 ? "held-out" : "tuning";
    return { name, category, part, twin: name.replace(".vulnerable.", ".fixed.") };
  });
}

/** The marks are taken out first, so that the reviewer cannot have read them. */
function read(name) {
  const marked = readFileSync(CORPUS + name, "utf8").split("\n");
  const mark = / *(?:\/\/|#) sink: [a-z-]+$/;
  const sinks = marked.flatMap((line, at) => (mark.test(line) ? [at + 1] : []));
  return { sinks, text: marked.map((line) => line.replace(mark, "")).join("\n") };
}

function alarms(name, text, category) {
  return security
    .review({ path: name, text })
    .filter((one) => one.category === category && one.priority !== "P3");
}

export function judge({ name, twin, category, part }) {
  const { sinks, text } = read(name);
  const isNear = (line) => sinks.some((sink) => Math.abs(sink - line) <= LINES_APART_MAX);
  const hit = alarms(name, text, category).some(({ citations }) => isNear(citations[0].line));
  const loud = alarms(twin, read(twin).text, category).length > 0;
  return { name, category, part, hit, loud };
}

function summarise(name, judged) {
  const count = (test) => judged.filter(test).length;
  return {
    name,
    pairs: judged.length,
    recall: count(({ hit }) => hit) / judged.length,
    twinAlarms: count(({ loud }) => loud) / judged.length,
    right: count(({ hit, loud }) => hit && !loud),
  };
}

function print(rows) {
  const cells = rows.map((row) => [
    row.name,
    String(row.pairs),
    row.recall.toFixed(2),
    row.twinAlarms.toFixed(2),
    String(row.right),
  ]);
  const all = [["category", "pairs", "recall", "twin alarms", "pairs right"], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all) {
    const line = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]),
    );
    console.log(line.join("  ").trimEnd());
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: OPTIONS });
  const judged = pairs()
    .filter(({ part }) => values.part === undefined || part === values.part)
    .map((pair) => judge(pair));
  const categories = [...new Set(judged.map(({ category }) => category))];
  const rows = categories.map((category) =>
    summarise(
      category,
      judged.filter((one) => one.category === category),
    ),
  );
  const overall = summarise("overall", judged);
  if (values.json) console.log(JSON.stringify({ node: process.version, rows, overall }));
  else print([...rows, overall]);
  if (values.misses)
    for (const one of judged.filter(({ hit, loud }) => !hit || loud))
      console.log(`${one.hit ? "" : "missed "}${one.loud ? "loud " : ""}${one.name}`);
  const isGood = overall.recall >= RECALL_LEAST && overall.twinAlarms <= TWIN_ALARMS_MOST;
  if (values.strict && !isGood) process.exitCode = 1;
}
