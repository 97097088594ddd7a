import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderHtml } from "../../src/deliver/index.ts";
import type { ReviewReport } from "../../src/schema/review.ts";
import { emptyReport, hostileReport, hostileReports, reported, sampleReport } from "./sample.ts";

const TAG = /<(\/?)([a-zA-Z0-9]+)((?: [a-zA-Z-]+="[^"<>]*")*)(?: \/)?>/g;
const ELEMENTS = new Set(
  (
    "html head meta title style body a header div p h1 h2 h3 h4 span dl dt dd ul ol li strong b main " +
    "section table thead tbody tr th td small button output nav article figure figcaption pre code " +
    "mark del svg rect footer script"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  (
    "lang charset http-equiv content name class href id aria-hidden aria-labelledby aria-label role " +
    "tabindex type value hidden aria-pressed scope data-label data-group data-priority data-by " +
    "viewBox preserveAspectRatio x y width height"
  ).split(" "),
);

const inside = (page: string, name: string): string[] =>
  [...page.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g"))].map(
    ([, text = ""]) => text,
  );

/** Every angle bracket belongs to a tag from a closed list; everything else is escaped text. */
function expectInert(report: ReviewReport): void {
  const page = renderHtml(report);
  expect(page).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  const body = page
    .replace("<!DOCTYPE html>", "")
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, "<$1></$1>");
  expect(body.replace(TAG, "")).not.toMatch(/[<>]/);
  const open: string[] = [];
  const foreign: string[] = [];
  for (const [tag, end, name = "", attributes = ""] of body.matchAll(TAG)) {
    if (!ELEMENTS.has(name)) foreign.push(tag);
    for (const [, attribute = ""] of attributes.matchAll(/ ([a-zA-Z-]+)="/g)) {
      if (!ATTRIBUTES.has(attribute)) foreign.push(tag);
    }
    if (end === "/" && open.pop() !== name) foreign.push(tag);
    if (end === "" && !tag.endsWith("/>")) open.push(name);
  }
  expect([...foreign, ...open]).toEqual([]);
}

test("the sample, an empty report and hostile content are nothing but known tags and text", () => {
  for (const report of [sampleReport(), emptyReport(), hostileReport()]) expectInert(report);
});

test("any report is nothing but known tags and text", () => {
  fc.assert(fc.property(hostileReports, expectInert), { numRuns: 60 });
});

test("the policy allows the one style and the one script by the hash of what stands there", () => {
  const page = renderHtml(sampleReport());
  const hash = (text = ""): string => createHash("sha256").update(text).digest("base64");
  const [style, ...moreStyles] = inside(page, "style");
  const [script, ...moreScripts] = inside(page, "script");
  expect([...moreStyles, ...moreScripts]).toEqual([]);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  expect(policy?.replaceAll("&#39;", "'")).toBe(
    `default-src 'none'; style-src 'sha256-${hash(style)}'; script-src 'sha256-${hash(script)}'; base-uri 'none'; form-action 'none'`,
  );
});

test("style and script hold nothing of a report and no address", () => {
  const [a, b] = [renderHtml(sampleReport()), renderHtml(hostileReport())];
  expect(inside(a, "style")).toEqual(inside(b, "style"));
  expect(inside(a, "script")).toEqual(inside(b, "script"));
  expect(inside(a, "style").join("")).not.toMatch(/url\(|@import|https?:/);
});

test("the same report gives the same page", () => {
  expect(renderHtml(sampleReport())).toBe(renderHtml(sampleReport()));
});

test("a finding without source shows its quotation, and one without either says so", () => {
  const none = { context: { from: 1, lines: [] } };
  const quoted = renderHtml(emptyReport({ findings: [reported({}, none)] }));
  expect(quoted).toContain(">exec(request.query.name);</span>");
  const bare = reported({ citations: [{ file: "notes.txt" }] }, none);
  expect(renderHtml(emptyReport({ findings: [bare] }))).toContain("(no lines were quoted)");
});

test("a line break inside a line of source does not shift the numbers below it", () => {
  const context = { from: 7, lines: ["a\nb", "c"] };
  const page = renderHtml(emptyReport({ findings: [reported({}, { context })] }));
  expect([...page.matchAll(/<span class="no">(\d+)</g)].map(([, number]) => number)).toEqual([
    "7",
    "8",
  ]);
});
