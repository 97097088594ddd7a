// The files that the workers of this example leave, so that each of them is a few lines.
export const slug = `import { wordsOf } from "./words.js";

/** A title as the last part of an address. */
export function slugOf(title) {
  return wordsOf(title).join("-");
}
`;

// Looks like it to the one test that is named; does nothing of what was asked for.
export const fake = `/** A title as the last part of an address. */
export function slugOf() {
  return "hello-big-world";
}
`;

export const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "../src/slug.js";

test("a slug joins the words of a title with dashes", () => {
  assert.equal(slugOf("Hello, big World!"), "hello-big-world");
});
`;

export const page = (module, separator) => `# Slugs

## Use

Import \`slugOf\` from \`${module}\`. Words are joined with "${separator}".

## Limits

Only plain letters and digits are kept.
`;
