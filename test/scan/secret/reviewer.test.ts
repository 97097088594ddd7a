import { expect, test } from "vitest";
import { secret } from "../../../src/scan/secret/index.ts";
import { Finding } from "../../../src/schema/finding.ts";
import { processorMsSince } from "../../cost-growth.ts";
import { drawn, githubToken, joined, privateKey } from "./tokens.ts";

const review = (text: string, path = "src/a.ts") => secret.review({ path, text });

test("the quotation is exact, has the key's name, and does not repeat the secret", () => {
  const token = githubToken();
  const text = `first\n  const githubToken = "${token}";\nlast\n`;
  const [found, ...more] = review(text);
  expect(more).toEqual([]);
  expect(found?.citations).toEqual([{ file: "src/a.ts", line: 2, quote: 'const githubToken = "' }]);
  expect(text).toContain(found?.citations[0]?.quote);
  expect(JSON.stringify(found)).not.toContain(token.slice(4, 12));
  expect(found).toMatchObject({ priority: "P1", category: "secret" });
  expect(found?.title).toContain("github-token");
  expect(Finding.safeParse({ id: "KEY-001", ...found }).success).toBe(true);
});

test("the text after the secret is quoted where it is longer", () => {
  const [found] = review(`t="${githubToken()}"; // the deploy job uses this\n`);
  expect(found?.citations[0]?.quote).toBe('"; // the deploy job uses this');
});

test("a secret that is alone in its line is cited by file and line only", () => {
  expect(review(`\n${githubToken()}\n`)[0]?.citations).toEqual([{ file: "src/a.ts", line: 2 }]);
});

test("a private key is cited at its header", () => {
  const key = privateKey("RSA ");
  const [found, ...more] = review(`# key\n${key}`, "id_rsa");
  expect(more).toEqual([]);
  expect(found?.citations).toEqual([{ file: "id_rsa", line: 2, quote: key.split("\n")[0] }]);
});

test("no quotation holds any of the secrets in the line, even where one is repeated", () => {
  const [one, two] = [githubToken(1), githubToken(2)];
  const found = review(`use("${one}", "${two}"); // was "${one}" before\n`);
  for (const { citations } of found) {
    expect(citations[0]?.quote).not.toContain(one);
    expect(citations[0]?.quote).not.toContain(two);
  }
  expect(found.length).toBeGreaterThanOrEqual(2);
});

test("a password that stands a second time in its line is not quoted there", () => {
  const password = joined("Winter", "2031!");
  const [found] = review(`password = "${password}" # yes, it is really ${password}, sorry\n`);
  expect(found?.citations[0]?.quote).toBe('" # yes, it is really');
});

test("what only a name gives away counts less in tests and documents", () => {
  const text = `password = "${drawn(16)}"\n`;
  expect(review(text)[0]?.priority).toBe("P2");
  expect(review(text, "test/login.ts")[0]?.priority).toBe("P3");
  expect(review(text, "README.md")[0]?.priority).toBe("P3");
  expect(review(`"${githubToken()}"`, "test/login.ts")[0]?.priority).toBe("P1");
});

test("every file is covered, generated ones too", () => {
  expect(["a.ts", "dist/a.min.js", ".env", "node_modules/x"].every(secret.covers)).toBe(true);
  expect(secret.prefix).toBe("KEY");
});

test("a file full of secrets gives a bounded number of findings that says so", () => {
  const text = Array.from({ length: 300 }, (_, at) => `t = "${githubToken(at + 1)}"`).join("\n");
  const found = review(text);
  expect(found).toHaveLength(50);
  expect(found.at(-1)?.issue).toContain("250 more");
});

test("a secret in a line of a megabyte gives a short quotation", () => {
  const filler = "word ".repeat(200_000);
  const text = `${filler}token = "${githubToken()}"; ${filler}`;
  const quote = review(text)[0]?.citations[0]?.quote ?? "";
  expect(quote.length).toBeLessThanOrEqual(200);
  expect(text).toContain(quote);
});

test("a line of a megabyte that is nothing but secrets is reported in time", () => {
  const text = Array.from({ length: 9_000 }, (_, at) =>
    `t="${githubToken(at + 1)}";`.padEnd(110),
  ).join("");
  const from = process.cpuUsage();
  expect(review(text)).toHaveLength(50);
  expect(processorMsSince(from)).toBeLessThan(20_000);
});
