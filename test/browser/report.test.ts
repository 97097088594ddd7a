import { accessSync, constants, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { renderHtml } from "../../src/deliver/index.ts";
import type { ReviewReport } from "../../src/schema/review.ts";
import { emptyReport, hostileReport, sampleReport } from "../deliver/sample.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { ACTIVE, LOOSE_ENDS, LOW_CONTRAST, OVERFLOWING, xmlComplaint } from "./page-probe.ts";

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 780 };
const PROGRAM = "chromium";

let launched: Promise<Browser> | undefined;

/** The system's Chromium. These tests fail without it: a page that nobody opened is not tested. */
function programOnPath(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = folders.map((folder) => join(folder, PROGRAM)).find(isExecutable);
  if (found === undefined)
    throw new Error(`${PROGRAM} is not on PATH; install it to run these tests`);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there or not ours to run: the next folder may have it.
    return false;
  }
}

/** One browser for all tests. Started inside a test, so that each fails by itself when it cannot be. */
async function theBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: programOnPath(),
    // Chromium refuses to run as root inside its own sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  return launched;
}

afterAll(async () => {
  await (await launched)?.close();
});

interface Opened {
  readonly page: Page;
  /** Everything the page said or asked for, beyond its own file. */
  readonly heard: string[];
}

async function open(report: ReviewReport, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await (await theBrowser()).newContext({ viewport: DESKTOP, ...options });
  onTestFinished(() => context.close());
  const file = join(temporaryFolder(), "report.html");
  writeFileSync(file, renderHtml(report));
  const address = pathToFileURL(file).href;
  const page = await context.newPage();
  const heard: string[] = [];
  page.on("console", (message) => heard.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => heard.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    if (request.url() !== address) heard.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return { page, heard };
}

const titles = (page: Page): Promise<string[]> =>
  page.locator("article.finding:visible h3 .id").allTextContents();
const filter = (page: Page, name: string) =>
  page.getByRole("toolbar").getByRole("button", { name, exact: true });

describe.each([
  ["the sample", sampleReport()],
  ["an empty report", emptyReport()],
  ["hostile content", hostileReport()],
])("the page of %s", (_, report) => {
  test("says nothing to the console and asks for nothing", async () => {
    const { page, heard } = await open(report);
    expect(await page.title()).toMatch(/^Sworn: /);
    expect(heard).toEqual([]);
  });

  test("is well-formed, with every id once and every reference met", async () => {
    const { page } = await open(report);
    expect(await page.evaluate(xmlComplaint(renderHtml(report)))).toBe("");
    expect(await page.evaluate(LOOSE_ENDS)).toEqual([]);
  });

  test("has nothing active in it but one script of ours", async () => {
    const { page } = await open(report);
    expect(await page.evaluate(ACTIVE)).toEqual([]);
    expect(await page.evaluate("[document.scripts.length, document.styleSheets.length]")).toEqual([
      1, 1,
    ]);
    expect(await page.evaluate("typeof window.owned")).toBe("undefined");
    expect(await page.locator("article.finding").count()).toBe(report.findings.length);
    expect(await page.locator("article.refuted").count()).toBe(report.refuted.length);
    expect(await page.locator("svg").count()).toBe(1);
  });

  test.each([DESKTOP, PHONE])("does not overflow a window of $width pixels", async (viewport) => {
    const { page } = await open(report, { viewport });
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
  });

  test.each(["screen", "print"] as const)("can be read on %s by its contrast", async (media) => {
    const { page } = await open(report, { reducedMotion: "reduce" });
    await page.emulateMedia({ media });
    const { checked, low } = await page.evaluate<{ checked: number; low: string[] }>(LOW_CONTRAST);
    expect(low).toEqual([]);
    expect(checked).toBeGreaterThan(20);
  });
});

test("the probes see what they are there for", async () => {
  const { page } = await open(emptyReport());
  await page.evaluate(`document.body.insertAdjacentHTML("beforeend",
    '<p class="none" id="findings">x</p><div><img alt="" src="data:,"></div><a href="https://a.example">x</a>')`);
  await page.evaluate(`{
    const wide = document.createElement("p");
    wide.textContent = "x".repeat(999);
    document.body.append(wide);
    wide.attributeStyleMap.set("white-space", "pre");
    wide.attributeStyleMap.set("width", "max-content");
    wide.attributeStyleMap.set("color", "#333333");
  }`);
  expect(await page.evaluate(LOOSE_ENDS)).toContain("findings");
  expect((await page.evaluate<string[]>(ACTIVE)).length).toBeGreaterThanOrEqual(2);
  expect(await page.evaluate(OVERFLOWING)).toEqual(["p."]);
  expect((await page.evaluate<{ low: string[] }>(LOW_CONTRAST)).low.length).toBe(1);
  expect(await page.evaluate(xmlComplaint("<p><b></p>"))).not.toBe("");
});

test("the policy lets no other script or style in, even when one is put there", async () => {
  const { page } = await open(sampleReport());
  const owned = await page.evaluate(`{
    const script = document.createElement("script");
    script.textContent = "window.owned = 1";
    document.body.append(script);
    const style = document.createElement("style");
    style.textContent = "body { color: rgb(1, 2, 3) }";
    document.body.append(style);
    [typeof window.owned, getComputedStyle(document.body).color];
  }`);
  expect(owned).toEqual(["undefined", "rgb(228, 230, 232)"]);
});

test("buttons filter by priority and by reviewer, in the list and in the index", async () => {
  const { page } = await open(sampleReport());
  expect(await titles(page)).toEqual(["SEC-001", "SEC-002", "SEC-003", "QUAL-001"]);
  await filter(page, "P1").click();
  expect(await titles(page)).toEqual(["SEC-003", "QUAL-001"]);
  expect(await page.locator(".index li:visible").count()).toBe(2);
  expect(await page.locator("#shown").textContent()).toBe("2 of 4 findings shown");
  expect(await filter(page, "P1").getAttribute("aria-pressed")).toBe("false");
  await filter(page, "P1").click();
  await filter(page, "security").click();
  expect(await titles(page), "a second reviewer keeps a finding").toEqual([
    ...["SEC-001", "SEC-003", "QUAL-001"],
  ]);
  await filter(page, "backend").click();
  expect(await titles(page)).toEqual(["QUAL-001"]);
  await filter(page, "Show all").click();
  expect(await titles(page)).toEqual(["SEC-001", "SEC-002", "SEC-003", "QUAL-001"]);
});

test("the keyboard reaches the findings and the filters, and shows where it is", async () => {
  const { page } = await open(sampleReport());
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.className")).toBe("skip");
  expect((await page.locator(".skip").boundingBox())?.x).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.value")).toBe("P1");
  expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe(
    "solid",
  );
  await page.keyboard.press("Space");
  expect(await titles(page)).toEqual(["SEC-003", "QUAL-001"]);
  await page.keyboard.press("Enter");
  expect((await titles(page)).length).toBe(4);
});

test("a link to a finding shows it although it is filtered out", async () => {
  const { page } = await open(sampleReport());
  await filter(page, "P1").click();
  await page.evaluate("location.hash = 'f2'");
  await page.locator("#f2").waitFor({ state: "visible" });
  expect(await titles(page)).toContain("SEC-002");
});

test("the page is whole without script", async () => {
  const { page, heard } = await open(sampleReport(), { javaScriptEnabled: false });
  expect(await titles(page)).toEqual(["SEC-001", "SEC-002", "SEC-003", "QUAL-001"]);
  expect(await page.locator("#filters").isVisible()).toBe(false);
  expect(heard).toEqual([]);
});

test("the cited lines are marked in the numbered source around them", async () => {
  const { page } = await open(sampleReport());
  const listing = page.locator("#f1 .listing");
  expect(await listing.locator(".no").allTextContents()).toEqual([
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "11",
    "12",
    "13",
    "14",
    "15",
    "16",
  ]);
  const marks = listing.locator("mark");
  expect(await marks.locator(".no").allTextContents()).toEqual(["9", "10"]);
  expect(await marks.first().locator(".src").textContent()).toContain("const sql = `SELECT");
  expect(await marks.first().isVisible()).toBe(true);
  const ground = (selector: string): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector("#f1 ${selector}")).backgroundColor`);
  expect(await ground("mark.row")).toBe("rgb(58, 20, 16)");
  expect(await ground("span.row")).toBe("rgba(0, 0, 0, 0)");
  expect(await page.locator("#f3 mark .no").allTextContents(), "the true place").toEqual(["8"]);
});

test("words, texts, numbers and comments have colours of their own", async () => {
  const { page } = await open(sampleReport());
  const texts = (kind: string): Promise<string[]> =>
    page.locator(`#f2 .t-${kind}`).allTextContents();
  expect(await texts("word")).toEqual(["def", "True", "return"]);
  expect(await texts("comment")).toEqual(["# The folder exists since the last migration."]);
  expect(await texts("number")).toEqual(["30"]);
  expect(await texts("text")).toContain('"""Writes all orders of a customer into an archive."""');
});

test("the path from source to sink is in order, and a refuted claim is struck through", async () => {
  const { page } = await open(sampleReport());
  expect(await page.locator("#f1 .path b").allTextContents()).toEqual(["Source", "Step", "Sink"]);
  const claim = page.locator("article.refuted .claim del");
  expect(await claim.textContent()).toBe("BACK-004 Transactions are never rolled back");
  const line = `getComputedStyle(document.querySelector(".claim del")).textDecorationLine`;
  expect(await page.evaluate(line)).toBe("line-through");
  expect(await page.locator("article.refuted .why").textContent()).toContain("no such line");
});

test("motion is left out for who asks for none, and controls are left out on paper", async () => {
  const { page } = await open(sampleReport(), { reducedMotion: "reduce" });
  const motion = `[getComputedStyle(document.documentElement).scrollBehavior,
    getComputedStyle(document.querySelector("button")).transitionDuration]`;
  expect(await page.evaluate(motion)).toEqual(["auto", "0s"]);
  await page.emulateMedia({ media: "print", reducedMotion: "no-preference" });
  expect(await page.locator("#filters").isVisible()).toBe(false);
  expect(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toBe(
    "rgb(255, 255, 255)",
  );
  expect((await titles(page)).length).toBe(4);
});

test("hidden characters stand out in the page", async () => {
  const { page } = await open(hostileReport());
  expect(await page.locator(".src .hid").allTextContents()).toContain("⟦U+202E⟧");
});

test("a picture of the page can be kept for people to look at", async () => {
  const isKept = process.env["SWORN_SCREENSHOT"] !== undefined;
  const folder = isKept ? mkdtempSync(join(tmpdir(), "sworn-screenshot-")) : temporaryFolder();
  for (const viewport of [DESKTOP, PHONE]) {
    const { page } = await open(sampleReport(), { viewport });
    const path = join(folder, `report-${viewport.width}.png`);
    await page.screenshot({ path, fullPage: true });
    expect(readFileSync(path).readUInt32BE(16), "the width in the header of the picture").toBe(
      viewport.width,
    );
  }
  if (isKept) console.log(`screenshots: ${folder}`);
});
