import { SwornError } from "../../base/index.ts";
import type { EventRequest } from "../../schema/index.ts";
import type { Session } from "../../view/index.ts";

/** The lease that this process leads a record under; once somebody else leads it, nothing more is written. */
export class HeldLease {
  #number: number | undefined;

  /** What goes with everything that is written, so that the record refuses it behind a newer lease. */
  get fence(): number | undefined {
    return this.#number;
  }

  /** Takes in what was recorded in this process's name. */
  note(recorded: readonly EventRequest[]): void {
    for (const { type, body } of recorded) {
      if (type === "lease_taken") this.#number = body.number;
      if (type === "lease_ended") this.#number = undefined;
    }
  }

  /** Why nothing can be written any more; undefined where this process leads, or never did. */
  lost(trace: string, { lease }: Session["cadence"]): SwornError | undefined {
    if (this.#number === undefined || lease?.number === this.#number) return undefined;
    const who = lease?.isStanding ? `${lease.holder} leads it by now` : "its lead was ended";
    const what = `${trace}: ${who} (lease ${lease?.number}, this process had ${this.#number})`;
    return new SwornError("LEDGER_BUSY", `${what}; nothing was written here since`);
  }
}
