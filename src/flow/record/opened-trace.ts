import { isSignedBy, messageOf, SwornError, toPublicKey } from "../../base/index.ts";
import { signedText } from "../../ledger/index.ts";
import { LocalLedger } from "../../ledger/local.ts";
import { type Entry, parseEntry } from "../../schema/index.ts";
import { apply, emptySession, type Session } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { adviceFor, assertNotBehind, newestOutside } from "../trace/outside-head.ts";
import type { Draft } from "./draft.ts";
import { assertSignedFor, openRuntimeNote } from "./runtime-note.ts";

/** A trace that is open for appending: its ledger, and the session folded from it. */
export class OpenedTrace {
  readonly ledger: LocalLedger;
  session: Session = emptySession();
  /** Logical time of the last entry. */
  hlc: string | undefined;
  #last: { line: string; entry: Entry } | undefined;

  constructor(ledger: LocalLedger) {
    this.ledger = ledger;
  }

  /**
   * Opens a trace, refusing to build on anything doubtful: chain, tree, checkpoint, the last
   * entry's signature and the head kept outside the store must all agree.
   *
   * @throws SwornError `LEDGER_CORRUPT`, `LEDGER_BEHIND`, or what opening the store throws.
   */
  static open(place: Place, trace: string): OpenedTrace {
    const opened = new OpenedTrace(
      LocalLedger.openForAppend(trace, place.ledgerPath(trace), place.heads(trace)),
    );
    try {
      opened.catchUp();
      opened.#assertNotBehind(place);
      return opened;
    } catch (error) {
      opened.ledger.close();
      throw error;
    }
  }

  /**
   * Takes in what other processes appended meanwhile, if the runtime signed for it.
   *
   * @throws SwornError `LEDGER_CORRUPT`: whatever slipped in, nothing is built on it.
   */
  catchUp(): void {
    const checkpoint = this.ledger.catchUp((line) => this.#take(line));
    assertSignedFor(this.session, this.ledger, checkpoint?.note);
    this.#assertLastSignature();
  }

  /** Takes in entries of our own, after they were appended. */
  took(draft: Pick<Draft, "events" | "hlc" | "isFolded">): void {
    if (!draft.isFolded) for (const event of draft.events) apply(this.session, event);
    this.hlc = draft.hlc;
  }

  /** Forgets what was folded but not appended, by folding again from the start. */
  refold(): void {
    this.session = emptySession();
    const { size } = this.ledger.head;
    let seq = 0;
    for (const line of this.ledger.read()) {
      if (seq++ >= size) break;
      this.#take(line);
    }
  }

  /** The key that signs checkpoints. */
  get runtimeKey(): string | undefined {
    for (const { roles, key } of this.session.agents.values()) {
      if (roles.includes("runtime")) return key;
    }
    return undefined;
  }

  #take(line: string): void {
    const parsed = parseEntry(parseLine(line, this.ledger.trace));
    if (!parsed.success) {
      throw corrupt(
        this.ledger.trace,
        `entry ${this.session.size} is not an entry of this version`,
      );
    }
    const entry = parsed.data;
    apply(this.session, entry);
    this.hlc = entry.hlc;
    this.#last = { line, entry };
  }

  #assertLastSignature(): void {
    if (!this.#last) return;
    const { line, entry } = this.#last;
    const key = this.session.keys.get(entry.actor.key);
    const bytes = Buffer.from(signedText(line, entry.sig));
    if (!key || !isSignedBy(toPublicKey(key.public), bytes, Buffer.from(entry.sig, "base64"))) {
      throw corrupt(this.ledger.trace, `the signature of entry ${entry.seq} is wrong`);
    }
  }

  #assertNotBehind(place: Place): void {
    const { trace } = this.ledger;
    const { size } = this.ledger.head;
    const newest = newestOutside(this.session, this.ledger);
    if (!newest && size > 0) {
      throw new SwornError(
        "LEDGER_BEHIND",
        `${trace}: its head outside the store (${place.heads(trace).path}) is missing or unreadable. ${adviceFor(trace)}`,
      );
    }
    assertNotBehind(this.session, this.ledger, size);
    if (newest && newest.size > 0 && this.#rootAt(newest.size) !== newest.root) {
      throw corrupt(
        trace,
        `the first ${newest.size} entries are not the ones that were acknowledged`,
      );
    }
  }

  #rootAt(size: number): string | undefined {
    return openRuntimeNote(
      this.session,
      this.ledger.trace,
      this.ledger.checkpointOfSize(size)?.note ?? "",
    )?.root;
  }
}

function corrupt(trace: string, what: string): SwornError {
  return new SwornError(
    "LEDGER_CORRUPT",
    `${trace}: ${what}; nothing was written. See "sworn trace fsck ${trace}"`,
  );
}

function parseLine(line: string, trace: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new SwornError(
      "LEDGER_CORRUPT",
      `${trace} holds a line that is not JSON: ${messageOf(cause)}`,
      { cause },
    );
  }
}
