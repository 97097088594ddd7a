import type { AgentEvent } from "../../schema/agent.ts";

/** Results name a call by its id alone: this remembers the tool behind it. */
export class OpenCalls {
  readonly #names = new Map<string, string>();

  begin(id: unknown, name: string): void {
    if (typeof id !== "string") return;
    // An agent that begins calls and never ends one must not fill the memory.
    if (this.#names.size >= OPEN_MAX) this.#names.clear();
    this.#names.set(id.slice(0, ID_CHARS_MAX), name);
  }

  has(id: unknown): boolean {
    return typeof id === "string" && this.#names.has(id.slice(0, ID_CHARS_MAX));
  }

  end(id: unknown, failed: boolean): AgentEvent[] {
    const key = typeof id === "string" ? id.slice(0, ID_CHARS_MAX) : "";
    const name = this.#names.get(key) ?? "unnamed";
    this.#names.delete(key);
    return [{ kind: "tool_end", name, failed }];
  }
}

const OPEN_MAX = 1_000;
const ID_CHARS_MAX = 200;
