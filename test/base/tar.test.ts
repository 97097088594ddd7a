import { expect, test } from "vitest";
import { parseTarHeader, tarHeader } from "../../src/base/index.ts";

test("a size that a tar header cannot say is refused, not cut", () => {
  const most = 8 ** 11 - 1;
  expect(parseTarHeader(tarHeader("entries.jsonl", most)).sizeBytes).toBe(most);
  expect(() => tarHeader("entries.jsonl", most + 1)).toThrow(
    expect.objectContaining({ code: "LIMIT_EXCEEDED" }),
  );
});
