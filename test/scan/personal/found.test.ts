import { expect, test } from "vitest";
import { findPersonal, scanPersonal } from "../../../src/scan/personal/index.ts";
import { joined } from "../secret/tokens.ts";
import {
  card,
  dni,
  EMAIL,
  iban,
  identityCard,
  NINO,
  PHONE,
  passport,
  SSN,
  taxId,
} from "./people.ts";

const groups = (text: string, size: number, sign = " "): string =>
  (text.match(new RegExp(`.{1,${size}}`, "g")) ?? []).join(sign);

const FOUND: readonly (readonly [rule: string, text: string])[] = [
  ["email-address", EMAIL],
  ["email-address", joined("o'neil+news", "@", "mail.post.co.uk")],
  ["email-address", joined("jürgen.müller", "@", "firma-nord.de")],
  ["phone-number", PHONE],
  ["phone-number", joined("+4930", "90182", "0")],
  ["phone-number", joined("+1 (", "415) ", "781-", "2046")],
  ["phone-number", joined("+44 20 ", "7219 ", "4272")],
  ["phone-number", joined("+49.30.", "901.", "820")],
  ["iban", iban("DE", "500105175407324931")],
  ["iban", groups(iban("FR", "20041010050500013M02607"), 4)],
  ["iban", iban("NL", "RABO0300065264").toLowerCase()],
  ["payment-card", card("4539", 16)],
  ["payment-card", groups(card("5412", 16), 4)],
  ["payment-card", groups(card("2720", 16), 4, "-")],
  ["payment-card", card("3714", 15)],
  ["payment-card", card("6011", 16)],
  ["payment-card", card("3569", 16)],
  ["payment-card", card("3056", 14)],
  ["payment-card", card("6221", 19)],
  ["us-social-security-number", SSN],
  ["us-social-security-number", `SSN: ${SSN.replaceAll("-", "")}`],
  ["german-tax-id", taxId("6592178436")],
  ["german-tax-id", taxId("2695437182").replace(/^(..)(...)(...)(...)$/, "$1 $2 $3 $4")],
  ["uk-national-insurance", NINO],
  ["uk-national-insurance", "JG 10 37 59 A".replace("59", "58")],
  ["spanish-dni", dni(39_482_716)],
  ["spanish-nie", `Y${dni(19_482_716).slice(1)}`],
  ["passport-mrz", passport().join("\n")],
  ["passport-mrz", passport().join("\\n")],
  ["passport-mrz", identityCard().join("\r\n")],
  ["ip-address", joined("93.", "184.", "215.14")],
  ["ip-address", joined("2a01:", "4f8:", "c17:b0f::2")],
];

test.each(FOUND.map(([rule, text], at) => ({ rule, text, at })))(
  "$at: $rule is found, all of it and nothing else",
  ({ rule, text }) => {
    const around = `{"who": "${text}", "n": 7}\n`;
    const hits = findPersonal(around);
    expect(hits.map((hit) => hit.rule)).toEqual([rule]);
    const name = rule === "us-social-security-number" ? text.replace("SSN: ", "") : text;
    expect(hits.map((hit) => around.slice(hit.start, hit.end))).toEqual([name]);
    expect(findPersonal(text).map((hit) => hit.rule)).toEqual([rule]);
  },
);

test("a hit says where it is and how bad it is, never what it is", () => {
  expect(scanPersonal(`a\n  ${EMAIL}\n`)).toEqual([
    { rule: "email-address", severity: "medium", line: 2, column: 3, length: EMAIL.length },
  ]);
});

test("an address of a machine is less than one of a person, and a number of a person is more", () => {
  const severity = (text: string) => scanPersonal(text)[0]?.severity;
  expect(severity(joined("93.", "184.", "215.14"))).toBe("low");
  expect(severity(PHONE)).toBe("medium");
  expect(severity(SSN)).toBe("high");
});

test("everything in a list is found, each once and in order", () => {
  const texts = FOUND.map(([, text]) => text);
  const hits = findPersonal(texts.join(";\n"));
  expect(hits.map(({ rule }) => rule)).toEqual(FOUND.map(([rule]) => rule));
  expect(hits.every((hit, at) => at === 0 || hit.start >= (hits[at - 1]?.end ?? 0))).toBe(true);
});

test("a telephone number hides no number that stands right behind it", () => {
  const hits = findPersonal(`${PHONE} ${SSN} ${PHONE} ${card("4539", 16)}`);
  expect(hits.map(({ rule }) => rule)).toEqual([
    "phone-number",
    "us-social-security-number",
    "phone-number",
    "payment-card",
  ]);
});

test("a word of two letters before a number does not hide it", () => {
  for (const text of [card("4539", 16), groups(card("5412", 16), 4), dni(39_482_716), SSN]) {
    expect(findPersonal(`NR ${text}`)).toHaveLength(1);
  }
  expect(findPersonal(`X-${dni(9_482_716).slice(1)}`).map(({ rule }) => rule)).toEqual([
    "spanish-nie",
  ]);
});
