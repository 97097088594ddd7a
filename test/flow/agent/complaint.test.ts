import { expect, test } from "vitest";
import { complaintOf } from "../../../src/flow/agent/complaint.ts";

const FRAMES = "    at main (/a.js:1:7)\n    at node:internal/main/run_main_module:28:49";

test("the last line of stderr is an agent's complaint", () => {
  expect(complaintOf("")).toBe("");
  expect(complaintOf("\n \n")).toBe("");
  expect(complaintOf("a warning\n  it is broken \n\n")).toBe("it is broken");
});

test("of a crashed Node.js program the error is told, and not the version below it", () => {
  const thrown = `/a.js:1\nthrow new TypeError("boom")\n^\n\nTypeError: boom\n${FRAMES}\n`;
  expect(complaintOf(`${thrown}\nNode.js v20.20.2\n`)).toBe("TypeError: boom");
  const withFields = `Error: ENOENT: no such file\n${FRAMES} {\n  errno: -2,\n  code: 'ENOENT'\n}\n`;
  expect(complaintOf(`${withFields}\nNode.js v22.1.0\n`)).toBe("Error: ENOENT: no such file");
  expect(complaintOf(`no key is set\n${FRAMES}\nNode.js v20.0.0`)).toBe("no key is set");
  expect(complaintOf("Node.js v20.20.2\n")).toBe("Node.js v20.20.2");
  expect(complaintOf("Error: a\nit needs Node.js v20.20.2\n")).toBe("it needs Node.js v20.20.2");
});
