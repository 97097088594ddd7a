import * as z from "zod";
import { type ToolingOutcome, VERBS, type Verb } from "../schema/tooling.ts";
import type { McpTool, ToolResult } from "./offer.ts";

/** Several model services refuse dots in the names of tools; each verb has a name without. */
const NAMES = {
  bus_post: ["bus.post", "Post a message"],
  bus_read: ["bus.read", "Read messages"],
  ask: ["ask", "Ask the people"],
  answer: ["answer", "Answer a question"],
  check: ["check", "Check a report against the source"],
  fact_propose: ["facts.propose", "Propose a fact"],
  facts_read: ["facts.read", "Read facts"],
  state_read: ["state.read", "Read the task's state"],
  status_note: ["status.note", "Leave a note with your status"],
  context_get: ["context.get", "Get context"],
  review_vote: ["review.vote", "Vote on an artifact"],
  review_status: ["review.status", "Review status"],
  deliver_submit: ["deliver.submit", "Submit for delivery"],
  run_delegate: ["run.delegate", "Delegate work"],
  run_status: ["run.status", "Status of a child run"],
} as const satisfies Record<string, readonly [Verb, string]>;

const READING: readonly Verb[] = [
  ...(["bus.read", "check", "facts.read", "state.read", "context.get"] as const),
  ...(["review.status", "run.status"] as const),
];

/** Asks the runtime for one thing, as whoever is at the other end. */
export type Ask = (verb: string, args: unknown) => Promise<ToolingOutcome>;

let tools: readonly McpTool[] | undefined;

/** The verbs as tools. Their shapes are the ones that judge what comes; most runs never ask for them. */
export function verbTools(): readonly McpTool[] {
  tools ??= Object.entries(NAMES).map(([name, [verb, title]]) => ({
    name,
    title,
    description: VERBS[verb].about,
    inputSchema: jsonSchema(VERBS[verb].args, "input"),
    outputSchema: jsonSchema(VERBS[verb].answer, "output"),
    annotations: {
      readOnlyHint: READING.includes(verb),
      destructiveHint: false,
      openWorldHint: false,
    },
  }));
  return tools;
}

/** Calls a verb by the name of its tool; undefined when there is no such tool. */
export async function callVerbTool(
  ask: Ask,
  name: string,
  args: object,
): Promise<ToolResult | undefined> {
  if (!Object.hasOwn(NAMES, name)) return undefined;
  const [verb] = NAMES[name as keyof typeof NAMES];
  return resultOf(underName(name, verb, await ask(verb, args)));
}

/** A failure names the verb that could not be done; the client knows it as a tool. */
function underName(name: string, verb: Verb, outcome: ToolingOutcome): ToolingOutcome {
  if (!("error" in outcome)) return outcome;
  const { code, message } = outcome.error;
  const isNamed = [": ", " "].some((next) => message.startsWith(verb + next));
  return isNamed ? { error: { code, message: name + message.slice(verb.length) } } : outcome;
}

function resultOf(outcome: ToolingOutcome): ToolResult {
  if ("ok" in outcome) {
    const { ok } = outcome;
    const words = "markdown" in ok ? ok.markdown : JSON.stringify(ok);
    return { content: [text(words)], structuredContent: ok };
  }
  const words =
    "refused" in outcome
      ? `Refused: ${outcome.refused.reason} [${outcome.refused.rule}]`
      : `Failed: ${outcome.error.message} [${outcome.error.code}]`;
  return { content: [text(words)], isError: true };
}

const text = (words: string): object => ({ type: "text", text: words });

function jsonSchema(shape: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io });
  return splitTypes(schema) as object;
}

/** Several model services take one type in a place, so that "text or null" is said as a choice. */
function splitTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(splitTypes);
  if (schema === null || typeof schema !== "object") return schema;
  const members = Object.entries(schema).map(([name, value]) =>
    name === "type" && Array.isArray(value)
      ? ["anyOf", value.map((type: unknown) => ({ type }))]
      : [name, splitTypes(value)],
  );
  return Object.fromEntries(members);
}
