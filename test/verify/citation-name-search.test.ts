import fc from "fast-check";
import { expect, test } from "vitest";
import { NameSearch } from "../../src/verify/citation/name-search.ts";
import { SourceCache } from "../../src/verify/citation/source-cache.ts";
import { WantedWords } from "../../src/verify/citation/wanted-words.ts";
import { MemoryTree } from "./citation-tree.ts";

function missing(text: string, ...words: string[]): string[] {
  const wanted = new WantedWords(words);
  wanted.meet(Buffer.from(text));
  return [...wanted.left];
}

test("a word counts as met only where it stands alone", () => {
  expect(missing("loadUser(x)", "loadUser", "load", "User", "loadUsers", "x")).toEqual([
    "load",
    "User",
    "loadUsers",
  ]);
  expect(missing("a", "a")).toEqual([]);
  expect(missing("ab a", "a")).toEqual([]);
  expect(missing("ab", "a")).toEqual(["a"]);
  expect(missing("naïve_größe = 1", "naïve_größe", "naïve_grö")).toEqual(["naïve_grö"]);
});

test.each([[/^[abé_$1]{1,4}$/], [/^[aé1]{3,5}$/], [/^[ab_]{6,12}$/]])(
  "words are met as a search for them says, whatever the text: %s",
  (shape) => {
    const word = fc.stringMatching(shape);
    const gap = fc.constantFrom(" ", ".", "\n", "()", '"');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap)), fc.array(word), (parts, words) => {
        const text = parts.flat().join("");
        const there = new Set(text.split(/[^abé_$1]+/));
        expect(new Set(missing(text, ...words))).toEqual(
          new Set(words.filter((one) => !there.has(one))),
        );
      }),
    );
  },
);

test("a search ends as soon as everything was met, and is not made twice", async () => {
  const files = Array.from({ length: 500 }, (_, at) => [`f${at}.ts`, `const name${at} = 1;\n`]);
  const tree = new MemoryTree(Object.fromEntries(files));
  const search = new NameSearch(new SourceCache(tree));
  await search.look(["name0", "name3"]);
  expect([search.has("name0"), search.has("name3"), search.has("name4")]).toEqual([
    true,
    true,
    false,
  ]);
  const asked = tree.asked.length;
  expect(asked).toBeLessThan(500);
  await search.look(["name3", "name0"]);
  expect(tree.asked).toHaveLength(asked);
});

test("a name of a file is known, and what is nowhere is not, with the file that nobody read", async () => {
  const tree = new MemoryTree({
    "src/token_store.ts": "x\n",
    "big.ts": { kind: "too-large", size: 99_000_000 },
    link: { kind: "link" },
  });
  const search = new NameSearch(new SourceCache(tree));
  await search.look(["token_store"]);
  expect([search.has("token_store"), search.unread]).toEqual([true, undefined]);
  await search.look(["made_up"]);
  expect([search.has("made_up"), search.unread]).toEqual([false, "big.ts"]);
});
