// A guided run of the main job: review a change together with a lying agent's report, verify the
// record of it, tamper with a copy, and try each guarantee on this machine. Every step says what it expects, so the demo is a check too:
// it ends with 1 when one differs.
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BLOCK_BYTES, parseTarHeader, TAR_END, tarHeader, tarPadding } from "../dist/base/index.js";

const BIN = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
const SAMPLE = fileURLToPath(new URL("../examples/review", import.meta.url));
/** A guard against hanging, not a promise about speed. */
const STEP_TIMEOUT_MS = 120_000;
const COLUMNS_MAX = 112;
const SHOWN = /finding_checked.*BACK-001|challenge|final_statement/;
const SILENT = /^ {2}\S+ +0 P1 {2}0 P2 {2}0 P3 .* complete$/;
const EXIT_INTERRUPTED = 130;

const isColoured = process.stdout.isTTY === true && !process.env["NO_COLOR"];
const paint = (code) => (text) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
const [bold, dim] = [paint(1), paint(2)];

const folder = mkdtempSync(join(tmpdir(), "sworn-demo-"));
// Sandboxes of root are somebody else's, who has to get to what they are given.
chmodSync(folder, 0o711);
const shop = join(folder, "shop");
let running;
let stepNumber = 0;

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    // The exit handler above clears up, once nothing writes into the folder any more.
    if (!running) process.exit(EXIT_INTERRUPTED);
    running.once("close", () => process.exit(EXIT_INTERRUPTED));
    running.kill("SIGKILL");
  });
}

// A reader that goes away early (| head) is not an error.
process.stdout.on("error", () => process.exit());

try {
  await demo();
} catch (error) {
  console.error(`\ndemo: ${error.message}`);
  process.exitCode = 1;
}

async function demo() {
  makeShop();

  step("An agent says it reviewed a change. Hold each of its findings against the source");
  say(
    await sworn("check agent-report.md", {
      exit: 4,
      shows: ["1 confirmed, 1 inaccurate, 3 made up"],
    }),
  );

  step("Review the change with the built-in reviewers, the agent's report taking part");
  const shows = [
    "Command built from outside data",
    "Path built from outside data",
    "Lies caught: 3",
  ];
  sayReview(await sworn("review main..change --with agent-report.md", { exit: 3, shows }));

  step("Everything that was said and found is on record, the agent's struck claim too");
  sayEntries(
    await sworn("trace show latest", { shows: ["finding_checked", "challenge_resolved"] }),
  );

  step("Verify the record, then hand it on: one file, and the key it must be signed with");
  sayPass(await sworn("verify latest", { shows: ["PASS", "session completed"] }), 2);
  say(await sworn("trace export latest --out review.tar", { shows: ["Wrote review.tar"] }), 1);
  const key = await sworn("keys export-public", { to: "sworn.key", shows: ["sworn+"] });
  writeFileSync(join(shop, "sworn.key"), `${key.join("\n")}\n`);

  step("Somebody wants the agent's claim to stand: the challenge is withdrawn in a copy");
  edit("edited.tar", (entries) => entries.map((line) => line.replace('"upheld"', '"withdrawn"')));
  await showFailure("edited.tar", "SIG_INVALID (critical): entry ");

  step("Try each guarantee on this very machine");
  sayGuarantees(await sworn("prove", { shows: ["All 12 guarantees hold here."] }));

  console.log(
    "\nShown: what the agent made up is named, what it misplaced is put right, what is really wrong",
  );
  console.log(
    "with the change is found, the record cannot be bent unseen, and the guarantees hold here.",
  );
}

/** The sample change as a repository: what was there on main, the change on a branch of its own. */
function makeShop() {
  mkdirSync(shop);
  git("init", "-q", "-b", "main");
  cpSync(join(SAMPLE, "before"), shop, { recursive: true });
  commit("The shop as it was");
  git("checkout", "-q", "-b", "change");
  cpSync(join(SAMPLE, "after"), shop, { recursive: true });
  commit("Print invoices");
  cpSync(join(SAMPLE, "agent-report.md"), join(shop, "agent-report.md"));
}

function commit(message) {
  git("add", "-A");
  git("commit", "-q", "-m", message);
}

/** Nobody's own settings, and one point in time, so that the commits are the same everywhere. */
function git(...args) {
  const who = { NAME: "Demo", EMAIL: "demo@example.org", DATE: "2026-01-01T00:00:00Z" };
  const identity = Object.entries(who).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]);
  const plain = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const env = { PATH: process.env.PATH, ...plain, ...Object.fromEntries(identity) };
  execFileSync("git", ["-c", "core.autocrlf=false", ...args], { cwd: shop, env });
}

function step(title) {
  stepNumber += 1;
  console.log(`${stepNumber === 1 ? "" : "\n"}${bold(`${stepNumber}. ${title}`)}`);
}

/** Runs a command, prints it as a person would type it, and insists on what it must say. */
async function sworn(command, { exit = 0, shows = [], to } = {}) {
  console.log(dim(`$ sworn ${command}${to ? ` > ${to}` : ""}`));
  const outcome = await run(command);
  const missing = shows.find((text) => !outcome.out.includes(text));
  if (outcome.exit !== exit || missing !== undefined) {
    const expected = `exit code ${exit}${missing ? ` and "${missing}"` : ""}`;
    const found = `exit code ${outcome.exit}\n${outcome.out}${outcome.err}`;
    throw new Error(`"sworn ${command}": expected ${expected}, found ${found}`);
  }
  return outcome.out.trimEnd().split("\n");
}

async function run(command) {
  // What a command leaves behind when it is interrupted goes with the folder.
  const env = { ...process.env, SWORN_STATE_DIR: join(folder, "state"), TMPDIR: folder };
  const child = spawn(process.execPath, [BIN, ...command.split(" ")], {
    cwd: shop,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: STEP_TIMEOUT_MS,
  });
  running = child;
  const [out, err, exit] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(code));
    }),
  ]);
  running = undefined;
  return { out, err, exit };
}

async function textOf(stream) {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  return text;
}

function say(lines, count = lines.length) {
  for (const line of lines.slice(0, count)) {
    const isLong = line.length > COLUMNS_MAX;
    console.log(isLong ? `${line.slice(0, COLUMNS_MAX - 1).trimEnd()}…` : line);
  }
}

/** A review, without the reviewers that had nothing to report. */
function sayReview(lines) {
  const first = lines.findIndex((line) => SILENT.test(line));
  const silent = lines.filter((line) => SILENT.test(line));
  const note = `  [${silent.length} reviewers without findings left out]`;
  const shown = lines.map((line, index) => (index === first ? note : line));
  say(shown.filter((line) => !SILENT.test(line)));
}

/** The names alone: what was tried, and what answered, takes a page. */
function sayGuarantees(lines) {
  const shown = lines.filter((line) => !line.startsWith("  "));
  say(shown.slice(0, -1));
  console.log(dim("[what was tried, and what answered, left out]"));
  say(shown.slice(-1));
}

function sayEntries(lines) {
  const withoutTimes = lines.map((line) => line.replace(/ {2}(AT {22}|\d{4}-\S+Z)/, ""));
  const shown = withoutTimes.filter((line, index) => index === 0 || SHOWN.test(line));
  say(shown);
  console.log(dim(`[${lines.length - shown.length} entries and the times left out]`));
}

/** A report in which every check passed: its first lines, then one line for all checks. */
function sayPass(lines, count) {
  const checks = lines.filter((line) => line.startsWith("CHK_"));
  if (checks.length === 0 || !checks.every((line) => line.endsWith(" pass"))) {
    throw new Error(`expected every check to pass, found\n${lines.join("\n")}`);
  }
  say(lines, count);
  console.log(dim(`[${checks.length} checks left out: all pass]`));
}

/** Verifies a file that must fail, and shows the first finding and what can still be trusted. */
async function showFailure(file, finding, trust = "") {
  const shows = ["FAIL", finding, trust];
  const lines = await sworn(`verify ${file} --key sworn.key`, { exit: 4, shows });
  const at = lines.indexOf("Failures:") + 1;
  if (!lines[at]?.includes(finding)) throw new Error(`expected "${finding}" first, in ${file}`);
  say([lines[0] ?? "", lines[at]]);
  if (lines[at + 1] !== "") console.log(dim("  [the findings that follow from it left out]"));
  say(lines.filter((line) => line.startsWith("The last entry")));
}

/** Writes a copy of the bundle with other entries: well formed as a file, so only the content lies. */
function edit(name, change) {
  const members = readMembers(readFileSync(join(shop, "review.tar")));
  const before = members.get("entries.jsonl").toString();
  const entries = change(before.trimEnd().split("\n"));
  const after = `${entries.join("\n")}\n`;
  if (after === before) throw new Error(`${name}: nothing was changed`);
  members.set("entries.jsonl", Buffer.from(after));
  for (const member of members.keys()) {
    const hash = /^artifacts\/(.+)$/.exec(member)?.[1];
    if (hash && !after.includes(hash)) members.delete(member);
  }
  writeFileSync(join(shop, name), Buffer.concat([...members].flatMap(toTar).concat(TAR_END)));
}

function readMembers(tar) {
  const members = new Map();
  for (let at = 0; tar[at] !== 0; ) {
    const { name, sizeBytes } = parseTarHeader(tar.subarray(at, at + BLOCK_BYTES));
    at += BLOCK_BYTES;
    members.set(name, tar.subarray(at, at + sizeBytes));
    at += sizeBytes + tarPadding(sizeBytes);
  }
  return members;
}

function toTar([name, bytes]) {
  return [tarHeader(name, bytes.length), bytes, Buffer.alloc(tarPadding(bytes.length))];
}
