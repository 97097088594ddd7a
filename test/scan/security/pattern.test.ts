import { describe, expect, test } from "vitest";
import { ambiguityOf } from "../../../src/scan/security/pattern/ambiguity.ts";

describe("patterns that double the time", () => {
  test.each([
    "^(a+)+$",
    "^(a*)*$",
    "^(a|a)*$",
    "^(a|ab|b)*$",
    "^(\\w+\\s?)*$",
    "^([a-z]+)*@",
    "(x+x+)+y",
    "((a|a)*b)+",
    "^(?:;\\d?\\d?)*$",
    "^(?:a?b?)*$".replace("?b?", "*b?"),
  ])("%s", (source) => {
    expect(ambiguityOf(source, "")?.growth).toBe("exponential");
  });
});

describe("patterns that grow with a power", () => {
  test.each([
    ["\\s+$", 2],
    ["^a*a*$", 2],
    ["^\\d+\\d+$", 2],
    [" *, *", 2],
    ["<[^>]+>", 2],
    [".*[./]", 2],
    ["^a*a*a*$", 3],
  ])("%s has the power %i", (source, degree) => {
    expect(ambiguityOf(source, "")).toMatchObject({ growth: "polynomial", degree });
  });
});

describe("patterns that take linear time", () => {
  test.each([
    "^a+$",
    "^(ab)+$",
    "^[a-z]+(?:-[a-z]+)*$",
    '"[^"]*"',
    "^\\s+",
    "a+",
    "(a+)+",
    "^.*[./]$".replace("$", ""),
    "^(?:a{1,5}){1,5}$",
    "^(?:;\\d{0,4})*$",
    "^x(?:;\\d{1,4}){2,}y$",
    "^(?:\\\\(?:[a-f]{1,6}|.)|[a-z])+",
    "^x\\s+(.*)$",
    "[",
    "(",
    "",
  ])("%s", (source) => {
    expect(ambiguityOf(source, "")).toBeUndefined();
  });

  test("a sticky pattern does not search for its start", () => {
    expect(ambiguityOf("\\s+;", "y")).toBeUndefined();
    expect(ambiguityOf("\\s+;", "")).toBeDefined();
  });

  test("case is folded only when the flag says so", () => {
    expect(ambiguityOf("^a*A*$", "")).toBeUndefined();
    expect(ambiguityOf("^a*A*$", "i")).toBeDefined();
  });
});

test("huge patterns are judged in bounded time", () => {
  const source = `^${"(a|b|[^c]+)*".repeat(200)}$`;
  const from = performance.now();
  ambiguityOf(source, "");
  ambiguityOf(`^${"(".repeat(500)}a${")*".repeat(500)}$`, "");
  ambiguityOf(`^${"[a-z]*x?".repeat(90)}$`, "");
  expect(performance.now() - from).toBeLessThan(30_000);
});
