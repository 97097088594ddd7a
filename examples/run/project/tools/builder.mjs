// A worker that does what it is told. A program stands here for an agent, so that the example runs
// anywhere and the same way each time.
import { deliver, given, subtask, write } from "./order.mjs";
import { page, slug, test } from "./slug-files.mjs";

if (subtask === "ST-01") {
  write("src/slug.js", slug);
  write("test/slug.test.js", test);
  deliver({ module: "src/slug.js", separator: "-" });
}
if (subtask === "ST-02") {
  write("docs/slugs.md", page(given("module"), given("separator")));
  deliver({ path: "docs/slugs.md" });
}
console.log(`${subtask} is done.\nFLAW: none`);
