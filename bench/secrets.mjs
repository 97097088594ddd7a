// The scanners on source text, against one bare pass over the same bytes.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { classify } from "../dist/scan/classify/index.js";
import { findPersonal } from "../dist/scan/personal/index.js";
import { scanSecrets } from "../dist/scan/secret/index.js";
import { absolute, alternate, compare, median, runAlone, timed } from "./measure.mjs";

const MEGABYTE = 1_000_000;
const SIZE_CHARS = 8 * MEGABYTE;

/** Lines as programs have them: names, comments, texts, addresses, and words that secrets use too. */
const LINES = [
  "export async function readEntries(source, watch, pass, options) {",
  "  const parsed = EventRequest.safeParse(parseJson(decodeUtf8(bytes), LINE_BYTES_MAX));",
  "  // A size is only a claim: believe it when the file is long enough, before anything is read.",
  '  if (token === "{") open.push(new Set());',
  "  for (const [name, value] of Object.entries(process.env)) settings[name] = value;",
  '  throw new SwornError("INPUT_INVALID", "expected other lines here");',
  "  // See https://www.rfc-editor.org/rfc/rfc8785#section-3.2.3 for the order of keys.",
  "  const password = await prompt(passwordLabel, { secret: true });",
  "  return lines.map((line, index) => ({ line, index })).filter(({ line }) => line !== '');",
  "}",
  "",
];

/** The same lines in an order that does not repeat soon, with a number in each. */
function sourceText() {
  const parts = [];
  let length = 0;
  for (let number = 1; length < SIZE_CHARS; number += 1) {
    const line = `${LINES[(number * number + (number >> 3)) % LINES.length]} // ${number}\n`;
    parts.push(line);
    length += line.length;
  }
  return Buffer.from(parts.join(""), "latin1").toString("latin1");
}

/** The source of this project, over and over: what a task's output mostly looks like. */
function ownSource() {
  const folder = fileURLToPath(new URL("../src/", import.meta.url));
  const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".ts"));
  const once = paths.map((path) => readFileSync(`${folder}${path}`, "latin1")).join("\n");
  return Buffer.from(once.repeat(Math.ceil(SIZE_CHARS / once.length)), "latin1");
}

/** Wanted of one core; a slower machine than any in use misses it. */
const SPEED_LEAST = 100;

export async function measure({ rounds = "15" }) {
  const text = sourceText();
  const bytes = ownSource();
  const own = bytes.toString("latin1");
  const held = ["correct horse battery staple", "another secret in use"];
  const times = await alternate(
    {
      ours: () => timed(() => keep(scanSecrets(text).length)),
      held: () => timed(() => keep(scanSecrets(text, { held }).length)),
      own: () => timed(() => keep(scanSecrets(own).length)),
      personal: () => timed(() => keep(findPersonal(own).length)),
      classified: () => timed(() => keep(classify("a.ts", bytes).findings.length)),
      bare: () => timed(() => keep(bytes.indexOf("token nowhere"))),
      read: () => timed(() => keep(charactersOf(own))),
    },
    { rounds: Number(rounds), warmUp: 3 },
  );
  const megabytes = text.length / MEGABYTE;
  const ownMegabytes = bytes.length / MEGABYTE;
  const speed = (ms, size) => size / (median(ms) / 1_000);
  const line = (name, ms, size = ownMegabytes, least = undefined) =>
    absolute({ name, unit: "MB/s", ours: speed(ms, size), least });
  return [
    line("secrets in made-up source, one core", times.ours, megabytes, SPEED_LEAST),
    line("secrets in our source, one core", times.own, ownMegabytes, SPEED_LEAST),
    line("secrets and held ones", times.held, megabytes),
    line("personal data in our source", times.personal),
    line("a file classified, all of it", times.classified),
    compare({
      name: "a megabyte / Buffer.indexOf",
      ours: times.own,
      bare: times.bare,
      per: ownMegabytes,
    }),
    compare({
      name: "a megabyte / reading each character",
      ours: times.own,
      bare: times.read,
      per: ownMegabytes,
      most: 6,
    }),
  ];
}

/** What is computed for nothing may be left out by the compiler. */
let kept;
function keep(value) {
  kept = kept === value ? undefined : value;
}

/** The least that any scan must do. */
function charactersOf(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at) & 1;
  return sum;
}

await runAlone(import.meta.url, measure);
