import type { AgentEvent } from "../../schema/agent.ts";
import type { LineSense } from "../json-lines.ts";
import type { JsonObject } from "../json-value.ts";
import { LastWords } from "../last-words.ts";

/** The lines of an agent whose answer is what it says last, because its stream does not name it. */
export abstract class SpokenSense implements LineSense {
  protected readonly words = new LastWords();

  abstract eventsOf(line: JsonObject): AgentEvent[] | undefined;

  last(): AgentEvent[] {
    return this.words.answer();
  }

  get isOpen(): boolean {
    return this.words.isOpen;
  }
}
