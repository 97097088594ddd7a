import { setImmediate as nextTurn } from "node:timers/promises";
import { SwornError } from "../../base/index.ts";
import type { EventRequest } from "../../schema/index.ts";
import type { Refusal, Session } from "../../view/index.ts";
import type { Recorder } from "../record/recorder.ts";

/** As many requests as one commit takes at most. */
const GROUP_MAX = 64;

interface Waiting {
  readonly request: EventRequest;
  readonly resolve: (answer: number | Refusal) => void;
  readonly reject: (error: unknown) => void;
}

/** Whose recorder it is, and what to do when it can no longer be relied on. */
interface RecorderOwner {
  open(): Recorder;
  /** What it knows of the store may be wrong now. */
  discard(): void;
}

/**
 * Records requests in the order in which they come. Those that come while others are being written
 * wait for that, and then share one commit; each is answered by itself.
 */
export class RecordQueue {
  readonly #owner: RecorderOwner;
  readonly #waiting: Waiting[] = [];
  #isWorking = false;

  constructor(owner: RecorderOwner) {
    this.#owner = owner;
  }

  /** Where the entry stands, or why there is none. */
  add(request: EventRequest): Promise<number | Refusal> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (!this.#isWorking) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    // Whatever else is asked for in this turn of the event loop comes along.
    await nextTurn();
    while (this.#waiting.length > 0) await this.#recordGroup(this.#waiting.splice(0, GROUP_MAX));
    this.#isWorking = false;
  }

  async #recordGroup(group: readonly Waiting[]): Promise<void> {
    let rest = group;
    try {
      while (rest.length > 0) rest = await this.#recordSome(rest);
    } catch (error) {
      this.#owner.discard();
      await this.#afterFailure(rest, error);
    }
  }

  /**
   * One that cannot be recorded must not take along those of others: a group is one commit, and
   * nothing of it is there. After a commit that is unknown, a second try could say things twice.
   */
  async #afterFailure(group: readonly Waiting[], error: unknown): Promise<void> {
    const isUnknown = error instanceof SwornError && error.code === "LEDGER_COMMIT_UNKNOWN";
    if (group.length === 1 || isUnknown) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const one of group) await this.#recordGroup([one]);
  }

  /** Up to the first refusal; gives back those behind it. */
  async #recordSome(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const recorder = this.#owner.open();
    const requests = group.map(({ request }) => request);
    const { recorded, refusal } = await recorder.record(requests, { artifactRoots: [] });
    const done = group.slice(0, recorded);
    const places = placesOf(done, recorder);
    for (const [at, { resolve }] of done.entries()) resolve(places[at] ?? 0);
    if (refusal === undefined) return [];
    group[recorded]?.resolve(refusal);
    return group.slice(recorded + 1);
  }
}

/** New ones stand at the end, in their order; what was recorded before under its key stands there. */
function placesOf(done: readonly Waiting[], { head, session }: Recorder): number[] {
  let next = head.size - 1;
  const backwards = done.toReversed().map(({ request }) => {
    const known = knownPlace(session, request);
    if (known !== undefined && known !== next) return known;
    next -= 1;
    return next + 1;
  });
  return backwards.toReversed();
}

function knownPlace(session: Session | undefined, { idem }: EventRequest): number | undefined {
  return idem === undefined ? undefined : session?.idems.get(idem)?.seq;
}
