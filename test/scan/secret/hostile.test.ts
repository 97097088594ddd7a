import fc from "fast-check";
import { expect, test } from "vitest";
import { scanSecrets } from "../../../src/scan/secret/index.ts";
import { KeywordTable } from "../../../src/scan/secret/keyword-table.ts";
import { RULES } from "../../../src/scan/secret/match-rules.ts";
import { processorMsSince } from "../../cost-growth.ts";
import { githubToken, joined } from "./tokens.ts";

/** Far above what it takes, far below what a quadratic pattern would take. */
const MEGABYTE_MS_MAX = 20_000;

const HOSTILE: Record<string, string> = {
  "one letter": "a",
  keywords: "password",
  "keywords and signs": "password=",
  "open quotes": 'secret="',
  "open headers": joined("-----BEG", "IN PRIVATE ", "KEY-----\n"),
  "web tokens without end": "eyJ0",
  dots: "eyJaaaaaaaaaaaaa.",
  addresses: "://a:",
  "addresses with at signs": "postgres://a:bbbbbbb@",
  "percent signs": "%3D",
  "base64 of a keyword": "Z2hwX",
  "hex of a keyword": "6768705f",
  "bearer tokens": "bearer a1",
  blanks: "token      ",
  prefixes: joined("gh", "p_"),
  "slack and dashes": joined("xo", "xb-"),
};

test.each(Object.keys(HOSTILE))("a megabyte of %s is passed over in time", (name) => {
  const part = HOSTILE[name] ?? "";
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  const from = process.cpuUsage();
  scanSecrets(text, { held: ["aaaaaaaab", "passwore"] });
  expect(processorMsSince(from)).toBeLessThan(MEGABYTE_MS_MAX);
});

test("a token after a megabyte of decoys in one line is still found", () => {
  const decoys = "Z2hwX2dod".repeat(120_000);
  const encoded = Buffer.from(`   ${githubToken()}`).toString("base64");
  expect(scanSecrets(`${decoys} ${encoded} ${githubToken(2)}`).map(({ rule }) => rule)).toEqual([
    "github-token",
    "github-token",
  ]);
});

test("no pattern repeats without a bound", () => {
  const unbounded = RULES.filter(({ regex }) =>
    /[*+]|\{\d+,\}/.test(regex.source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, "_")),
  );
  expect(unbounded.map(({ id }) => id)).toEqual([]);
});

test("every rule can be reached: each pattern starts with one of its keywords", () => {
  for (const { id, keywords } of RULES) expect(keywords.length, id).toBeGreaterThan(0);
});

test("the table finds what a plain search finds", () => {
  const letters = fc.constantFrom("a", "b", "A", "ä", "-");
  const word = fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
  const fold = (text: string): string => text.replaceAll("A", "a");
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 6, selector: fold }),
      fc.array(letters, { maxLength: 60 }).map((parts) => parts.join("")),
      (keywords, text) => {
        const found: string[] = [];
        new KeywordTable(keywords).scan(text, (keyword, start) =>
          found.push(`${start} ${keyword}`),
        );
        const expected = keywords.flatMap((keyword, number) =>
          Array.from({ length: text.length }, (_, at) => at)
            .filter((at) => fold(text).startsWith(fold(keyword), at))
            .map((at) => `${at} ${number}`),
        );
        expect(found.toSorted()).toEqual(expected.toSorted());
      },
    ),
    { numRuns: 300, seed: 11 },
  );
});
