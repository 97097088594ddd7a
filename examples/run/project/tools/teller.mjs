// A worker that can only answer: it writes no file, and its files are taken out of what it says.
import { given, subtask } from "./order.mjs";
import { page, slug, test } from "./slug-files.mjs";

const FENCE = "```";
const told = (path, text) => `\`${path}\`:\n\n${FENCE}\n${text}${FENCE}\n`;
const output = (value) => told("output.json", `${JSON.stringify(value)}\n`);

if (subtask === "ST-01") {
  console.log(told("src/slug.js", slug));
  console.log(told("test/slug.test.js", test));
  console.log(output({ module: "src/slug.js", separator: "-" }));
}
if (subtask === "ST-02") {
  console.log(told("docs/slugs.md", page(given("module"), given("separator"))));
  console.log(output({ path: "docs/slugs.md" }));
}
console.log("FLAW: none");
