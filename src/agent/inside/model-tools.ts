import { fenced, visible } from "../../base/data-fence.ts";
import type { JsonObject } from "../json-value.ts";
import { runProgram } from "./run-program.ts";
import { searchTree } from "./search-tree.ts";
import type { ToolCall, ToolResult } from "./talk.ts";
import { readTreeFile, writeTreeFile } from "./tree-file.ts";
import { CallRefused } from "./tree-path.ts";
import type { ToolOffer } from "./wire.ts";

interface Tool extends ToolOffer {
  /** What it gives back; data is always fenced. */
  use(tree: string, input: JsonObject): Done | Promise<Done>;
}

interface Done {
  readonly text: string;
  readonly failed?: boolean;
}

const LINES_DEFAULT = 2_000;
const SHOWN_CHARS_MAX = 64 << 10;
const text = { type: "string" } as const;
const number = { type: "integer", minimum: 1 } as const;

const TOOLS: readonly Tool[] = [
  {
    name: "read_file",
    description: "Reads a text file of the work tree.",
    parameters: shape({ path: text, from_line: number, lines: number }, ["path"]),
    use: (tree, { path, from_line, lines }) => {
      const all = readTreeFile(tree, path).split("\n");
      const from = typeof from_line === "number" ? Math.max(1, Math.floor(from_line)) : 1;
      const count = typeof lines === "number" ? Math.max(1, Math.floor(lines)) : LINES_DEFAULT;
      const shown = all.slice(from - 1, from - 1 + count);
      const label = `lines ${from} to ${from - 1 + shown.length} of ${all.length} of a file`;
      return { text: dataOf(label, shown.join("\n")) };
    },
  },
  {
    name: "search",
    description: "Finds the lines of the work tree that have a text in them. No patterns.",
    parameters: shape({ text, path: text }, ["text"]),
    use: (tree, { text: wanted, path }) => {
      const { lines, note } = searchTree(tree, wanted, path ?? ".");
      if (lines.length === 0) return { text: `Nothing was found.${note ? ` (${note})` : ""}` };
      return { text: dataOf(note ?? "lines that were found", lines.join("\n")) };
    },
  },
  {
    name: "write_file",
    description: "Writes a whole text file of the work tree, in place of what is there.",
    parameters: shape({ path: text, content: text }, ["path", "content"]),
    use: (tree, { path, content }) => ({
      text: `${writeTreeFile(tree, path, content)} bytes were written.`,
    }),
  },
  {
    name: "run",
    description:
      "Runs a program in the work tree, without a shell, and gives back what it printed. There is no network.",
    parameters: shape({ argv: { type: "array", items: text }, seconds: number }, ["argv"]),
    use: async (tree, { argv, seconds }) => {
      const { code, signal, isTimeout, output } = await runProgram(tree, argv, seconds);
      const how = isTimeout ? "stopped: it took too long" : `ended with ${code ?? signal}`;
      return { text: `${how}\n${dataOf("what it printed", output)}`, failed: code !== 0 };
    },
  },
];

/** What a model is offered. */
export const TOOL_OFFERS: readonly ToolOffer[] = TOOLS.map(({ name, description, parameters }) => ({
  name,
  description,
  parameters,
}));

/** Does what a model asks for. It never throws: what cannot be done is told to the model. */
export async function useTool(tree: string, { id, name, input }: ToolCall): Promise<ToolResult> {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) return { id, name, text: `There is no tool of this name.`, failed: true };
  if (input === undefined) {
    return { id, name, text: "The input was not read: expected a JSON object.", failed: true };
  }
  try {
    const { text: told, failed = false } = await tool.use(tree, input);
    return { id, name, text: told, failed };
  } catch (error) {
    // The words are ours, but a path of the model's may stand in them.
    const why = error instanceof CallRefused ? error.message : `it failed: ${String(error)}`;
    return { id, name, text: visible(why).slice(0, SHOWN_CHARS_MAX), failed: true };
  }
}

/** Tabs stay as they are, because a model that writes the file back needs them. */
function dataOf(label: string, content: string): string {
  const missing = content.length - SHOWN_CHARS_MAX;
  const lines = content
    .slice(0, SHOWN_CHARS_MAX)
    .split("\n")
    .map((line) => line.split("\t").map(visible).join("\t"));
  return fenced(missing > 0 ? `${label}; the last ${missing} characters are cut` : label, lines);
}

function shape(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}
