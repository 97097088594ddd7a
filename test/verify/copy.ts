import { nextHlc, type Signer, sha256Hex } from "../../src/base/index.ts";
import { sealEntry, signCheckpoint, TreeHead, type UnsignedEntry } from "../../src/ledger/index.ts";
import type {
  ArtifactRef,
  Entry,
  EventType,
  Parent,
  Role,
  VerificationReport,
} from "../../src/schema/index.ts";
import { type TraceSource, type VerifyOptions, verifyTrace } from "../../src/verify/index.ts";
import { apply, type Event, emptySession, linksOf } from "../../src/view/index.ts";
import type { Stage } from "../flow/stage.ts";

/** What somebody writes who has the keys but not the rules. */
export interface Forgery {
  readonly agent: string;
  readonly role: Role;
  /** The key to sign with; by default the one the agent uses by then. */
  readonly key?: string;
  readonly type: EventType;
  readonly body: object;
  readonly texts?: readonly string[];
  /** The links and the logical time to claim; by default the right ones. */
  readonly parents?: readonly Parent[];
  readonly hlc?: string;
}

/** A trace in memory that can be altered as an attacker would, up to one who holds every key. */
export class Copy {
  lines: string[];
  checkpoint: string;
  readonly artifacts: Map<string, Buffer>;
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.lines = stage.lines();
    this.checkpoint = stage.checkpoint();
    const hashes = stage.entries().flatMap(({ artifacts }) => artifacts.map(({ hash }) => hash));
    this.artifacts = new Map(
      hashes.map((hash) => [hash, Buffer.concat([...stage.place.artifacts.read(hash)])]),
    );
  }

  entry(seq: number): Entry {
    return JSON.parse(this.lines[seq] ?? "") as Entry;
  }

  /** Alters one stored line as text, and nothing else. */
  edit(seq: number, from: string | RegExp, to: string): void {
    const line = this.lines[seq] ?? "";
    const edited = line.replace(from, to);
    if (edited === line) throw new Error(`entry ${seq} does not contain ${from}: ${line}`);
    this.lines[seq] = edited;
  }

  /** Adds an entry that is signed and chained as it should be, whatever the rules say of it. */
  async forge(forgery: Forgery): Promise<void> {
    const { agent, role, key, type, body, texts = [] } = forgery;
    const artifacts = texts.map((text): ArtifactRef => {
      const hash = sha256Hex(text);
      this.artifacts.set(hash, Buffer.from(text));
      return { hash, bytes: Buffer.byteLength(text), media_type: "text/plain" };
    });
    const session = emptySession();
    for (const line of this.lines) apply(session, JSON.parse(line) as Entry);
    const signer = await this.#signer(agent, key ?? session.agents.get(agent)?.key);
    const seq = this.lines.length;
    const event = { seq, type, body, artifacts, actor: { agent, role, key: signer.key } } as Event;
    const unsigned = {
      ...this.#envelope(),
      ...event,
      parents: forgery.parents ?? linksOf(session, event),
      ...(forgery.hlc === undefined ? {} : { hlc: forgery.hlc }),
    } as UnsignedEntry;
    this.lines.push(sealEntry(unsigned, signer).line);
  }

  #envelope() {
    const last = this.entry(this.lines.length - 1);
    return {
      v: 1,
      trace: last.trace,
      at: last.at,
      hlc: nextHlc(last.hlc, 0),
      prev: sha256Hex(this.lines.at(-1) ?? ""),
    };
  }

  /** Signs the checkpoint over the lines as they are now, with the runtime's own key. */
  async sign(): Promise<this> {
    const signer = await this.#signer("sworn", undefined);
    const tree = new TreeHead();
    for (const line of this.lines) tree.append(sha256Hex(line));
    const { trace } = this.entry(0);
    this.checkpoint = signCheckpoint({ trace, size: tree.size, root: tree.root() }, signer);
    return this;
  }

  source(): TraceSource {
    const bytes = Buffer.from(this.lines.map((line) => `${line}\n`).join(""));
    return {
      lines: () => [bytes],
      entriesBytes: bytes.length,
      checkpoint: this.checkpoint,
      keys: undefined,
      artifactHashes: [...this.artifacts.keys()],
      artifact: (hash) => {
        const found = this.artifacts.get(hash);
        return found && [found];
      },
    };
  }

  verify(options: Partial<VerifyOptions> = {}): Promise<VerificationReport> {
    return verifyTrace(this.source(), { profile: "default", mode: "full", threads: 0, ...options });
  }

  async #signer(agent: string, key: string | undefined): Promise<Signer> {
    const { keyring } = this.#stage.place;
    const signer = await keyring.signer(agent, key ?? keyring.current(agent)?.key ?? "");
    if (!signer) throw new Error(`no key of ${agent} here`);
    return signer;
  }
}

/** The codes of what failed, each once. */
export const codesOf = ({ failures }: VerificationReport): string[] =>
  [...new Set(failures.map(({ code }) => code))].sort();
