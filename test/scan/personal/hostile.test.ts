import { expect, test } from "vitest";
import { findPersonal } from "../../../src/scan/personal/index.ts";
import { processorMsSince } from "../../cost-growth.ts";
import { EMAIL, passport } from "./people.ts";

/** Far above what it takes, far below what a quadratic pattern would take. */
const MEGABYTE_MS_MAX = 10_000;

const HOSTILE: Record<string, string> = {
  "one letter": "a",
  "at signs": "@",
  "addresses without end": "a@a.",
  "names before at signs": "a.b-c+d@",
  digits: "4",
  "digits and blanks": "4539 ",
  "digits and dashes": "453-22-",
  "plus signs": "+4",
  "plus signs and blanks": "+4 9 ",
  "account numbers": "DE89 ",
  "letters and digits": "AB12",
  fillers: "<",
  "lines of a passport": "ABCDEF<<ABCDEFABCDEFABCDEFABCDEF\n",
  colons: "2a01:",
  dots: "93.184.",
};

test.each(Object.keys(HOSTILE))("a megabyte of %s is passed over in time", (name) => {
  const part = HOSTILE[name] ?? "";
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  const from = process.cpuUsage();
  findPersonal(text);
  expect(processorMsSince(from)).toBeLessThan(MEGABYTE_MS_MAX);
});

test("a person after a megabyte of decoys is still found", () => {
  expect(findPersonal(`${"a.b-c+d@".repeat(130_000)} ${EMAIL}`)).toHaveLength(1);
  expect(findPersonal(`${"AB<<".repeat(250_000)}\n${passport().join("\n")}`)).toHaveLength(1);
});

test("a register of people has an end", () => {
  expect(findPersonal(`${EMAIL} `.repeat(20_000))).toHaveLength(10_000);
});
