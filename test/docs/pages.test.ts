import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { ROOT, read } from "./markdown.ts";

/** A page that grows beyond this is not read; the numbers only go down. */
const LINES_MAX = {
  "README.md": 180,
  "AGENTS.md": 120,
  "CONTRIBUTING.md": 60,
  "REVIEW.md": 60,
  "docs/ARCHITECTURE.md": 300,
  "docs/STYLE.md": 150,
  "docs/THREATS.md": 150,
};
const DECISION_LINES_MAX = 40;
const linesOf = (path: string): number => read(path).trimEnd().split("\n").length;

const decisions = readdirSync(resolve(ROOT, "docs/decisions"))
  .filter((name) => /^\d/.test(name))
  .sort();

test("pages are short enough to be read", () => {
  const long = Object.entries(LINES_MAX).filter(([path, max]) => linesOf(path) > max);
  expect(long).toEqual([]);
});

test("decisions are numbered without gaps, and listed in the architecture", () => {
  expect(decisions.length).toBeGreaterThan(10);
  const numbers = decisions.map((name) => /^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]);
  expect(numbers).toEqual(decisions.map((_, index) => String(index + 1).padStart(4, "0")));
  const listed = [...read("docs/ARCHITECTURE.md").matchAll(/\(decisions\/(\d{4}-[^)]+)\)/g)];
  expect(listed.map((match) => match[1])).toEqual(decisions);
});

test("a decision is one page with context, decision and consequences, under its number", () => {
  for (const name of decisions) {
    const page = read(`docs/decisions/${name}`);
    expect(page, name).toMatch(new RegExp(`^# ${name.slice(0, 4)}: .+\n`));
    const headings = [...page.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(headings, name).toEqual(expect.arrayContaining(["Context", "Decision", "Consequences"]));
    expect(linesOf(`docs/decisions/${name}`), name).toBeLessThanOrEqual(DECISION_LINES_MAX);
  }
});

test("every dependency has a line in the decision about them", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
    string,
    Record<string, string>
  >;
  const page = read("docs/decisions/0014-dependencies.md");
  const names = Object.keys({ ...dependencies, ...devDependencies });
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("the changelog keeps its form", () => {
  const page = read("CHANGELOG.md");
  expect(page.startsWith("# Changelog\n")).toBe(true);
  const versions = [...page.matchAll(/^## (.*)$/gm)].map((match) => match[1] ?? "");
  expect(versions[0]).toBe("[Unreleased]");
  for (const version of versions.slice(1))
    expect(version).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/);
  const kinds = ["Security", "Added", "Changed", "Deprecated", "Removed", "Fixed"];
  for (const section of page.split(/^## /m).slice(1)) {
    const found = [...section.matchAll(/^### (.*)$/gm)].map((match) => match[1] ?? "");
    expect(found).toEqual(kinds.filter((kind) => found.includes(kind)));
    expect(found.length).toBeGreaterThan(0);
  }
});

test("the licence is the one the package names", () => {
  const { license } = JSON.parse(read("package.json")) as { license: string };
  expect(license).toBe("Apache-2.0");
  expect(read("LICENSE")).toMatch(/Apache License\s+Version 2\.0, January 2004/);
  expect(read("LICENSE")).toContain("END OF TERMS AND CONDITIONS");
});
