import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { expect, test } from "vitest";
import { scanSecrets } from "../../../src/scan/secret/index.ts";
import { SECRETS } from "./samples.ts";
import { githubToken } from "./tokens.ts";

/** What another scanner of the field finds in a text. */
async function peerFinds(content: string): Promise<number> {
  const { messages } = await lintSource({
    source: { filePath: "/x/sample.txt", content, contentType: "text", ext: ".txt" },
    options: {
      config: { rules: [{ id: creator.meta.id, rule: creator }] },
      noPhysicFilePath: true,
    },
  });
  return messages.length;
}

test("we find whatever secretlint finds in the samples, and more", async () => {
  const missed: string[] = [];
  let both = 0;
  for (const [rule, text] of SECRETS) {
    if ((await peerFinds(text)) === 0) continue;
    if (scanSecrets(text).length > 0) both += 1;
    else missed.push(rule);
  }
  expect(missed).toEqual([]);
  // The comparison means nothing if the other one finds nothing.
  expect(both).toBeGreaterThan(10);
  expect(both).toBeLessThan(SECRETS.length);
});

test("a comment that silences secretlint does not silence us", async () => {
  const text = `// secretlint-disable\nconst t = "${githubToken()}";\n`;
  expect(await peerFinds(text)).toBe(0);
  expect(await peerFinds(text.replace("secretlint-disable", "nothing"))).toBe(1);
  expect(scanSecrets(text)).toHaveLength(1);
});
