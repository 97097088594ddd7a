// A worker that does what it is told. A program stands here for an agent, so that the example runs
// anywhere and the same way each time.
import { deliver, given, subtask, write } from "./order.mjs";

const slug = `import { wordsOf } from "./words.js";

/** A title as the last part of an address. */
export function slugOf(title) {
  return wordsOf(title).join("-");
}
`;
const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "../src/slug.js";

test("a slug joins the words of a title with dashes", () => {
  assert.equal(slugOf("Hello, big World!"), "hello-big-world");
});
`;

const DEEDS = {
  "ST-01": () => {
    write("src/slug.js", slug);
    write("test/slug.test.js", test);
    deliver({ module: "src/slug.js", separator: "-" });
  },
  "ST-02": () => {
    write("config/slug.json", `${JSON.stringify({ slug: { max_length: 60 } }, null, 2)}\n`);
    deliver({ path: "config/slug.json", max_length: 60 });
  },
  "ST-03": () => {
    const lines = [
      "# Slugs",
      "## Use",
      `Import \`slugOf\` from \`${given("module")}\`. Words are joined with "${given("separator")}".`,
      "## Settings",
      `At most ${given("max_length")} characters are kept; see \`config/slug.json\`.`,
    ];
    write("docs/slugs.md", `${lines.join("\n\n")}\n`);
    deliver({ path: "docs/slugs.md" });
  },
};
DEEDS[subtask]?.();
console.log(`${subtask} is done.\nFLAW: none`);
