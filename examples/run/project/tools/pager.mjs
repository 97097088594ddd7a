// A worker that writes one page, and needs nothing for it.
import { deliver, write } from "./order.mjs";
import { page } from "./slug-files.mjs";

write("docs/slugs.md", page("src/slug.js", "-"));
deliver({ path: "docs/slugs.md" });
console.log("The page is there.\nFLAW: none");
