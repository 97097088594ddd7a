import { assert, SwornError } from "../base/index.ts";
import type { Contract, Teammate } from "../schema/contract.ts";
import { dataBlock, nameBlock } from "./data-block.ts";
import { longestMessage, messageForm } from "./message-form.ts";
import { plainLine } from "./plain-line.ts";
import { PROMPT_TEMPLATE } from "./prompt-template.ts";

const REANCHOR_INTERVAL = 5;
const PLACEHOLDER = /\{([a-z_]+)\}/g;

/** What goes into one teammate's prompt. */
export interface PromptRequest {
  readonly contract: Contract;
  readonly teammate: Teammate;
  /** What is wanted, as somebody outside wrote it. */
  readonly task: string;
  /** In the order they are to be read. */
  readonly files: readonly string[];
  /** Whether files were dealt out at all: then an agent without any has none to read. */
  readonly isDealt?: boolean;
  /** By default those of the contract. */
  readonly perspectives?: readonly string[];
  readonly nonce: string;
}

/**
 * The prompt of one teammate. Task, file names and perspectives come from outside and stand in
 * marked blocks that they cannot leave; what the contract puts into sentences of ours must be plain.
 *
 * @throws SwornError `INPUT_INVALID` for a contract that cannot be put into words, `LIMIT_EXCEEDED`.
 */
export function weavePrompt(request: PromptRequest): string {
  const values = valuesOf(request);
  return `${PROMPT_TEMPLATE.map((lines) => fill(lines.join("\n"), values)).join("\n\n")}\n`;
}

/** One pass: a value that looks like a placeholder stays as it is. */
function fill(template: string, values: ReadonlyMap<string, string>): string {
  return template.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = values.get(name);
    assert(value !== undefined, `the prompt asks for {${name}}, which nothing fills`);
    return value;
  });
}

function valuesOf(request: PromptRequest): ReadonlyMap<string, string> {
  const { contract, teammate, task } = request;
  const context = contract.context_engineering ?? {};
  const perspectives = request.perspectives ?? teammate.perspectives ?? [];
  longestMessage(teammate);
  return new Map([
    ["output_dir", folder(plainLine("output_dir", contract.output_dir))],
    ["output_file", plainLine("output_file", teammate.output_file)],
    ["required_sections", sectionsOf(teammate)],
    ["role", plainLine("role", teammate.role ?? teammate.name)],
    ["nonce", sameNonce(contract, request.nonce)],
    ["message_form", messageForm(teammate)],
    ["task_data", dataBlock("the task", task)],
    ["file_data", fileData(request, context.read_ordering ?? "source_first")],
    ["perspective_data", perspectiveData(perspectives)],
    ["reanchor_interval", String(context.reanchor_interval ?? REANCHOR_INTERVAL)],
  ]);
}

const folder = (path: string): string => (path.endsWith("/") ? path : `${path}/`);

function sectionsOf({ required_sections }: Teammate): string {
  const titles = required_sections.map((title) => plainLine("required_sections", title));
  return titles.map((title) => `\`${title}\``).join(", ");
}

function fileData({ files, isDealt = false }: PromptRequest, ordering: string): string {
  if (files.length === 0 && isDealt) {
    return "None of the files is yours. Read none; say so, in a full sentence, in each section.";
  }
  if (files.length === 0) return "No files are given out: read what the task needs, source first.";
  const order = ordering.replace("_", " ");
  return `Read these ${files.length} files and no others, in this order (${order}):\n\n${nameBlock("file names", files)}`;
}

function perspectiveData(perspectives: readonly string[]): string {
  if (perspectives.length === 0) return "No particular one: look at all that your role covers.";
  return `Look at the files from each of these sides.\n\n${dataBlock("perspectives", perspectives.join("\n"))}`;
}

/** Text under review cannot know the run's nonce; a prompt with another one would spoil every Seal. */
function sameNonce(contract: Contract, nonce: string): string {
  if (!/^[0-9a-f]{32}$/.test(nonce) || (contract.nonce !== undefined && contract.nonce !== nonce)) {
    throw new SwornError(
      "INPUT_INVALID",
      "the nonce of the prompt is not the contract's, expected the same 32 hex digits; make both in one run",
    );
  }
  return nonce;
}
