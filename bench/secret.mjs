// The secret scanner on ordinary source text, against one bare pass over the same characters.
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

export async function measure({ rounds = "15" }) {
  const text = sourceText();
  const held = ["correct horse battery staple", "another secret in use"];
  const times = await alternate(
    {
      ours: () => timed(() => keep(scanSecrets(text).length)),
      held: () => timed(() => keep(scanSecrets(text, { held }).length)),
      bare: () => timed(() => keep(text.includes("token nowhere"))),
      read: () => timed(() => keep(charactersOf(text))),
    },
    { rounds: Number(rounds), warmUp: 3 },
  );
  const megabytes = text.length / MEGABYTE;
  const speed = (ms) => megabytes / (median(ms) / 1_000);
  return [
    absolute({ name: "secrets, speed", unit: "MB/s", ours: speed(times.ours) }),
    absolute({ name: "secrets and held ones, speed", unit: "MB/s", ours: speed(times.held) }),
    compare({
      name: "a megabyte / one search",
      ours: times.ours,
      bare: times.bare,
      per: megabytes,
    }),
    compare({
      name: "a megabyte / reading each character",
      ours: times.ours,
      bare: times.read,
      per: megabytes,
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
