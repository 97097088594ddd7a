import type { JsonObject } from "../json-value.ts";

/** A call that a model asks for. Without an input, what it wrote there was no JSON object. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject | undefined;
}

/** What a call gave back, as the model reads it. */
export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly failed: boolean;
}

export type Message =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: "tools"; readonly results: readonly ToolResult[] };

/** Shorter outputs are left as they are: what would stand in their place is as long. */
const WORTH_CUTTING_CHARS = 200;

/** Everything that was said so far, in an order that every service accepts. */
export class Talk {
  readonly #messages: Message[] = [];

  get messages(): readonly Message[] {
    return this.#messages;
  }

  add(message: Message): void {
    this.#messages.push(message);
  }

  /**
   * Makes it fit: the output of the oldest calls goes first, because a model can call again, and what
   * stands in its place says so. Gives back how many outputs were cut; undefined when it cannot fit.
   */
  fit(charsMax: number): number | undefined {
    let chars = this.#messages.reduce((sum, message) => sum + charsOf(message), 0);
    let cuts = 0;
    for (const [index, message] of this.#messages.entries()) {
      if (chars <= charsMax) break;
      if (message.role !== "tools") continue;
      const results = message.results.map((result) => {
        if (chars <= charsMax || result.text.length <= WORTH_CUTTING_CHARS) return result;
        const text = `(${result.text.length} characters of output were cut to make room; call again if you need them)`;
        chars -= result.text.length - text.length;
        cuts += 1;
        return { ...result, text };
      });
      this.#messages[index] = { role: "tools", results };
    }
    return chars <= charsMax ? cuts : undefined;
  }
}

function charsOf(message: Message): number {
  if (message.role === "user") return message.text.length;
  if (message.role === "tools") {
    return message.results.reduce((sum, { text }) => sum + text.length, 0);
  }
  return message.text.length + JSON.stringify(message.calls).length;
}
