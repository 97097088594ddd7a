// Makes a repository and findings about it, always the same: node bench/citation-world.mjs <folder>
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const FILES = 2_000;
export const FINDINGS = 10_000;
const LINES = 300;
const WORDS = "user session token query result cache entry request limit owner ledger proof".split(
  " ",
);

/** A bare repository, packed, and `findings.json` beside it. */
function makeWorld(folder) {
  const random = numbers(7);
  const files = Array.from({ length: FILES }, (_, number) => makeFile(number, random));
  const git = (args, input) => execFileSync("git", args, { cwd: folder, input });
  git(["init", "--quiet", "--bare", "."]);
  git(["fast-import", "--quiet"], importOf(files));
  const findings = Array.from({ length: FINDINGS }, (_, number) =>
    makeFinding(number, files[Math.floor(random() * FILES)], random),
  );
  writeFileSync(join(folder, "findings.json"), JSON.stringify(findings));
}

function makeFile(number, random) {
  const word = () => WORDS[Math.floor(random() * WORDS.length)];
  const lines = Array.from({ length: LINES }, (_, line) => {
    const indent = "  ".repeat(Math.floor(random() * 4));
    return `${indent}const ${word()}${line} = ${word()}_${number}(${word()}, "${word()} ${word()}");`;
  });
  return { path: `src/${word()}/${word()}-${number}.ts`, lines };
}

function importOf(files) {
  const parts = ["commit refs/heads/main\ncommitter a <a@example.org> 0 +0000\ndata 1\nx\n"];
  for (const { path, lines } of files) {
    const text = `${lines.join("\n")}\n`;
    parts.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  }
  return parts.join("");
}

/** Mostly right ones, as good reviewers write them, and some of every kind of wrong. */
function makeFinding(number, { path, lines }, random) {
  const line = 1 + Math.floor(random() * (LINES - 5));
  const text = lines.slice(line - 1, line + 3).join("\n");
  const kind = random();
  const citation = { file: path, line, quote: text };
  let issue = `The value of \`${/const (\w+)/.exec(text)[1]}\` is not checked before it is used.`;
  if (kind > 0.98) issue = `The call of \`invented_${number}()\` is not checked.`;
  else if (kind > 0.94) citation.quote = text.replaceAll("const", "let");
  else if (kind > 0.9) delete citation.quote;
  else if (kind > 0.8) citation.quote = text.replaceAll(/^ +/gm, "\t");
  else if (kind > 0.7) citation.line = 1 + ((line + 40) % LINES);
  const title = "A value is used unchecked";
  return {
    id: `SEC-${number}`,
    title,
    priority: "P2",
    category: "unchecked",
    citations: [citation],
    issue,
  };
}

/** Numbers between 0 and 1 that are the same in every run. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makeWorld(process.argv[2]);
