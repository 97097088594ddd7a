import { SwornError, sha256Hex } from "../../base/index.ts";
import { LocalLedger } from "../../ledger/local.ts";
import { type Entry, parseEntry, type Role } from "../../schema/index.ts";
import {
  apply,
  applyTalk,
  emptySession,
  emptyTalk,
  type Session,
  type Talk,
} from "../../view/index.ts";
import type { SignedEntry } from "../address/signed-entries.ts";
import type { Place } from "../place.ts";
import { assertSignedFor } from "../record/runtime-note.ts";

/**
 * A trace that is read on and on: each look costs what came since the last one. Nothing is shown
 * that the runtime did not sign for.
 */
export class TalkReader {
  readonly talk: Talk = emptyTalk();
  /** The decisions and facts among them, whole, each with the hash of its line. */
  readonly statements: SignedEntry[] = [];
  /** The last entry and its line; undefined before the first. */
  last: { readonly entry: Entry; readonly line: string } | undefined;
  readonly #ledger: LocalLedger;
  readonly #session: Session = emptySession();

  private constructor(ledger: LocalLedger) {
    this.#ledger = ledger;
  }

  static open(place: Place, trace: string): TalkReader {
    return new TalkReader(LocalLedger.openForFollowing(trace, place.ledgerPath(trace)));
  }

  /**
   * Takes in what was said since the last look.
   *
   * @throws SwornError `LEDGER_CORRUPT`; the reader is of no use then.
   */
  catchUp(): void {
    if (!this.#ledger.hasNews()) return;
    const checkpoint = this.#ledger.catchUp((line) => this.#take(line));
    assertSignedFor(this.#session, this.#ledger, checkpoint?.note);
    this.talk.state = this.#session.state;
  }

  rolesOf(agent: string): readonly Role[] | undefined {
    return this.#session.agents.get(agent)?.roles;
  }

  close(): void {
    this.#ledger.close();
  }

  #take(line: string): void {
    const parsed = parseEntry(lineValue(line));
    if (!parsed.success) {
      const { trace } = this.#ledger;
      const what = `entry ${this.#session.size} of ${trace} is not an entry of this version`;
      throw new SwornError("LEDGER_CORRUPT", `${what}; see "sworn trace fsck ${trace}"`);
    }
    apply(this.#session, parsed.data);
    applyTalk(this.talk, parsed.data);
    const entry = parsed.data;
    this.last = { entry, line };
    if (isStatement(entry)) this.statements.push({ entry, digest: sha256Hex(line) });
  }
}

function isStatement({ type, body }: Entry): boolean {
  if (type === "message_posted") return "kind" in body && body.kind === "DECISION";
  return type === "fact_recorded" || type === "decision_recorded";
}

/** What a line says; undefined, which is no entry, where it is not even JSON. */
function lineValue(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
