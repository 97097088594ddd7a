import { existsSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf, documents, linksOf, ROOT, read } from "./markdown.ts";

const links = documents().flatMap((path) =>
  linksOf(read(path))
    .filter((target) => !/^https?:/.test(target))
    .map((target) => ({ path, target })),
);

test("the scan sees the documents and their links", () => {
  expect(documents()).toContain("README.md");
  expect(documents().length).toBeGreaterThan(20);
  expect(links.length).toBeGreaterThan(40);
});

test("every link leads to a file that is there", () => {
  const broken = links.filter(({ path, target }) => {
    const file = target.split("#")[0] ?? "";
    return file !== "" && !existsSync(resolve(ROOT, dirname(path), file));
  });
  expect(broken).toEqual([]);
});

test("every link to a heading leads to one", () => {
  const anchored = links.filter(({ target }) => target.includes("#"));
  expect(anchored.length).toBeGreaterThan(2);
  const broken = anchored.filter(({ path, target }) => {
    const [file = "", anchor = ""] = target.split("#");
    const page = file === "" ? path : normalize(join(dirname(path), file));
    return !page.endsWith(".md") || !anchorsOf(read(page)).includes(anchor);
  });
  expect(broken).toEqual([]);
});
