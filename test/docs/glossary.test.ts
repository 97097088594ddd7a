import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { documents, proseOf, ROOT, read } from "./markdown.ts";

/** Words of the source documents that mean nothing to a reader of ours. */
const SOURCE_WORDS = ["tarnished", "polecat", "elden", "refinery", "deacon", "tome"];
/** Where those words may stand: the glossary itself, and the page that settles the source's contradictions. */
const CITING = ["docs/GLOSSARY.md", "docs/decisions/settled-contradictions.md"];

/** Where names are others': formats that carry the source's words (the planners' form of a plan too), rules about foreign code, calls of Cedar, tools of the source. */
const FOREIGN_WORDS =
  /^(deliver|flow\/(?:review|validate|plan|work)|plan\/(?:gate|planner)|scan\/(?:security|weaken))\/|^(policy\/cedar-policies|schema\/(?:tooling|plan)|flow\/(?:agent\/builtin-agent|deliver\/task\/submit-work))\.ts$/;

const glossary = read("docs/GLOSSARY.md");
const avoided = [...glossary.matchAll(/_Avoid_: ([^.]+)\./g)].flatMap((match) =>
  (match[1] ?? "").split(/,\s*/),
);
const pages = documents().filter((path) => !CITING.includes(path));

/** The words that identifiers in a source file are made of; comments and texts do not count. */
function identifierWords(source: string): Set<string> {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, " ")
    .replace(/"(?:\\.|[^"\\\n])*"/g, " ")
    .replace(/`(?:\\.|[^`\\])*`/g, " ")
    .replace(/\/\/.*$/gm, " ");
  const names = code.match(/[A-Za-z_$][\w$]*/g) ?? [];
  const words = names.flatMap((name) => name.split(/_|(?<=[a-z0-9])(?=[A-Z])/));
  return new Set(words.map((word) => word.toLowerCase()));
}

const SRC = resolve(ROOT, "src");
const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, words: identifierWords(readFileSync(join(SRC, name), "utf8")) }));

test("the scan sees the words it claims to check", () => {
  expect(avoided.length).toBeGreaterThan(40);
  expect(pages.length).toBeGreaterThan(20);
  expect(sources.some(({ words }) => words.has("checkpoint"))).toBe(true);
  expect(identifierWords("const tokenBlob = 1; // journal")).toEqual(
    new Set(["const", "token", "blob"]),
  );
});

test("a word is avoided or used, not both", () => {
  const terms = [...glossary.matchAll(/\*\*([^*]+)\*\*/g)].map(([, term = ""]) =>
    term.toLowerCase(),
  );
  expect(terms.length).toBeGreaterThan(50);
  expect(avoided.filter((word) => terms.includes(word))).toEqual([]);
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
});

test("no avoided word is part of a name in the source", () => {
  const words = [...avoided, ...SOURCE_WORDS];
  const used = sources
    .filter(({ name }) => !FOREIGN_WORDS.test(name))
    .flatMap(({ name, words: own }) =>
      words.filter((word) => own.has(word)).map((word) => `${name}: ${word}`),
    );
  expect(used).toEqual([]);
});

test("no avoided word stands in a document", () => {
  const used = pages.flatMap((path) => {
    const prose = proseOf(read(path)).toLowerCase();
    return [...avoided, ...SOURCE_WORDS]
      .filter((word) => new RegExp(`\\b${word.replaceAll(" ", "\\s+")}s?\\b`).test(prose))
      .map((word) => `${path}: ${word}`);
  });
  expect(used).toEqual([]);
});

test("every event type's noun and every role is explained", () => {
  const text = glossary.toLowerCase();
  const roles = ["planner", "executor", "critic", "auditor", "operator", "runtime"];
  const nouns = ["proposal", "intent", "execution", "artifact", "claim", "challenge", "audit"];
  const more = ["rework", "message", "question", "decision", "exception", "gap", "key"];
  const missing = [...roles, ...nouns, ...more].filter((noun) => !text.includes(`**${noun}`));
  // Four share one line, which starts with the first of them.
  expect(missing).toEqual(["question", "decision", "exception"]);
  expect(text).toContain("**message, question, decision, exception**");
});
