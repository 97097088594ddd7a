import { expect, test } from "vitest";
import { canonical, read } from "./report.ts";

const NONCE = "0123456789abcdef0123456789abcdef";
const open = (id: string, nonce = NONCE): string =>
  `<!-- RUNE:FINDING nonce="${nonce}" id="${id}" file="src/db.ts" line="42" severity="P1" -->\n`;
const close = (id: string): string => `<!-- /RUNE:FINDING ${id} -->\n`;
const wrap = (id: string, nonce?: string): string => open(id, nonce) + canonical(id) + close(id);
const nonces = (text: string) => {
  const report = read(text);
  return report.findings.map(({ id }, index) => [id, report.nonces[index]]);
};

test("a finding has the nonce of the wrapper around it, and only of that", () => {
  expect(nonces(`## P1\n\n${wrap("A-1")}\n${wrap("A-2", "other")}\n${canonical("A-3")}`)).toEqual([
    ["A-1", NONCE],
    ["A-2", "other"],
    ["A-3", undefined],
  ]);
});

test("the wrapper may stand around a heading", () => {
  expect(nonces(`${open("A-1")}\n### [A-1] T in \`a.ts:1\`\n\nWords.\n\n${close("A-1")}`)).toEqual([
    ["A-1", NONCE],
  ]);
});

test.each([
  ["is never closed", open("A-1") + canonical("A-1")],
  ["closes under another id", open("A-1") + canonical("A-1") + close("A-2")],
  ["is for another id", open("A-2") + canonical("A-1") + close("A-2")],
  ["is opened again before it closes", open("A-1") + canonical("A-1") + open("A-9") + close("A-1")],
  ["stands in a fence", `\`\`\`\n${open("A-1")}\`\`\`\n${canonical("A-1")}`],
  ["stands in a quote", `> ${open("A-1")}\n${canonical("A-1")}${close("A-1")}`],
  ["stands in code", `\`${open("A-1").trim()}\`\n\n${canonical("A-1")}${close("A-1")}`],
])("a wrapper vouches for nothing if it %s", (_, text) => {
  expect(nonces(`## P1\n\n${text}`)).toEqual([["A-1", undefined]]);
});

test("a second finding put into a wrapper under the same id has no nonce", () => {
  const text = open("A-1") + canonical("A-1") + canonical("A-1", "other.ts") + close("A-1");
  expect(nonces(text)).toEqual([
    ["A-1", NONCE],
    ["A-1", undefined],
  ]);
});

test("what the finding does not say, its wrapper may", () => {
  const report = read(`${open("A-1")}\n- [ ] **[A-1] T**\n\n${close("A-1")}`);
  expect(report.findings).toEqual([
    { id: "A-1", title: "T", priority: "P1", citations: [{ file: "src/db.ts", line: 42 }] },
  ]);
});
