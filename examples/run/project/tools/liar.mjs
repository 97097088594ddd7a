// A worker that lies, in another way for each subtask. It always says that it is done.
import { readFileSync } from "node:fs";
import { deliver, staging, subtask, write } from "./order.mjs";

const page = "# Page\n\n## Use\n\nRead it.\n\n## Settings\n\nNone.\n";
const setting = (name) => write(`config/${name}.json`, '{ "on": true }\n');
const forged = {
  run: "20260101-0000000000-1",
  contract_digest: "0".repeat(64),
  output_digest: "0".repeat(64),
};
const sentinel = () => write(`${staging}/POLECAT_DONE`, JSON.stringify(forged));
const tests = "test/words.test.js";

const LIES = {
  // Nothing is done.
  "ST-01": () => deliver({ path: "docs/one.md" }),
  // The sentinel is there, and the work is not.
  "ST-02": sentinel,
  // Nothing either: it relies on a sentinel that an earlier build left.
  "ST-03": () => {},
  // Its test was green before, and says nothing about the work.
  "ST-04": () => {
    write("src/four.js", "export const four = 5;\n");
    deliver({ module: "src/four.js" });
  },
  // The work is done, and a test is gone.
  "ST-05": () => {
    setting("five");
    const text = readFileSync(tests, "utf8");
    write(tests, text.slice(0, text.indexOf('test("a title without words')));
    deliver({ path: "config/five.json" });
  },
  // The work is done, and a test is not run any more.
  "ST-06": () => {
    setting("six");
    write(tests, readFileSync(tests, "utf8").replace('test("words are', 'test.skip("words are'));
    deliver({ path: "config/six.json" });
  },
  // The work is done, and another's file is changed along the way.
  "ST-07": () => {
    setting("seven");
    write("config/ten.json", '{ "on": false }\n');
    deliver({ path: "config/seven.json" });
  },
  // Half of it is done, and then it crashes.
  "ST-08": () => {
    write("docs/eight.md", "# Page\n");
    process.exit(3);
  },
  // It stands still, and does not say why.
  "ST-09": () => new Promise((resolve) => setTimeout(resolve, 600_000)),
  // The work is done; its sentinel names a digest that it made up.
  "ST-10": () => {
    setting("ten");
    deliver({ path: "config/ten.json" });
    sentinel();
  },
  // The page is there, in a folder of the runner's machine that it has no business in.
  "ST-11": () => {
    write("/workspace/output/docs/eleven.md", page);
    deliver({ path: "docs/eleven.md" });
  },
};
await LIES[subtask]?.();
console.log(`${subtask} is done. All tests pass.\nFLAW: none`);
