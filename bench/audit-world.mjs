// Makes a repository of ordinary source, always the same: node bench/audit-world.mjs <folder> <lines>
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const NOUNS = "user session order invoice ledger token report queue cache entry draft member".split(
  " ",
);
const VERBS = "load store parse check merge send close render resolve count filter split".split(
  " ",
);
const TYPES = ["string", "number", "boolean", "Date", "string[]", "Map<string, number>"];

/** A bare repository with one commit whose files have about so many lines in all. */
function makeWorld(folder, lines) {
  const random = numbers(11);
  const git = (args, input) => execFileSync("git", args, { cwd: folder, input });
  git(["init", "--quiet", "--bare", "--initial-branch=main", "."]);
  git(["fast-import", "--quiet"], importOf(filesOf(lines, random)));
}

function* filesOf(lines, random) {
  const kinds = [script, script, typed, typed, python, document];
  for (let left = lines, number = 0; left > 0; number += 1) {
    const pick = (list) => list[Math.floor(random() * list.length)];
    const words = { noun: () => pick(NOUNS), verb: () => pick(VERBS), type: () => pick(TYPES) };
    const file = kinds[number % kinds.length]({ ...words, random, number });
    left -= file.lines.length;
    yield file;
  }
}

/** As many parts as make a file of 80 to 400 lines. */
function parts({ random }, part) {
  const count = 8 + Math.floor(random() * 30);
  return Array.from({ length: count }, (_, at) => [...part(at), ""]).flat();
}

const named = (verb, noun, at) => `${verb}${noun[0].toUpperCase()}${noun.slice(1)}${at}`;

function script(words) {
  const { noun, verb, random, number } = words;
  const body = parts(words, (at) => {
    const [one, other, limit] = [noun(), noun(), Math.floor(random() * 900)];
    const forms = [
      () => [
        `/** Finds what belongs to the ${one}, newest first. */`,
        `async function ${named(verb(), one, at)}(db, ${one}Id, { limit = ${limit} } = {}) {`,
        `  const rows = await db.query("SELECT id, name FROM ${other}s WHERE ${one}_id = ? LIMIT ?", [${one}Id, limit]);`,
        `  return rows.map(({ id, name }) => ({ id, label: \`\${name} (${other} \${id})\` }));`,
        "}",
      ],
      () => [
        `app.${at % 2 ? "get" : "post"}("/${one}s/:id/${other}", async (req, res) => {`,
        `  const ${one} = await store.${verb()}(Number(req.params.id));`,
        `  if (${one} === undefined) return res.status(404).json({ error: "no such ${one}" });`,
        `  ${one}.${other}Count += ${limit};`,
        `  res.json({ ${one}, at: new Date().toISOString() });`,
        "});",
      ],
      () => [
        `const ${one}${at} = new Map(Object.entries({ ${other}: ${limit}, fallback: "${verb()}" }));`,
        `for (const [key, value] of ${one}${at}) {`,
        `  if (typeof value === "number" && value > ${limit % 50}) log.info(\`\${key} of ${one}: \${value}\`);`,
        "}",
      ],
    ];
    return forms[Math.floor(random() * forms.length)]();
  });
  const head = ['const express = require("express");', "const app = express();", ""];
  return { path: `server/${noun()}/${verb()}-${number}.js`, lines: [...head, ...body] };
}

function typed(words) {
  const { noun, verb, type, random, number } = words;
  const body = parts(words, (at) => {
    const [one, other] = [noun(), noun()];
    const method = verb();
    return [
      `export interface ${named("I", one, at)} {`,
      `  readonly ${one}: ${type()};`,
      `  ${other}?: ${type()};`,
      "}",
      "",
      `/** Keeps at most ${Math.floor(random() * 500)} of them, by what was used last. */`,
      `export function ${named(method, other, at)}(all: readonly ${named("I", one, at)}[], by: string) {`,
      `  const kept = all.filter((each) => String(each.${one}).startsWith(by));`,
      `  if (kept.length === 0) throw new Error(\`no ${one} to ${method}: \${by}\`);`,
      `  return kept.toSorted((a, b) => String(a.${one}).localeCompare(String(b.${one})));`,
      "}",
    ];
  });
  return { path: `src/${noun()}/${verb()}-${number}.ts`, lines: body };
}

function python(words) {
  const { noun, verb, random, number } = words;
  const body = parts(words, (at) => {
    const [one, other] = [noun(), noun()];
    return [
      `class ${named("Base", one, at)}:`,
      `    """Holds one ${one} and its ${other}s."""`,
      "",
      `    def __init__(self, ${one}_id, ${other}s=None):`,
      `        self.${one}_id = ${one}_id`,
      `        self.${other}s = list(${other}s or [])`,
      "",
      `    def ${verb()}_${other}s(self, cursor):`,
      `        cursor.execute("SELECT * FROM ${other} WHERE ${one} = %s", (self.${one}_id,))`,
      `        return [row for row in cursor.fetchall() if row[0] > ${Math.floor(random() * 100)}]`,
    ];
  });
  return { path: `jobs/${noun()}/${verb()}_${number}.py`, lines: ["import logging", "", ...body] };
}

function document(words) {
  const { noun, verb, random, number } = words;
  const body = parts(words, (at) => {
    const [one, other] = [noun(), noun()];
    return [
      `## How to ${verb()} a ${one}, part ${at}`,
      "",
      `Call \`${named(verb(), one, at)}()\` with the ${other}'s id. It gives back at most ${Math.floor(random() * 90)} of them.`,
      `Without a ${other} nothing is written, and the ${one} stays as it was.`,
    ];
  });
  return { path: `docs/${noun()}-${number}.md`, lines: [`# The ${noun()}`, "", ...body] };
}

function importOf(files) {
  const pieces = ["commit refs/heads/main\ncommitter a <a@example.org> 0 +0000\ndata 1\nx\n"];
  for (const { path, lines } of files) {
    const text = `${lines.join("\n")}\n`;
    pieces.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  }
  return pieces.join("");
}

/** Numbers between 0 and 1 that are the same in every run. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  makeWorld(process.argv[2], Number(process.argv[3]));
}
