import { expect, test } from "vitest";
import * as z from "zod";
import { canonicalize, type Json } from "../../src/base/index.ts";
import { Packet } from "../../src/schema/packet.ts";
import { read } from "./markdown.ts";

const page = read("docs/formats/packet.md");
const text = /```json\n([\s\S]*?)\n```/.exec(page)?.[1] ?? "";

test("the example of a packet is one, by the code and by its JSON Schema", () => {
  const example = JSON.parse(text) as unknown;
  expect(Packet.safeParse(example).error?.issues).toBeUndefined();
  const published = JSON.parse(read("schemas/packet.json")) as z.core.JSONSchema.JSONSchema;
  expect(z.fromJSONSchema(published).safeParse(example).success).toBe(true);
});

test("the example has its members in canonical order", () => {
  const example = JSON.parse(text) as Json;
  expect(JSON.stringify(example)).toBe(canonicalize(example));
});
