// A guided run of the main job: record a session, verify it, hand it on, and tamper with copies of
// it. Every step says what it expects, so the demo is a check too: it ends with 1 when one differs.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BLOCK_BYTES, parseTarHeader, TAR_END, tarHeader, tarPadding } from "../dist/base/index.js";

const BIN = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../examples/session.jsonl", import.meta.url));
/** A guard against hanging, not a promise about speed. */
const STEP_TIMEOUT_MS = 60_000;
const COLUMNS_MAX = 96;
const ENTRIES_SHOWN = [5, 19, 24, 27];
const EXIT_INTERRUPTED = 130;

const isColoured = process.stdout.isTTY === true && !process.env["NO_COLOR"];
const paint = (code) => (text) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
const [bold, dim] = [paint(1), paint(2)];

const folder = mkdtempSync(join(tmpdir(), "sworn-demo-"));
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
  mkdirSync(join(folder, "examples"));
  cpSync(EXAMPLE, join(folder, "examples", "session.jsonl"));

  step("Record a session: one request a line, each signed by the agent that makes it");
  say(await sworn("trace record examples/session.jsonl", { shows: ["Recorded 36 lines"] }), 1);

  step("Look at it: a plan was rejected, a deploy blocked, a claim sent back to work by the audit");
  sayEntries(await sworn("trace show latest", { shows: ["claim_challenged", "rework_opened"] }));

  step("Verify it");
  sayPass(await sworn("verify latest", { shows: ["PASS", "session completed"] }), 2);

  step("Hand it on: one file, and the key it must be signed with");
  say(await sworn("trace export latest --out session.tar", { shows: ["36 entries"] }), 1);
  const key = await sworn("keys export-public", { to: "sworn.key", shows: ["sworn+"] });
  writeFileSync(join(folder, "sworn.key"), `${key.join("\n")}\n`);
  sayPass(await sworn("verify session.tar --key sworn.key", { shows: ["PASS"] }), 1);

  step('Change one word in a copy: the operator asked to "keep" the API, now to "drop" it');
  edit("edited.tar", (entries) => swap(entries, 1, "Please keep", "Please drop"));
  await showFailure("edited.tar", "SIG_INVALID (critical): entry 1:", "trusted is 0.");

  step("Turn the critic's no to the first plan into a yes");
  edit("approved.tar", (entries) => swap(entries, 5, '"rejected"', '"approved"'));
  await showFailure("approved.tar", "SIG_INVALID (critical): entry 5:", "trusted is 4.");

  step("Cut off the last two entries, so that the final audit is gone");
  edit("cut.tar", (entries) => entries.slice(0, -2));
  await showFailure("cut.tar", "TAIL_MISSING (critical): 36 entries were signed for, 34 are there");

  step("Record the same session with other keys and pass it off as the first");
  await swornElsewhere("trace record examples/session.jsonl");
  await swornElsewhere("trace export latest --out forged.tar");
  const forged = await sworn("verify forged.tar", { shows: ["PASS", "the record's own word"] });
  sayPass(forged, 1);
  say(forged.slice(-1));
  await showFailure("forged.tar", "KEY_NOT_TRUSTED (critical): the checkpoint's key is sworn+");

  console.log(
    "\nShown: the whole record passes. An edited word, a reversed review and a cut end are found",
  );
  console.log(
    "and named. A record made with other keys is found only by who brings the right key.",
  );
}

function step(title) {
  stepNumber += 1;
  console.log(`${stepNumber === 1 ? "" : "\n"}${bold(`${stepNumber}. ${title}`)}`);
}

/** Runs a command, prints it as a person would type it, and insists on what it must say. */
async function sworn(command, { exit = 0, shows = [], to } = {}) {
  console.log(dim(`$ sworn ${command}${to ? ` > ${to}` : ""}`));
  const outcome = await run(command, folder, "state");
  const missing = shows.find((text) => !outcome.out.includes(text));
  if (outcome.exit !== exit || missing !== undefined) {
    const expected = `exit code ${exit}${missing ? ` and "${missing}"` : ""}`;
    const found = `exit code ${outcome.exit}\n${outcome.out}${outcome.err}`;
    throw new Error(`"sworn ${command}": expected ${expected}, found ${found}`);
  }
  return outcome.out.trimEnd().split("\n");
}

/** Somebody else, with keys of their own, in a project of their own. */
async function swornElsewhere(command) {
  const elsewhere = join(folder, "elsewhere");
  cpSync(join(folder, "examples"), join(elsewhere, "examples"), { recursive: true });
  const outcome = await run(command, elsewhere, "other-state");
  if (outcome.exit !== 0) throw new Error(`"sworn ${command}" elsewhere: ${outcome.err}`);
  if (command.includes("export")) cpSync(join(elsewhere, "forged.tar"), join(folder, "forged.tar"));
}

async function run(command, cwd, state) {
  const env = { ...process.env, SWORN_STATE_DIR: join(folder, state) };
  const child = spawn(process.execPath, [BIN, ...command.split(" ")], {
    cwd,
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

function sayEntries(lines) {
  const withoutTimes = lines.map((line) => line.replace(/ {2}(AT {22}|\d{4}-\S+Z)/, ""));
  say(withoutTimes.filter((_, index) => index === 0 || ENTRIES_SHOWN.includes(index - 1)));
  console.log(dim(`[${lines.length - 1 - ENTRIES_SHOWN.length} entries and the times left out]`));
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
  const members = readMembers(readFileSync(join(folder, "session.tar")));
  const before = members.get("entries.jsonl").toString();
  const entries = change(before.trimEnd().split("\n"));
  const after = `${entries.join("\n")}\n`;
  if (after === before) throw new Error(`${name}: nothing was changed`);
  members.set("entries.jsonl", Buffer.from(after));
  for (const member of members.keys()) {
    const hash = /^artifacts\/(.+)$/.exec(member)?.[1];
    if (hash && !after.includes(hash)) members.delete(member);
  }
  writeFileSync(join(folder, name), Buffer.concat([...members].flatMap(toTar).concat(TAR_END)));
}

function swap(entries, seq, from, to) {
  return entries.map((line, index) => (index === seq ? line.replace(from, to) : line));
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
