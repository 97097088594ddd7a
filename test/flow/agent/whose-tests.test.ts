import { expect, test } from "vitest";
import { whyNoneOfItProves } from "../../../src/flow/agent/whose-tests.ts";
import type { ObservedProcess } from "../../../src/run/observe/index.ts";

const TREE = "/workspace/data/tree";
const ran = (argv: string, parent?: number): ObservedProcess => ({
  ...{ pid: 1, argv: argv.split(" "), cwd: TREE, beganMs: 0, endedMs: 1 },
  ...{ exit: 0, signal: undefined, parent },
});
const why = (changed: string[], ...processes: ObservedProcess[]) =>
  whyNoneOfItProves(processes, {
    ...{ commit: "T", ignored: ["build/"], nested: [], isUntouched: false },
    changed: changed.map((path) => ({ path, how: "modified" as const })),
  });

test("what tests start themselves, and what is only compiled, is what they are about", () => {
  const vitest = [ran("/usr/bin/npm test"), ran("/usr/bin/node node_modules/vitest/vitest.mjs", 0)];
  expect(why(["bin/cli.js"], ...vitest, ran("/usr/bin/node bin/cli.js", 1))).toBe(undefined);
  expect(why(["bin/cli.js"], ...vitest, ran("/usr/bin/node bin/cli.js", 0))).toMatch(/bin\/cli.js/);
  const make = ran("/usr/bin/make test");
  expect(why(["src/a.c"], make, ran("/usr/bin/cc -c src/a.c", 0))).toBe(undefined);
  expect(why(["src/a.c"], make, ran(`${TREE}/build/all`, 0))).toBe(undefined);
  expect(why(["test/all.js"], make, ran("/usr/bin/node test/all.js", 0))).toBe(undefined);
});
