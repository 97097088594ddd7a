import type { AgentEvent } from "../schema/agent.ts";
import type { StreamReader } from "./driver.ts";
import { cut, type JsonObject, objectOf } from "./json-value.ts";

/** What the lines of one agent mean. */
export interface LineSense {
  /** The events that an object tells of; undefined when its shape is not a known one. */
  eventsOf(object: JsonObject): AgentEvent[] | undefined;
  /** What can be said now that no more lines come. */
  last(): AgentEvent[];
  /** Whether it said or did something, and not yet that this was all of it, for streams that say so. */
  readonly isOpen?: boolean;
  /**
   * Whether a line, by its beginning, only repeats what others say: it is not parsed then, and may
   * be of any length.
   */
  isEcho?(beginning: string): boolean;
}

/** Longer lines are not kept: one that never ends must not fill the memory. */
const LINE_BYTES_MAX = 8 << 20;
const UNREAD_CHARS_MAX = 500;
/** So many unread parts are shown; of the others only the number is told. */
const UNREAD_MAX = 50;
const FIRST_ROOM_BYTES = 64 << 10;
const NEWLINE = 10;
const OPENING_BRACE = 123;
/** What JSON takes for space around a value. */
const SPACES: readonly number[] = [9, 10, 13, 32];

/**
 * Reads one JSON object a line from an agent that may print anything. It never throws, takes time in
 * proportion to what comes, and whatever it cannot make sense of is told as unread.
 */
export class JsonLines implements StreamReader {
  echoBytes = 0;
  readonly tellsTools = true;
  readonly #sense: LineSense;
  /** The beginning of a line whose end has not come yet; grows by doubling. */
  #room = Buffer.alloc(0);
  #held = 0;
  /** How long the line is by now, kept or not. */
  #length = 0;
  #unread = 0;
  #known = 0;

  constructor(sense: LineSense) {
    this.#sense = sense;
  }

  get isCutOff(): boolean {
    return this.#sense.isOpen === true;
  }

  /** Whether nothing that it printed so far was what it should print. */
  get isForeign(): boolean {
    return this.#known === 0;
  }

  take(chunk: Buffer): AgentEvent[] {
    const events: AgentEvent[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      if (this.#isNoise(chunk, from)) this.#unread += 1;
      else this.#finishLine(chunk.subarray(from, at), events);
      from = at + 1;
    }
    this.#hold(chunk.subarray(from));
    return events;
  }

  /** A line that begins no object, after so many that it is only counted: two bytes a line must not keep others waiting. */
  #isNoise(chunk: Buffer, from: number): boolean {
    if (this.#unread < UNREAD_MAX || this.#length > 0) return false;
    const first = chunk[from] ?? NEWLINE;
    return first !== OPENING_BRACE && !SPACES.includes(first);
  }

  end(): AgentEvent[] {
    const events: AgentEvent[] = [];
    this.#finishLine(Buffer.alloc(0), events);
    if (this.#unread > UNREAD_MAX) {
      events.push({ kind: "unread", text: `${this.#unread - UNREAD_MAX} more parts` });
    }
    events.push(...this.#sense.last());
    return events;
  }

  #finishLine(rest: Buffer, events: AgentEvent[]): void {
    const isWhole = this.#length === 0 && rest.length <= LINE_BYTES_MAX;
    if (!isWhole) this.#hold(rest);
    const line = isWhole ? rest : this.#room.subarray(0, this.#held);
    const length = isWhole ? rest.length : this.#length;
    this.#held = 0;
    this.#length = 0;
    const first = firstByte(line);
    if (first === undefined) return;
    if (first !== OPENING_BRACE) this.#setAside(line, length, events);
    else if (this.#sense.isEcho?.(line.toString("utf8", 0, UNREAD_CHARS_MAX)) === true) {
      this.echoBytes += length;
      this.#known += 1;
    } else if (length > LINE_BYTES_MAX) this.#setAside(line, length, events);
    else this.#read(line, events);
  }

  #hold(part: Buffer): void {
    this.#length += part.length;
    const fits = part.subarray(0, Math.max(0, LINE_BYTES_MAX - this.#held));
    const needed = this.#held + fits.length;
    if (needed > this.#room.length) {
      const larger = Buffer.alloc(Math.max(FIRST_ROOM_BYTES, needed * 2));
      this.#room.copy(larger, 0, 0, this.#held);
      this.#room = larger;
    }
    fits.copy(this.#room, this.#held);
    this.#held = needed;
  }

  #read(line: Buffer, events: AgentEvent[]): void {
    const object = parsed(line.toString("utf8"));
    const found = object === undefined ? undefined : this.#sense.eventsOf(object);
    if (found === undefined) {
      this.#setAside(line, line.length, events);
      return;
    }
    this.#known += 1;
    for (const event of found) events.push(event);
  }

  #setAside(line: Buffer, length: number, events: AgentEvent[]): void {
    this.#unread += 1;
    if (this.#unread > UNREAD_MAX) return;
    const text =
      length > LINE_BYTES_MAX
        ? `a line of ${length} bytes: ${line.toString("utf8", 0, UNREAD_CHARS_MAX)}`
        : line.toString("utf8");
    events.push({ kind: "unread", text: cut(text.toWellFormed(), UNREAD_CHARS_MAX) });
  }
}

/** The first byte of a line that is no space. What begins no object is not given to the parser, whose failures cost much. */
function firstByte(line: Buffer): number | undefined {
  return line.find((byte) => !SPACES.includes(byte));
}

function parsed(line: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(line));
  } catch {
    // What is not JSON is told as unread by the caller.
    return undefined;
  }
}
