import type { McpOffer, McpTool } from "../../../src/mcp/index.ts";

/** One red pixel, and a sound of no length: what the suite wants to see carried unchanged. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const text = (words: string) => ({ type: "text", text: words });
const image = { type: "image", data: PNG, mimeType: "image/png" };
const embedded = (uri: string, words: string) => ({
  type: "resource",
  resource: { uri, mimeType: "text/plain", text: words },
});

const CALLS: Readonly<Record<string, () => object>> = {
  test_simple_text: () => ({ content: [text("This is a simple text response for testing.")] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({
    content: [embedded("test://embedded-resource", "This is an embedded resource content.")],
  }),
  test_multiple_content_types: () => ({
    content: [text("Multiple content types test:"), image, embedded("test://mixed", '{"a":1}')],
  }),
  test_error_handling: () => ({ content: [text("This tool fails on purpose")], isError: true }),
  test_logging_tool: () => ({ content: [text("Nothing is logged.")] }),
  json_schema_2020_12_tool: () => ({ content: [text("ok")] }),
};

const tool = (name: string, inputSchema: object = { type: "object" }): McpTool => ({
  name,
  title: name,
  description: `${name} of the suite`,
  inputSchema,
});

const SCHEMA_2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  allOf: [{ anyOf: [{ required: ["name"] }, { required: ["address"] }] }],
  if: { properties: { name: { const: "x" } }, required: ["name"] },
  // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema.
  then: { required: ["address"] },
  else: {},
  additionalProperties: false,
};

const argument = (name: string) => ({ name, description: name, required: true });
const prompt = (name: string, ...names: string[]) => ({
  name,
  title: name,
  description: `${name} of the suite`,
  arguments: names.map(argument),
});
const said = (...content: object[]) => content.map((one) => ({ role: "user", content: one }));

/** The tools, resources and prompts that the suite asks for by name, behind our own protocol code. */
export const FIXTURE_OFFER: McpOffer = {
  name: "fixture",
  version: "1.0.0",
  instructions: "Fixtures of the conformance suite.",
  tools: Object.keys(CALLS).map((name) =>
    name === "json_schema_2020_12_tool" ? tool(name, SCHEMA_2020) : tool(name),
  ),
  callTool: async (name) =>
    Object.hasOwn(CALLS, name) ? (CALLS[name]?.() as { content: object[] }) : undefined,
  resources: async () =>
    ["test://static-text", "test://static-binary"].map((uri) => ({
      uri,
      name: uri,
      description: uri,
      mimeType: uri.endsWith("text") ? "text/plain" : "image/png",
    })),
  templates: [
    {
      uriTemplate: "test://template/{id}/data",
      name: "template",
      description: "by id",
      mimeType: "application/json",
    },
  ],
  readResource: async (uri) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id !== undefined) {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return [{ uri, mimeType: "application/json", text: data }];
    }
    if (uri === "test://static-text") {
      return [
        { uri, mimeType: "text/plain", text: "This is the content of the static text resource." },
      ];
    }
    return uri === "test://static-binary" ? [{ uri, mimeType: "image/png", blob: PNG }] : undefined;
  },
  prompts: [
    prompt("test_simple_prompt"),
    prompt("test_prompt_with_arguments", "arg1", "arg2"),
    prompt("test_prompt_with_embedded_resource", "resourceUri"),
    prompt("test_prompt_with_image"),
  ],
  getPrompt: (name, { arg1 = "", arg2 = "", resourceUri = "" }) =>
    ({
      test_simple_prompt: said(text("This is a simple prompt for testing.")),
      test_prompt_with_arguments: said(
        text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
      ),
      test_prompt_with_embedded_resource: said(
        embedded(resourceUri, "Embedded resource content for testing."),
        text("Please process the embedded resource above."),
      ),
      test_prompt_with_image: said(image, text("Please analyze the image above.")),
    })[name],
};
