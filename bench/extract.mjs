// Extraction on ordinary responses in megabytes a second and against a bare split into lines, and on
// hostile ones against half of the same.
import { extractFiles } from "../dist/run/extract/index.js";
import { absolute, alternate, compare, median, runAlone } from "./measure.mjs";

const MEGABYTE = 1_000_000;
const ORDINARY_CHARS = 8 * MEGABYTE;
const HOSTILE_CHARS = MEGABYTE;

/** Lines as programs have them, spreads, comments and words of elisions among them. */
const LINES = [
  "export async function readEntries(source, watch, pass, options) {",
  "  const parsed = EventRequest.safeParse(parseJson(decodeUtf8(bytes), LINE_BYTES_MAX));",
  "  // A size is only a claim: believe it when the file is long enough, before anything is read.",
  "  return { ...before, lines: [...before.lines, cursor.number] };",
  '  if (token === "{") open.push(new Set());',
  '  throw new SwornError("INPUT_INVALID", "expected other lines, found none of the existing ones");',
  "",
  "}",
];

/** A response as models write one: a sentence, a file of some sixty lines, a sentence, commands. */
function ordinary(chars) {
  const parts = [];
  for (let size = 0, at = 0; size < chars; at += 1) {
    const code = Array.from({ length: 60 }, (_, line) => LINES[(line * 7 + at) % LINES.length]);
    const part = [
      `This is module ${at}. It reads what the one before it left, and hands it on.`,
      "",
      `Create file \`src/module-${at}.ts\`:`,
      "",
      "```ts",
      ...code,
      "```",
      "",
      "Then look whether it holds:",
      "",
      "```sh",
      "npm test",
      "```",
      "",
      "",
    ].join("\n");
    parts.push(part);
    size += part.length;
  }
  return parts.join("");
}

const filled = (unit) => (chars) => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);

/** Texts that cost a careless reader the square of their length, or more. */
const HOSTILE = {
  "fences that never close": filled("```ts\n"),
  "fences that nest": filled("```md\n```ts\n```\n"),
  "backticks on one line": filled("`"),
  "backticks in pairs": filled("`a.ts` ``"),
  "one lead-in for ever": (chars) => `add ${filled("to add `a` in ")(chars)}\n\`\`\`ts\n\`\`\`\n`,
  "lead-ins": filled(
    "add to add to add to add to add to add to add to add to add to `a.ts`\n```\nx\n```\n",
  ),
  "heredocs that never close": (chars) => `\`\`\`sh\n${filled("cat > a <<'E'\n")(chars)}\`\`\`\n`,
  headers: filled(`--- ${"a".repeat(60)}.ts ---\n`),
  "dashes on one line": (chars) => `--- ${filled("-")(chars)}x\n`,
  "dots in a file": (chars) => `\`a.ts\`:\n\`\`\`ts\n${filled("// ... x ... (\n")(chars)}\`\`\`\n`,
  "dots on one line": (chars) => `\`a.ts\`:\n\`\`\`ts\n${filled("// .")(chars)}\n\`\`\`\n`,
  spaces: (chars) => `\`a.ts\`:\n${filled(" ")(chars)}\`\`\`\n`,
  "lists in lists": filled("- - - - - - - -\n  "),
  "indented lines": filled("\n    x\n"),
  "comments of HTML": filled("<!--\n"),
  "quoted fences": filled(`> \`\`\`\n> ${"a".repeat(60)}\n`),
  names: filled(`\`a/${"b".repeat(60)}.ts\`:\n\`\`\`\n\`\`\`\n`),
};

export async function measure({ rounds = "9" }) {
  const count = Number(rounds);
  const text = ordinary(ORDINARY_CHARS);
  const found = extractFiles(text);
  if (found.refused.length > 0 || found.files.length < 1_000) {
    throw new Error(
      `the ordinary response is not taken whole: ${JSON.stringify(found.refused[0])}`,
    );
  }
  const times = await alternate(
    {
      split: () => worked(() => text.split("\n").length),
      ours: () => worked(() => extractFiles(text)),
    },
    { rounds: count, warmUp: 2 },
  );
  const rows = [
    absolute({
      name: "extraction of ordinary responses",
      unit: "MB/s",
      ours: text.length / MEGABYTE / (median(times.ours) / 1_000),
      least: 30,
    }),
    compare({ name: "extraction / bare split into lines", ours: times.ours, bare: times.split }),
  ];
  for (const [name, make] of Object.entries(HOSTILE)) rows.push(await doubling(name, make, count));
  return rows;
}

/** Twice the input against once: 2 is linear, 4 would be the square. */
async function doubling(name, make, rounds) {
  const [once, twice] = [make(HOSTILE_CHARS), make(2 * HOSTILE_CHARS)];
  const times = await alternate(
    { once: () => best(once), twice: () => best(twice) },
    { rounds, warmUp: 1 },
  );
  return compare({
    name: `twice as many: ${name}`,
    ours: times.twice,
    bare: times.once,
    most: 2.2,
  });
}

/** Milliseconds of processor time: other processes have no part in them, and nothing here waits. */
function worked(run) {
  const from = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

/** The quickest of a few: what the machine does meanwhile is not what is measured. */
function best(text) {
  let least = Infinity;
  for (let time = 0; time < 3; time += 1)
    least = Math.min(
      least,
      worked(() => attempt(text)),
    );
  return least;
}

/** More blocks than a response may have are refused, and how soon does not matter here. */
function attempt(text) {
  try {
    extractFiles(text);
  } catch (error) {
    if (error.code !== "LIMIT_EXCEEDED") throw error;
  }
}

await runAlone(import.meta.url, measure);
