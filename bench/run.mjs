// Runs all measurements, each in a process of its own, and prints one table.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { OPTIONS, printTable } from "./measure.mjs";

const { values } = parseArgs({ options: OPTIONS });
const parts = [
  ["append.mjs"],
  ["verify.mjs"],
  ["status.mjs"],
  ["start.mjs"],
  ["citation.mjs"],
  ["audit.mjs"],
  ["bwrap.mjs"],
  ["observe.mjs"],
  ["policy.mjs"],
  ["plan-gate.mjs"],
  ["proxy.mjs"],
  ["secrets.mjs"],
  ["bus.mjs"],
  ["agent-run.mjs"],
  ["durable-steps.mjs"],
  ["extract.mjs"],
  ["work.mjs"],
  ["packet.mjs"],
  ["session.mjs"],
  ["python-proof.mjs"],
];
if (values.entries) parts[1].push("--entries", values.entries);
if (values.rounds) for (const part of parts) part.push("--rounds", values.rounds);
if (values.large) parts.push(["verify.mjs", "--memory", "--entries", "1000000"]);

const rows = parts.flatMap(([name, ...args]) => {
  console.error(`measuring: ${[name, ...args].join(" ")}`);
  const path = fileURLToPath(new URL(name, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [path, "--json", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  return JSON.parse(stdout).rows;
});
if (values.json) console.log(JSON.stringify({ node: process.version, rows }));
else printTable(rows);
if (values.strict && rows.some(({ verdict }) => verdict === "missed")) process.exitCode = 1;
