import { expect, test } from "vitest";
import { errorKindOf } from "../../src/agent/model-error.ts";

test.each([
  ["429 Rate limit reached, slow down", "busy"],
  ["exceeded retry limit, last status: 429 Too Many Requests", "busy"],
  ["Quota exceeded for requests per minute", "busy"],
  ["429 insufficient_quota: check your plan and billing details", "quota"],
  ["Your credit balance is too low", "quota"],
  ["You have exceeded your quota", "quota"],
  ["Server error (500 Internal Server Error): The server had an error", "unavailable"],
  ["API Error: 529 overloaded_error", "unavailable"],
  ["connect ECONNREFUSED 127.0.0.1:1", "unavailable"],
  ["error sending request for url", "unavailable"],
  ["Authentication failed. Status: 401 Unauthorized", "credential"],
  ["403 Forbidden", "credential"],
  ["Invalid API key · Please run /login", "credential"],
  ["I looked at 500 files and 429 lines", "other"],
  ["Unterminated string in JSON at position 26", "other"],
])("%s: %s", (message, kind) => {
  expect(errorKindOf(message)).toBe(kind);
});

test("a status that is told apart from the words counts", () => {
  expect(errorKindOf("no", 429)).toBe("busy");
  expect(errorKindOf("no", 402)).toBe("quota");
  expect(errorKindOf("no", 408)).toBe("unavailable");
  expect(errorKindOf("no", 404)).toBe("other");
});
