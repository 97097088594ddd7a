import { expect, test } from "vitest";
import { isBadHost } from "../../src/admit/bad-host.ts";

test.each([
  "registry.example.org",
  "localhost",
  "localhost:4873",
  "a-b.example.org:8443",
  "x1.y2z",
])("%s can stand on a list of hosts", (host) => {
  expect(isBadHost(host)).toBe(false);
});

test.each([
  "",
  "10.0.0.1",
  "127.1",
  "2130706433",
  "0x7f.1",
  "0x7f000001",
  "1.2.3.0x4",
  "[::1]",
  "::1",
  "a.onion",
  "A.example.org",
  "example.org.",
  ".example.org",
  "a..b",
  "*.example.org",
  "user@example.org",
  "https://example.org",
  "example.org/path",
  "example.org:0",
  "example.org:65536",
  "example.org:",
  "xn--80ak6aa92e.com",
  "ex\u0430mple.org",
  "a b",
  "a\n",
  "-a.org",
  "a-.org",
  `${"a".repeat(64)}.org`,
  "a.".repeat(200),
])("%j can not", (host) => {
  expect(isBadHost(host)).toBe(true);
});
