import { resolve } from "node:path";
import { SwornError } from "../../base/index.ts";
import { redactionHash } from "../../keyring/index.ts";
import { EventRequest, type Role } from "../../schema/index.ts";
import {
  type Cadence,
  emptyCadence,
  messageIdOf,
  type Refusal,
  type Talk,
} from "../../view/index.ts";
import type { Place } from "../place.ts";
import { DEFAULT_OPERATOR, RUNTIME_AGENT } from "../record/complete.ts";
import { Recorder } from "../record/recorder.ts";
import { withoutSecrets } from "../record/without-secrets.ts";
import { issueWords } from "../words/issue-words.ts";
import { RecordQueue } from "./record-queue.ts";
import { TalkReader } from "./talk-reader.ts";
import { ensureTalkTrace, findTalkTrace, requireTalkTrace, type Where } from "./talk-trace.ts";

/** Who speaks. Whoever calls knows it for certain: from a socket of its own, or from a person's shell. */
export interface Author {
  readonly agent: string;
  readonly role: Role;
  readonly run?: string | undefined;
}

export const OPERATOR: Author = { agent: DEFAULT_OPERATOR, role: "operator" };
export const RUNTIME: Author = { agent: RUNTIME_AGENT, role: "runtime" };

/** What was recorded: its name on the bus, and where it stands. */
export interface Said {
  readonly id: string;
  readonly seq: number;
  readonly trace: string;
}

/**
 * The bus of a task, or of the project: its trace, open for as long as somebody listens or speaks.
 * Speaking and reading cost what is new, not what was said before.
 */
export class Bus implements Where {
  readonly place: Place;
  readonly task: string | undefined;
  readonly trace: string;
  readonly #hash: (text: string) => string;
  #recorder: Recorder | undefined;
  #reader: TalkReader | undefined;
  readonly #queue = new RecordQueue({
    open: () => this.#open(),
    discard: () => {
      this.#recorder?.close();
      this.#recorder = undefined;
    },
  });

  private constructor({ place, task }: Where, trace: string) {
    this.place = place;
    this.task = task;
    this.trace = trace;
    this.#hash = redactionHash(place.keyFolder, resolve(place.store));
  }

  /** Opens it, and begins it where nobody has spoken yet. */
  static async begin(where: Where): Promise<Bus> {
    return new Bus(where, await ensureTalkTrace(where));
  }

  /** Opens one that has begun. @throws SwornError `NOT_FOUND`. */
  static open(where: Where): Bus {
    return new Bus(where, requireTalkTrace(where));
  }

  /** The same, or undefined where nobody has spoken yet. */
  static find(where: Where): Bus | undefined {
    const trace = findTalkTrace(where);
    return trace === undefined ? undefined : new Bus(where, trace);
  }

  /** All that was said by now. @throws SwornError `LEDGER_CORRUPT`, again with each look. */
  talk(): Talk {
    return this.#read().talk;
  }

  /** The decisions and facts by now, whole, and where the bus ends. @throws as {@link talk}. */
  statements(): Pick<TalkReader, "statements" | "last"> {
    return this.#read();
  }

  #read(): TalkReader {
    this.#reader ??= TalkReader.open(this.place, this.trace);
    try {
      this.#reader.catchUp();
      return this.#reader;
    } catch (error) {
      // It may hold what nobody signed for, and must not be asked a second time.
      this.#reader.close();
      this.#reader = undefined;
      throw error;
    }
  }

  /**
   * Records one request, after those before it. Several that are asked for at once share a commit.
   *
   * @throws SwornError `INPUT_INVALID` when it has no right form, or what recording throws.
   */
  async record(request: EventRequest): Promise<Said | Refusal> {
    // The mark of what was taken out can be longer than what stood there.
    const clean = withoutSecrets(request, this.#hash);
    assertForm(clean);
    const answer = await this.#queue.add(clean);
    if (typeof answer !== "number") return answer;
    return { id: messageIdOf(answer), seq: answer, trace: this.trace };
  }

  /** Whether an agent is registered, and with which roles, as far as this process has seen. */
  rolesOf(agent: string): readonly Role[] | undefined {
    return this.#open().session?.agents.get(agent)?.roles;
  }

  /** The same by now, whoever registered it. @throws as {@link talk}. */
  rolesByNow(agent: string): readonly Role[] | undefined {
    return this.#read().rolesOf(agent);
  }

  /** How a run stands, as far as this process has seen; undefined when it was never said to begin. */
  runStatus(run: string): string | undefined {
    return this.#open().session?.runs.get(run)?.status;
  }

  /** The beats of the trace, as far as this process has seen. */
  get cadence(): Cadence {
    return this.#open().session?.cadence ?? emptyCadence();
  }

  /** Whether something was recorded under a key, as far as this process has seen. */
  isRecorded(idem: string): boolean {
    return this.#open().session?.idems.has(idem) ?? false;
  }

  /** The places of messages, as far as this process has seen. */
  get messages(): ReadonlySet<number> {
    return this.#open().session?.messages ?? new Set();
  }

  close(): void {
    this.#recorder?.close();
    this.#reader?.close();
    this.#recorder = undefined;
    this.#reader = undefined;
  }

  #open(): Recorder {
    this.#recorder ??= Recorder.resume(this.place, this.trace);
    return this.#recorder;
  }
}

/** What agents say comes here as it is: an entry of another form could never be read again. */
function assertForm(request: EventRequest): void {
  const parsed = EventRequest.safeParse(request);
  if (parsed.success) return;
  const input = request;
  const words = issueWords(parsed.error.issues, { shape: EventRequest, input });
  throw new SwornError("INPUT_INVALID", words);
}

/** A request by an author; its agent and role are nobody else's to give. */
export function actorOf({ agent, role, run }: Author): EventRequest["actor"] {
  return run === undefined ? { agent, role } : { agent, role, run };
}

/** Whether somebody decides for the whole task: its lead, or a person. */
export function isLeading({ role }: Author): boolean {
  return role === "planner" || role === "operator";
}

/** Whether an answer is a refusal. */
export function isRefused(answer: object): answer is Refusal {
  return "kind" in answer && answer.kind === "refused";
}
