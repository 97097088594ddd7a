import { expect, test } from "vitest";
import { scanSecrets } from "../../../src/scan/secret/index.ts";
import { drawn, githubToken, joined, privateKey } from "./tokens.ts";

const rules = (text: string, held?: readonly string[]): string[] =>
  scanSecrets(text, held ? { held } : {}).map(({ rule }) => rule);

test.each([0, 1, 2, 3, 4])("a token behind base64 is found after %i other bytes", (before) => {
  const encoded = Buffer.from(`${"~".repeat(before)} ${githubToken()} `).toString("base64");
  expect(rules(`data: ${encoded}\n`)).toEqual(["github-token"]);
});

test("a token behind base64 for addresses is found", () => {
  const encoded = Buffer.from(`??>>${githubToken()}??>>`).toString("base64url");
  expect(rules(encoded)).toEqual(["github-token"]);
});

test("a named password behind base64 is found", () => {
  const encoded = Buffer.from(`user=app\npassword=${drawn(16)}\n`).toString("base64");
  expect(rules(`config: ${encoded}`)).toEqual(["assigned-password"]);
});

test("a token behind hex is found, in either case", () => {
  const hex = Buffer.from(githubToken()).toString("hex");
  expect(rules(`x = ${hex}`)).toEqual(["github-token"]);
  expect(rules(`x = ${hex.toUpperCase()}`)).toEqual(["github-token"]);
});

test("a database address behind percent encoding is found", () => {
  const url = joined("postgres", "://app:", "r7Kq2vLx9", "@db.internal/app");
  expect(rules(`go?to=${encodeURIComponent(url)}&x=1`)).toEqual(["database-url"]);
});

test("a fully percent-encoded token is found", () => {
  const encoded = Buffer.from(githubToken()).toString("hex").replace(/../g, "%$&");
  expect(rules(`a=${encoded}`)).toEqual(["github-token"]);
});

test("a token that an address carries as it is counts once", () => {
  expect(rules(`https://host.internal/?a=%20b%3Dc&t=${githubToken()}`)).toEqual(["github-token"]);
});

test("the place of an encoded secret covers all of it", () => {
  const token = githubToken();
  const encoded = Buffer.from(token).toString("base64");
  const [hit] = scanSecrets(`k: "${encoded}"`);
  expect(hit).toMatchObject({
    line: 1,
    column: 5,
    length: encoded.replace(/=+$/, "").length,
    preview: "ghp***",
  });
});

test("only one level is decoded", () => {
  const once = Buffer.from(githubToken()).toString("base64");
  expect(rules(Buffer.from(`--${once}--`).toString("base64"))).toEqual([]);
});

test("a needle that turns up by chance does not hide a token further on", () => {
  // The first part reads as a keyword only from a wrong place, in the same stretch.
  const chance = Buffer.from("ghp_").toString("base64").slice(0, 5);
  const encoded = Buffer.from(`   ${githubToken()}`).toString("base64");
  expect(rules(`x${chance}${"A".repeat(6)}${encoded}`)).toEqual(["github-token"]);
});

const HELD = joined("correct horse", " “battery”\n", "staple/7");

test.each([
  ["as it is", HELD],
  ["escaped for JSON", JSON.stringify(HELD).slice(1, -1)],
  ["in base64", Buffer.from(HELD).toString("base64")],
  ["in base64 after one byte", Buffer.from(`a${HELD}z`).toString("base64")],
  ["in base64 after two bytes", Buffer.from(`ab${HELD}z`).toString("base64")],
  ["in base64 for addresses", Buffer.from(HELD).toString("base64url")],
  ["in hex", Buffer.from(HELD).toString("hex")],
  ["in upper-case hex", Buffer.from(HELD).toString("hex").toUpperCase()],
  ["in percent encoding", encodeURIComponent(HELD)],
  ["in lower-case percent encoding", encodeURIComponent(HELD).toLowerCase()],
  ["fully percent-encoded", Buffer.from(HELD).toString("hex").replace(/../g, "%$&")],
])("a held secret is found %s", (_, text) => {
  expect(rules(`before ${text} after`, [HELD])).toEqual(["held-secret"]);
  expect(rules(`before ${text} after`)).toEqual([]);
});

test("a held secret is found however short or weak it is, each time", () => {
  expect(rules("the abc is abc", ["abc"])).toEqual(["held-secret", "held-secret"]);
  expect(rules("password = changeme", ["changeme"])).toEqual(["held-secret"]);
});

test("almost a held secret is none", () => {
  expect(rules("correct horse", [HELD])).toEqual([]);
  expect(rules("ABC", ["abc"])).toEqual([]);
  expect(rules("anything", ["", ""])).toEqual([]);
});

test("one line of a held key file is found when it stands alone", () => {
  const key = privateKey();
  const line = key.split("\n")[3] ?? "";
  expect(rules(`    ${line}`, [key])).toEqual(["held-secret"]);
});

test("a held secret that a rule knows too counts once", () => {
  const token = githubToken();
  expect(rules(`t = "${token}"`, [token])).toEqual(["held-secret"]);
});

test("a held secret with characters from everywhere is found", () => {
  const wide = Array.from({ length: 400 }, (_, at) => String.fromCharCode(0x4e00 + at)).join("");
  expect(rules(`x${wide}x`, [wide, "other"])).toEqual(["held-secret"]);
});
