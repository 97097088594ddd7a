import { type JsonObject, nameOf, objectOf } from "../json-value.ts";
import type { Message, ToolCall } from "./talk.ts";

/** What a model answered, whatever its service calls it. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Only what ended by itself is whole; everything else is no answer, whatever it says. */
  readonly end: "whole" | "cut" | "refused";
}

/** A tool as it is offered to a model; the schema is the one that all services share. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

export interface Question {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolOffer[];
}

/** One way of speaking to a model over HTTP. */
export interface Wire {
  /** The whole address, below what the sandbox calls the endpoint. */
  address(endpoint: string): string;
  readonly headers: Readonly<Record<string, string>>;
  body(question: Question): unknown;
  /** Undefined when it has not the shape of an answer. */
  reply(answer: JsonObject): Reply | undefined;
}

const ID_CHARS_MAX = 200;
const ARGUMENTS_CHARS_MAX = 8 << 20;

/** The input of a call, which some services send as an object and others as JSON in a string. */
export function inputFrom(value: unknown): JsonObject | undefined {
  if (typeof value !== "string") return objectOf(value);
  if (value.length > ARGUMENTS_CHARS_MAX) return undefined;
  try {
    return objectOf(JSON.parse(value === "" ? "{}" : value));
  } catch {
    // The model is told that its input was no JSON, and may try again.
    return undefined;
  }
}

/** A service's id of a call; one of ours where it gives none, because results are told by it. */
export function callId(value: unknown, index: number): string {
  return typeof value === "string" && value !== "" ? value.slice(0, ID_CHARS_MAX) : `call_${index}`;
}

/** A call in the form that OpenAI gave to the others. */
export function functionCall(call: JsonObject, index: number): ToolCall {
  const named = objectOf(call["function"]);
  return {
    id: callId(call["id"], index),
    name: nameOf(named?.["name"]),
    input: inputFrom(named?.["arguments"]),
  };
}
