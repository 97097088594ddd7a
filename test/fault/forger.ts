import { generateKeyPairSync, sign } from "node:crypto";
import { keyIdOf, nextHlc, type Signer, sha256Hex } from "../../src/base/index.ts";
import { POLICIES } from "../../src/flow/record/profile-policies.ts";
import {
  type SealedEntry,
  sealEntry,
  signCheckpoint,
  TreeHead,
  type UnsignedEntry,
} from "../../src/ledger/index.ts";
import {
  type ArtifactRef,
  type EventType,
  GENESIS_PREV,
  type Parent,
  type Role,
  type VerificationReport,
} from "../../src/schema/index.ts";
import { keysDocument, type TraceSource, verifyTrace } from "../../src/verify/index.ts";
import { apply, type Event, emptySession, judge, linksOf } from "../../src/view/index.ts";

const START_MS = Date.UTC(2026, 0, 1);
const TRACE = "trace_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const VERIFY = { profile: "default", mode: "full", threads: 0 } as const;

/** What an entry may differ in from the one the runtime would have written. */
export interface Liberties {
  readonly artifacts?: readonly string[];
  readonly parents?: readonly Parent[];
  readonly at?: string;
  /** Signs with this key instead of the agent's own. */
  readonly signer?: Signer;
}

export function newSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const publicText = publicKey
    .export({ format: "der", type: "spki" })
    .subarray(-32)
    .toString("base64");
  return {
    key: keyIdOf(publicText),
    public: publicText,
    sign: (bytes) => sign(null, bytes, privateKey),
  };
}

/**
 * Somebody who holds every private key of a session, the runtime's included, and writes whatever
 * they like: each entry is well formed, chained and signed, and the checkpoint covers them all.
 * Only the rules can give them away.
 */
export class Forger {
  readonly signers = new Map<string, Signer>();
  readonly #session = emptySession();
  readonly #sealed: SealedEntry[] = [];
  readonly #artifacts = new Map<string, Buffer>();
  #hlc: string | undefined;

  /** Opens a session of these agents, as the runtime would. */
  constructor(agents: Readonly<Record<string, readonly Role[]>>, body: object = {}) {
    for (const agent of [...Object.keys(agents), "sworn"]) this.signers.set(agent, newSigner());
    const enrolled = Object.entries({ ...agents, sworn: ["runtime"] }).map(([agent, roles]) => {
      const { key, public: publicText } = this.signerOf(agent);
      return { agent, roles, key, public: publicText };
    });
    this.say("ada", "planner", "session_initialized", {
      ...{ task: "t1", objective: "Do it", profile: "solo", policy: POLICIES.solo },
      ...{ agents: enrolled, ...body },
    });
  }

  get size(): number {
    return this.#sealed.length;
  }

  get head(): string {
    return this.#sealed.at(-1)?.hash ?? GENESIS_PREV;
  }

  get trace(): string {
    return TRACE;
  }

  signerOf(agent: string): Signer {
    const signer = this.signers.get(agent);
    if (!signer) throw new Error(`there is no ${agent}`);
    return signer;
  }

  /** Stores bytes and gives the hash to cite them by. */
  store(text: string): string {
    const bytes = Buffer.from(text);
    const hash = sha256Hex(bytes);
    this.#artifacts.set(hash, bytes);
    return hash;
  }

  /** Writes an entry, allowed or not; what the rules would refuse is not folded in, as in the verifier. */
  say(agent: string, role: Role, type: EventType, body: object, liberties: Liberties = {}): number {
    const signer = liberties.signer ?? this.signerOf(agent);
    const seq = this.size;
    const artifacts = (liberties.artifacts ?? []).map((hash) => this.#refTo(hash));
    const actor = { agent, role, key: signer.key };
    const event = { seq, type, actor, body, artifacts } as unknown as Event;
    this.#hlc = nextHlc(this.#hlc, START_MS + seq);
    const entry = {
      ...{ v: 1, trace: TRACE, prev: this.head, hlc: this.#hlc },
      at: liberties.at ?? new Date(START_MS + seq).toISOString(),
      parents: liberties.parents ?? linksOf(this.#session, event),
      ...event,
    } as unknown as UnsignedEntry;
    this.#sealed.push(sealEntry(entry, signer));
    if (!judge(this.#session, event)) apply(this.#session, event);
    return seq;
  }

  /** The trace with a checkpoint over all of it, signed by the runtime or by whoever else is asked to. */
  source(signer = this.signerOf("sworn")): TraceSource {
    const tree = new TreeHead();
    for (const { hash } of this.#sealed) tree.append(hash);
    const note = signCheckpoint({ trace: TRACE, size: tree.size, root: tree.root() }, signer);
    const lines = Buffer.from(this.#sealed.map(({ line }) => `${line}\n`).join(""));
    return {
      checkpoint: note,
      keys: keysDocument(this.#session),
      entriesBytes: lines.length,
      lines: () => [lines],
      artifactHashes: [...this.#artifacts.keys()].toSorted(),
      artifact: (hash) => {
        const bytes = this.#artifacts.get(hash);
        return bytes && [bytes];
      },
    };
  }

  verify(signer?: Signer): Promise<VerificationReport> {
    return verifyTrace(this.source(signer), VERIFY);
  }

  /** What the verifier says while the session is still open: the report that an audit stores. */
  async report(): Promise<VerificationReport> {
    return verifyTrace({ ...this.source(), keys: undefined }, { ...VERIFY, expectOpen: true });
  }

  #refTo(hash: string): ArtifactRef {
    return { hash, bytes: this.#artifacts.get(hash)?.length ?? 0, media_type: "text/plain" };
  }
}
