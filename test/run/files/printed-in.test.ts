import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { printedIn } from "../../../src/run/files/index.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

test("of a long file the beginning or the end is read, of a short one all of it", () => {
  const path = join(temporaryFolder(), "agent-stdout.txt");
  writeFileSync(path, "0123456789");
  expect(printedIn(path, 3, "beginning").toString()).toBe("012");
  expect(printedIn(path, 3, "end").toString()).toBe("789");
  expect(printedIn(path, 99, "end").toString()).toBe("0123456789");
});
