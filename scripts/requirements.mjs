// Prints what the source documents ask for and where each item stands.
// Usage: npm run requirements [-- --json]
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

// The table is TypeScript, which Node 20 does not load by itself; the bundler of the tests does.
const path = fileURLToPath(new URL("../test/requirements.ts", import.meta.url));
const { REQUIREMENTS } = (await runnerImport(path, { configFile: false, logLevel: "error" }))
  .module;

const TITLES = {
  "000": "contracts for agent outputs",
  "001": "plans with checkable acceptance",
  "002": "roles, states, signed ledger",
  "003": "runs, messages, task state",
  "004": "rules: sandbox, policy, votes",
};

const rows = Object.entries(REQUIREMENTS).map(([id, { text, state }]) => ({ id, state, text }));
const kindOf = (state) => (state.startsWith("superseded") ? "superseded" : state);
const totals = [...new Set(rows.map(({ id }) => id.slice(0, 3)))].map((source) => {
  const own = rows.filter(({ id }) => id.startsWith(`${source}-`));
  const count = (kind) => own.filter(({ state }) => kindOf(state) === kind).length;
  return {
    source,
    title: TITLES[source] ?? "",
    items: own.length,
    tested: count("tested"),
    planned: count("planned"),
    superseded: count("superseded"),
  };
});

if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ requirements: rows, totals }, null, 2));
} else {
  const width = Math.max(...rows.map(({ state }) => state.length));
  for (const { id, state, text } of rows)
    console.log(`${id.padEnd(7)}  ${state.padEnd(width)}  ${text}`);
  console.log("\nSOURCE  ITEMS  TESTED  PLANNED  SUPERSEDED");
  for (const { source, title, items, tested, planned, superseded } of totals) {
    const numbers = [pad(items, 5), pad(tested, 6), pad(planned, 7), pad(superseded, 10)];
    console.log(`${source}     ${numbers.join("  ")}  ${title}`);
  }
}

function pad(number, width) {
  return String(number).padStart(width);
}
