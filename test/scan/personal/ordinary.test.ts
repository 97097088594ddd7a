import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPersonal } from "../../../src/scan/personal/index.ts";
import { joined } from "../secret/tokens.ts";
import { card, dni, EMAIL, iban, NINO, passport, SSN, taxId } from "./people.ts";

const other = (text: string, at: number): string => {
  const digit = (Number(text.at(at)) + 1) % 10;
  return `${text.slice(0, at)}${digit}${at === -1 ? "" : text.slice(at + 1)}`;
};

const ORDINARY: Record<string, string> = {
  "nobody's address": "noreply@github.com, no-reply@service.io, 4+bot@users.noreply.github.com",
  "an office": "support@shop.de info@shop.de security@shop.de git@github.com:a/b.git",
  "addresses of manuals": "jane@example.com a.b@sub.example.org x.y@host.test j.doe@acme.com",
  "a made-up person": "john.doe@gmail.com you@gmail.com your-name@gmail.com",
  "a package with its version": "left-pad@1.3.0 mod@v1.2.3-rc.next @scope/name@latest",
  "a picture for fine screens": "background@2x.png logo@3x.jpg",
  "a user in a web address": "https://odile@wanadoo.fr/path",
  "an at sign": "a @ b.com, foo@bar, @decorator.name, @media",
  "a number of a film": "+1 555 781 2046, +1 415 555 2671, +44 7700 900123",
  "a number that was typed": "+49 1234567890, +491111111111",
  "a zone and a sum":
    "2026-11-16T09:18:51+02:00 x+4915112387 a = b +12345678901 (a=1)+65535)-65536*(b",
  "an added line of a diff": "+2024-01-15 10:20:30 ok\n+3.1415926535897\n+192.168.100.200",
  "no country's number": "+999 123 887 2211",
  "an account with a wrong check": other(iban("DE", "500105175407324931"), 10),
  "an account of the wrong length": iban("DE", "5001051754073249"),
  "accounts of manuals": "DE89 3704 0044 0532 0130 00 GB82WEST12345698765432",
  "an account in a longer word": `x${iban("DE", "500105175407324931")}`,
  "a card with a wrong check": other(card("4539", 16), 8),
  "a card of no issuer": card("9539", 16),
  "a card of the wrong length": card("5412", 15),
  "cards of manuals": "4111 1111 1111 1111 4242424242424242 5555-5555-5555-4444 378282246310005",
  "a card within a longer number": `1${card("4539", 16)} ${card("4539", 16)}1 0.${card("4539", 16)}`,
  "a time in milliseconds": "1794820731000 1700000000000",
  "a number nobody has": "000-22-8746 666-22-8746 923-22-8746 536-00-8746 536-22-0000",
  "a number of a sample card": "078-05-1120 111-22-3333 219-09-9999 123-45-6789",
  "nine digits without a name": SSN.replaceAll("-", ""),
  "a date and a range": "2024-01-15 100-20-3000-4 12-34-5678",
  "a tax number with a wrong check": other(taxId("6592178436"), -1),
  "eleven digits of another kind": taxId("1122334455"),
  "letters that no number starts with": NINO.replace("JG", "GB"),
  "an insurance number of a form": "AB123456C QQ 12 34 56 C",
  "an order's number": "JG103759E JG1037590A",
  "a Spanish number with a wrong letter": dni(39_482_716).replace(/.$/, "A"),
  "Spanish numbers of manuals": "12345678Z 00000000T X1234567L X0000000T",
  "the passport of a specimen": passport("UTO").join("\n"),
  "a passport with a wrong check": passport().join("\n").replace("18AX", "18AY"),
  "shifts and templates": "a <<= 2; x<<y; std::vector<std::map<A,B>> Q<<EOF",
  "addresses of one's own network": "127.0.0.1 10.1.2.3 192.168.4.5 172.20.1.1 169.254.1.1 0.0.0.0",
  "addresses of manuals and of everybody": "192.0.2.7 198.51.100.3 203.0.113.9 8.8.8.8 1.1.1.1",
  "a version or a section":
    "section 4.12.3.1 v2.14.7.31 version 93.184.215.14 1.2.3 1.2.3.4.5 300.1.2.3 93.184.215.14-beta",
  "names with colons": "Face::add cafe::babe std::string 12:34:56 2001:db8::7 fe80::1 ::1",
  hashes: "sha256:4539578763621486453957876362148645395787636214864539578763621486",
};

test.each(Object.keys(ORDINARY))("%s is nobody's", (name) => {
  expect(findPersonal(ORDINARY[name] ?? "").map(({ rule }) => rule)).toEqual([]);
});

test("no comment in the text can silence the scan", () => {
  expect(findPersonal(`// pii-ignore gitleaks:allow\n${EMAIL} // nosec`)).toHaveLength(1);
});

test("the source of this project names nobody", () => {
  const folder = join(import.meta.dirname, "../../../src");
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const named = paths
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), "utf8");
      // Ranges of addresses that belong to nobody are part of the proxy's rules.
      return findPersonal(text)
        .filter(({ rule }) => rule !== "ip-address")
        .map(({ rule, start }) => joined(path, " ", rule, ` ${start}`));
    });
  expect(named).toEqual([]);
});
