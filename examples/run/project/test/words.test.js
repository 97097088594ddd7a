import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsOf } from "../src/words.js";

test("words are in lower case", () => {
  assert.deepEqual(wordsOf("Hello World"), ["hello", "world"]);
});

test("a title without words has none", () => {
  assert.deepEqual(wordsOf("!?"), []);
});
