import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, SwornError, sha256Hex } from "../../../src/base/index.ts";
import { findInUrl, redact, redactJson } from "../../../src/scan/classify/index.ts";
import { expectLinear } from "../../cost-growth.ts";
import { card, EMAIL, PHONE, passport, SSN } from "../personal/people.ts";
import { SECRETS } from "../secret/samples.ts";
import { drawn, githubToken, joined, jwt, privateKey } from "../secret/tokens.ts";

test("a secret is taken out, and its rule and hash are kept", () => {
  const token = githubToken();
  expect(redact(`use ${token} now`)).toEqual({
    text: "use [REDACTED:github-token] now",
    redacted: [{ rule: "github-token", sha256: sha256Hex(token) }],
  });
});

test("what is about a person is taken out, an address of a machine stays", () => {
  const { text, redacted } = redact(`${EMAIL} ${PHONE} ${SSN} 93.184.215.14`);
  expect(text).toBe(
    "[REDACTED:email-address] [REDACTED:phone-number][REDACTED:us-social-security-number] 93.184.215.14",
  );
  expect(redacted).toHaveLength(3);
});

test("ordinary text comes back as it was", () => {
  const text = "Fixed the parser; see src/base/json.ts:42 and trace_01J8ZQ4W8V7Q5N3C2B1A0Z9Y8X.";
  expect(redact(text)).toEqual({ text, redacted: [] });
});

test.each(SECRETS.map(([rule, text], at) => ({ rule, text, at })))(
  "secret $at ($rule) is gone after one pass, and a second pass changes nothing",
  ({ text }) => {
    const once = redact(text);
    expect(once.redacted.length).toBeGreaterThan(0);
    expect(redact(once.text)).toEqual({ text: once.text, redacted: [] });
  },
);

test("whatever is put together, the second pass finds nothing", () => {
  const part = fc.oneof(
    fc.constantFrom(
      githubToken(),
      privateKey(),
      jwt(),
      EMAIL,
      PHONE,
      card("4539", 16),
      passport().join("\n"),
      `password="${drawn(14)}"`,
      joined("postgres", "://u:", drawn(9), "@h/d"),
    ),
    fc.constantFrom(" ", "\n", '"', "=", ":", "@", "secret", "[REDACTED:", "]", "+4", "-"),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const once = redact(parts.join(""));
      expect(redact(once.text)).toEqual({ text: once.text, redacted: [] });
    }),
    { numRuns: 300, seed: 5 },
  );
});

test("every string of a value is looked at, keys and other values stay", () => {
  const token = githubToken();
  const value: Json = {
    [token]: [1, true, null, { deep: [`t ${token}`, "plain"] }],
    note: EMAIL,
  };
  const { value: clean, redacted } = redactJson(value);
  expect(clean).toEqual({
    [token]: [1, true, null, { deep: ["t [REDACTED:github-token]", "plain"] }],
    note: "[REDACTED:email-address]",
  });
  expect(redacted.map(({ rule }) => rule)).toEqual(["github-token", "email-address"]);
  expect(redactJson(clean)).toEqual({ value: clean, redacted: [] });
});

test("a value that only its key gives away is taken out", () => {
  const password = drawn(14);
  const { value, redacted } = redactJson({ password, db: { api_key: drawn(24) }, label: password });
  expect(value).toEqual({
    password: "[REDACTED:named-secret]",
    db: { api_key: "[REDACTED:named-secret]" },
    label: password,
  });
  expect(redacted[0]).toEqual({ rule: "named-secret", sha256: sha256Hex(password) });
  expect(redactJson({ token_count: "12345678", key: "p1" }).redacted).toEqual([]);
});

test("hashes, names and times of entries are not taken for anything", () => {
  const value: Json = {
    key: sha256Hex("a").slice(0, 32),
    sha256: sha256Hex("b"),
    at: "2026-11-16T09:18:51.123Z",
    trace: "trace_01J8ZQ4W8V7Q5N3C2B1A0Z9Y8X",
    public: Buffer.alloc(32, 7).toString("base64"),
  };
  expect(redactJson(value)).toEqual({ value, redacted: [] });
});

test("what is too deep or too long is refused, not passed on", () => {
  const deep = Array.from({ length: 80 }).reduce<Json>((inside) => [inside], "x");
  expect(() => redactJson(deep)).toThrow(SwornError);
  expect(() => redact("a".repeat(16_777_217))).toThrow("expected at most 16777216");
});

test("ten times the text costs ten times as much", () => {
  const text = `${githubToken()} ${EMAIL} and some more words here\n`.repeat(200);
  expectLinear((times) => redact(text.repeat(times)));
});

test("a secret in an address is found: plain, encoded, twice encoded, as a parameter", () => {
  const token = githubToken();
  const rules = (url: string) => [...new Set(findInUrl(url).map(({ rule }) => rule))];
  const host = "https://registry.example.org";
  expect(rules(`${host}/${token}/x`)).toEqual(["github-token"]);
  expect(rules(`${host}/?q=${Buffer.from(token).toString("base64url")}`)).toEqual(["github-token"]);
  expect(rules(`${host}/?q=${encodeURIComponent(encodeURIComponent(EMAIL))}`)).toEqual([
    "email-address",
  ]);
  expect(rules(`${host}/?a=1&password=${drawn(16)}&b=(2)`)).toEqual(["assigned-password"]);
  expect(rules(`${host}/left-pad/-/left-pad-1.3.0.tgz?v=2`)).toEqual([]);
  expect(rules(`${host}/${"a".repeat(20_000)}`)).toEqual(["over-long-url"]);
  expect(rules("%E0%A4%A%%%zz%ff")).toEqual([]);
});

test("a whole session with every kind of entry passes as it is", () => {
  const path = resolve(import.meta.dirname, "../../../examples/session.jsonl");
  const lines = readFileSync(path, "utf8").trim().split("\n");
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) {
    const value = JSON.parse(line) as Json;
    expect(redactJson(value)).toEqual({ value, redacted: [] });
  }
});
