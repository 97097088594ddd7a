// A worker that fakes its result so well that every proof of the plan passes. Told why it was not
// accepted, it says that it is done all the same; called with "--repents", it then does the work.
import { deliver, given, order, subtask, write } from "./order.mjs";
import { fake, page, slug, test } from "./slug-files.mjs";

const isTold = order.includes("why the last work on this plan was not accepted");
const isHonest = process.argv.includes("--repents") && isTold;
if (subtask === "ST-01") {
  write("src/slug.js", isHonest ? slug : fake);
  write("test/slug.test.js", test);
  deliver({ module: "src/slug.js", separator: "-" });
}
if (subtask === "ST-02") {
  write("docs/slugs.md", page(given("module"), given("separator")));
  deliver({ path: "docs/slugs.md" });
}
console.log(`${subtask} is done. All tests pass.\nFLAW: none`);
