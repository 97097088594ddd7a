import { messageOf, SwornError } from "../../base/index.ts";
import { inlineHasher, threadedHasher } from "../../ledger/piece-hasher.ts";
import { type Body, type Entry, type EventType, parseEntry } from "../../schema/index.ts";
import { apply, emptySession, type Session } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { ENDED } from "../plan/planner/recall-planning.ts";
import { assertSignedFor } from "../record/runtime-note.ts";
import { assertNotBehind } from "../trace/outside-head.ts";
import { openForReading } from "../trace/reading.ts";

/** What an agent's run used, as it told; the runner records it under this name. */
const USE = "use.json";

/** From about here on a thread that hashes has paid for its start. */
const THREAD_BYTES_MIN = 8 << 20;

/** A line is decoded as it is, with a mark at its beginning if it has one: what is shown is what was hashed. */
const UTF_8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The entries whose words a status repeats. */
const REPEATED: ReadonlySet<EventType> = new Set<EventType>([
  "session_initialized",
  "question_asked",
  "session_failed",
  "session_aborted",
  "exception_recorded",
]);

/** A question as it was asked. */
export interface GlanceQuestion {
  readonly by: string;
  readonly at: string;
  readonly body: Body<"question_asked">;
}

/** As much of a trace as its status takes, from one reading of its entries. */
export interface Glance {
  readonly trace: string;
  readonly session: Session;
  /** What the first entry says it is about; empty before there is one. */
  readonly task: string;
  readonly objective: string;
  readonly started: string | undefined;
  readonly last: string | undefined;
  readonly questions: ReadonlyMap<string, GlanceQuestion>;
  /** Why it ended before its end, in the words of whoever ended it. */
  readonly endedFor: string | undefined;
  /** How a planning ended, where its last entry says that it did. */
  readonly planned: string | undefined;
  /** Subtasks that a person let through unproven. */
  readonly waived: readonly string[];
  /** Artifacts that say what runs used. */
  readonly uses: ReadonlySet<string>;
}

/**
 * Reads a trace for its status. The entries must be the ones that the runtime signed for last, and
 * no fewer than were acknowledged; that each of them was allowed is what `verify` proves.
 *
 * @throws SwornError when it cannot be read, or is not what was signed.
 */
export async function readGlance(place: Place, trace: string): Promise<Glance> {
  const ledger = openForReading(place, trace);
  const isLong = place.threads > 1 && ledger.storedBytes() > THREAD_BYTES_MIN;
  const hasher = isLong ? threadedHasher() : inlineHasher();
  try {
    const fold = new GlanceFold(trace);
    for (const piece of ledger.pieces()) {
      // Before the hasher has it: then it is gone.
      const lines = UTF_8.decode(piece).split("\n");
      await hasher.take(piece);
      for (const line of lines) fold.take(line);
    }
    const { size, root } = await hasher.end();
    assertSignedFor(fold.session, { trace, root, head: { size } }, ledger.lastCheckpoint()?.note);
    assertNotBehind(fold.session, ledger, size);
    return fold;
  } finally {
    await hasher.close();
    ledger.close();
  }
}

class GlanceFold implements Glance {
  readonly trace: string;
  readonly session = emptySession();
  readonly questions = new Map<string, GlanceQuestion>();
  readonly waived: string[] = [];
  readonly uses = new Set<string>();
  task = "";
  objective = "";
  started: string | undefined;
  last: string | undefined;
  endedFor: string | undefined;
  planned: string | undefined;

  constructor(trace: string) {
    this.trace = trace;
  }

  take(line: string): void {
    const entry = entryOf(line, this.trace);
    apply(this.session, entry);
    this.started ??= entry.at;
    this.last = entry.at;
    this.planned = entry.type === "message_posted" ? entry.body.meta?.[ENDED] : undefined;
    for (const { name, hash } of entry.artifacts) if (name === USE) this.uses.add(hash);
    if (REPEATED.has(entry.type)) this.#remember(shaped(entry, this.trace));
  }

  #remember(entry: Entry): void {
    const { at, actor } = entry;
    switch (entry.type) {
      case "session_initialized":
        this.task = entry.body.task;
        this.objective = entry.body.objective;
        break;
      case "question_asked":
        this.questions.set(entry.body.question_id, { by: actor.agent, at, body: entry.body });
        break;
      case "session_failed":
      case "session_aborted":
        this.endedFor = entry.body.reason;
        break;
      case "exception_recorded":
        this.waived.push(entry.body.exception_id);
        break;
      default:
      // The session remembers the rest.
    }
  }
}

/** Whoever can write into the store can sign for anything with keys of their own, also for no entry. */
function shaped(entry: Entry, trace: string): Entry {
  const parsed = parseEntry(entry);
  if (parsed.success) return parsed.data;
  const what = `${trace} holds something that is not an entry of this version`;
  throw new SwornError("LEDGER_CORRUPT", `${what}; see "sworn trace fsck ${trace}"`);
}

/** The entry on a line. Whether it is one that was signed shows at the end, in the tree over all. */
function entryOf(line: string, trace: string): Entry {
  try {
    return JSON.parse(line) as Entry;
  } catch (cause) {
    const what = `${trace} holds a line that is not an entry: ${messageOf(cause)}`;
    throw new SwornError("LEDGER_CORRUPT", `${what}; see "sworn trace fsck ${trace}"`, { cause });
  }
}
