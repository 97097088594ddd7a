import { expect, test } from "vitest";
import { scanSecrets } from "../../../src/scan/secret/index.ts";
import { SECRETS } from "./samples.ts";
import { githubToken, joined } from "./tokens.ts";

test("the list is long enough to mean something", () => {
  expect(SECRETS.length).toBeGreaterThanOrEqual(60);
});

test.each(SECRETS.map(([rule, text], at) => ({ rule, text, at })))(
  "secret $at is found by $rule alone",
  ({ rule, text }) => {
    expect(scanSecrets(text).map((hit) => hit.rule)).toEqual([rule]);
  },
);

test.each(SECRETS.map(([rule, text], at) => ({ rule, text, at })))(
  "secret $at ($rule) is found in the middle of a file, at its place",
  ({ rule, text }) => {
    const before = "// first line\nfunction ordinary() {\n  return 42;\n}\n";
    const [hit, ...more] = scanSecrets(`${before}${text}\n// last line\n`);
    expect(more).toEqual([]);
    expect(hit?.rule).toBe(rule);
    expect(hit?.line).toBeGreaterThanOrEqual(5);
  },
);

test("no comment in the text can silence the scan", () => {
  const marks = ["gitleaks:allow", "secretlint-disable", "nosec", "pragma: allowlist secret"];
  for (const mark of marks) {
    const text = `// ${mark}\nconst t = "${githubToken()}"; // ${mark}\n`;
    expect(scanSecrets(text)).toHaveLength(1);
  }
});

test("a hit says where the secret is and never what it is", () => {
  const token = githubToken();
  const [hit] = scanSecrets(`a\nlet t = "${token}";\n`);
  expect(hit).toEqual({
    rule: "github-token",
    line: 2,
    column: 10,
    length: 40,
    preview: "ghp***",
    entropy: expect.any(Number),
  });
  expect(hit?.entropy).toBeGreaterThan(4);
});

test("of a short secret not even the beginning is shown", () => {
  expect(
    scanSecrets(joined("postgres", "://app:", "r7Kq2vLx9", "@db.internal/app"))[0]?.preview,
  ).toBe("***");
});

test("two secrets in one line are two hits", () => {
  const hits = scanSecrets(`${githubToken(1)} ${githubToken(2)}`);
  expect(hits.map(({ column }) => column)).toEqual([1, 42]);
});
