import { expect, test } from "vitest";
import { SecretMask } from "../../src/egress/mask-secret.ts";

const SECRET = "sk-sk-real-0123";

/** A text in pieces of one size, through a mask. */
function passed(text: string, size: number): string {
  const mask = SecretMask.of(SECRET);
  const out: Buffer[] = [];
  for (let at = 0; at < text.length; at += size) {
    const piece = mask?.take(Buffer.from(text.slice(at, at + size)));
    if (piece) out.push(Buffer.from(piece));
  }
  return Buffer.concat([...out, mask?.end() ?? Buffer.alloc(0)]).toString();
}

test("a secret is taken out of a stream wherever its pieces end, and nothing else is changed", () => {
  const text = `sk-sk-sk-real-0123 and ${SECRET}${SECRET}, sk-sk-real-012 sk-`;
  const masked = text.replaceAll(SECRET, "*".repeat(SECRET.length));
  expect(masked).not.toContain("0123 ");
  for (let size = 1; size <= text.length; size += 1) expect(passed(text, size)).toBe(masked);
});

test("what cannot be the beginning of the secret is passed on at once", () => {
  const mask = SecretMask.of(SECRET);
  expect(mask?.take(Buffer.from("data: {}\n\n")).toString()).toBe("data: {}\n\n");
  expect(mask?.take(Buffer.from("data: sk-")).toString()).toBe("data: ");
  expect(mask?.take(Buffer.from("other")).toString()).toBe("sk-other");
  expect(SecretMask.of("short")).toBe(undefined);
});
