import { TreeHead } from "../ledger/index.ts";
import {
  type Body,
  type CheckId,
  type Entry,
  type FailureCode,
  GENESIS_PREV,
  type Parent,
} from "../schema/index.ts";
import { apply, emptySession, judge, linksOf, type Rule } from "../view/index.ts";
import { type ReadLine, readLine } from "./entry-shape.ts";
import type { Findings } from "./findings.ts";
import { ENROLLING_TYPES, KeyWatch } from "./key-watch.ts";
import { type LineProblem, shown, unknownKey } from "./line.ts";

/** Under which code a verifier reports what the runtime would have refused. */
const CODE_OF_RULE: Record<Rule, FailureCode> = {
  ROLE_GUARD: "ROLE_POLICY_VIOLATION",
  INDEPENDENCE_GUARD: "ROLE_POLICY_VIOLATION",
  ACTION_GUARD: "ROLE_POLICY_VIOLATION",
  KEY_GUARD: "KEY_NOT_ACTIVE",
  STATE_GUARD: "STATE_VIOLATION",
  ORDER_GUARD: "ORDER_VIOLATION",
  IDENTITY_GUARD: "ORDER_VIOLATION",
  LIMIT_GUARD: "ORDER_VIOLATION",
  EVIDENCE_GUARD: "CLAIM_UNPROVEN",
  FINALIZATION_GUARD: "FINALIZATION_VIOLATION",
};

/** Checks that cannot be made to the end once a line of the record is broken. */
const RULE_CHECKS: readonly CheckId[] = [
  "CHK_ARTIFACT_EXISTENCE",
  "CHK_ARTIFACT_HASH_MATCH",
  "CHK_KEY_STATUS",
  "CHK_CLAIM_EVIDENCE_SUFFICIENCY",
  "CHK_ROLE_POLICY_CONFORMANCE",
  "CHK_FINALIZATION_INTEGRITY",
  "CHK_EVENT_ORDERING",
  "CHK_STATE_TRANSITIONS",
  "CHK_EVIDENCE_FIRST",
  "CHK_PACKAGING",
];
/** What a line that is not canonical, or not even JSON, was not asked. */
const UNASKED: Partial<Record<FailureCode, readonly CheckId[]>> = {
  SCHEMA_INVALID: ["CHK_EVENT_HASH_INTEGRITY", "CHK_SIGNATURE_VALIDITY"],
  HASH_MISMATCH: ["CHK_SCHEMA_CONFORMANCE", "CHK_SIGNATURE_VALIDITY"],
};

/** A file of garbage must not keep a verifier busy for its whole length. */
export const BROKEN_LINES_MAX = 10_000;
/** Nor must entries that break the rules, which may be dear to judge; an honest record has none. */
const REFUSALS_MAX = 1_000;

/** Reads entries in order: the chain between them, and the session they tell. */
export class TracePass {
  readonly session = emptySession();
  readonly tree = new TreeHead();
  /** The root of the tree at the sizes that were asked for. */
  readonly rootAt = new Map<number, string>();
  /** Every artifact that entries list, with the first entry that does. */
  readonly artifacts = new Map<string, { seq: number; bytes: number }>();
  readonly verifications: { seq: number; body: Body<"verification_run_completed"> }[] = [];
  readonly #findings: Findings;
  readonly #rootSizes: ReadonlySet<number>;
  readonly #seqsOfKey = new Map<string, number[]>();
  #trace: string | undefined;
  #head = GENESIS_PREV;
  #hlc = "";
  readonly #watch = new KeyWatch();
  readonly #knownKeys = new Set<string>();
  #isWhole = true;
  #brokenLines = 0;
  #refusals = 0;

  constructor(findings: Findings, rootSizes: ReadonlySet<number> = new Set()) {
    this.#findings = findings;
    this.#rootSizes = rootSizes;
  }

  get trace(): string | undefined {
    return this.#trace;
  }

  get head(): string | undefined {
    return this.tree.size === 0 ? undefined : this.#head;
  }

  /** Whether so much is wrong that reading on would tell nobody anything. */
  get isHopeless(): boolean {
    return this.#brokenLines >= BROKEN_LINES_MAX || this.#refusals >= REFUSALS_MAX;
  }

  /** Whether no line was broken so far; only then do the rules get judged. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  take(line: Buffer, hash: string, found: LineProblem | undefined): void {
    const seq = this.tree.size;
    const { entry, problem } = this.#withKnownKey(line, readLine(line, found));
    if (problem) this.#findings.add(problem.code, seq, `entry ${seq}: ${problem.message}`);
    if (found) this.#findings.skip(UNASKED[found.code] ?? []);
    const follows = entry !== undefined && this.#checkChain(entry, seq);
    if (problem || !follows) this.#giveUpRules();
    if (problem) this.#brokenLines += 1;
    if (!problem) this.#noteArtifacts(entry, seq);
    if (!problem && this.#isWhole) this.#judge(entry);
    this.#head = hash;
    this.tree.append(hash);
    if (this.#rootSizes.has(this.tree.size)) this.rootAt.set(this.tree.size, this.tree.root());
  }

  /** Lines are checked ahead in pieces; where a piece ends must not decide which keys were known. */
  #withKnownKey(line: Buffer, read: ReadLine): ReadLine {
    if (ENROLLING_TYPES.has(read.entry?.type)) {
      for (const [id] of this.#watch.look(line)) this.#knownKeys.add(id);
    }
    // Whether the key is known is asked before the signature, also where a thread asked ahead.
    if (read.problem && read.problem.code !== "SIG_INVALID") return read;
    const key = read.entry?.actor?.key;
    if (key === undefined || this.#knownKeys.has(key)) return read;
    return { ...read, problem: unknownKey(key) };
  }

  /** Entries that an agent signed from a place on, for keys that turned out to be compromised. */
  firstSignedFrom(key: string, from: number): number | undefined {
    return this.#seqsOfKey.get(key)?.find((seq) => seq >= from);
  }

  #giveUpRules(): void {
    this.#isWhole = false;
    this.#findings.skip(RULE_CHECKS);
  }

  #checkChain(entry: Partial<Entry>, seq: number): boolean {
    this.#trace ??= typeof entry.trace === "string" ? entry.trace : undefined;
    const breaks: string[] = [];
    if (entry.trace !== this.#trace)
      breaks.push(`it belongs to ${shown(entry.trace)}, not to ${this.#trace}`);
    if (entry.seq !== seq) breaks.push(`it carries number ${shown(entry.seq)}`);
    if (entry.prev !== this.#head)
      breaks.push(seq === 0 ? "it does not start a chain" : `it does not follow entry ${seq - 1}`);
    for (const reason of breaks) this.#findings.add("CHAIN_BREAK", seq, `entry ${seq}: ${reason}`);
    return breaks.length === 0;
  }

  #judge(entry: Entry): void {
    const { seq, actor } = entry;
    const refusal = judge(this.session, entry);
    if (refusal) {
      this.#refusals += 1;
      this.#findings.add(
        CODE_OF_RULE[refusal.rule],
        seq,
        `entry ${seq} (${entry.type}): ${refusal.reason} [${refusal.rule}]`,
      );
      // What should have been refused has no effect, or a forged approval would approve.
      return;
    }
    if (!sameLinks(linksOf(this.session, entry), entry.parents)) {
      this.#findings.add(
        "ORDER_VIOLATION",
        seq,
        `entry ${seq} (${entry.type}): its links to earlier entries are wrong`,
      );
    }
    if (entry.hlc <= this.#hlc)
      this.#findings.add("CLOCK_WENT_BACK", seq, `entry ${seq}: its logical time does not rise`);
    this.#hlc = entry.hlc;
    this.#noteVerification(entry);
    apply(this.session, entry);
    const seqs = this.#seqsOfKey.get(actor.key);
    if (seqs) seqs.push(seq);
    else this.#seqsOfKey.set(actor.key, [seq]);
  }

  #noteArtifacts({ artifacts }: Entry, seq: number): void {
    for (const { hash, bytes } of artifacts) {
      const known = this.artifacts.get(hash);
      if (!known) this.artifacts.set(hash, { seq, bytes });
      else if (known.bytes !== bytes) {
        const reason = `it gives the artifact ${hash} another size than entry ${known.seq}`;
        this.#findings.add("ARTIFACT_HASH_MISMATCH", seq, `entry ${seq}: ${reason}`);
      }
    }
  }

  #noteVerification(entry: Entry): void {
    if (entry.type !== "verification_run_completed") return;
    this.verifications.push({ seq: entry.seq, body: entry.body });
    if (entry.body.head !== entry.prev) {
      this.#findings.add(
        "FINALIZATION_VIOLATION",
        entry.seq,
        `entry ${entry.seq}: it reports on another head than the one before it`,
      );
    }
  }
}

/** Whether an entry is linked to the earlier ones it is about, to each in the right way. */
export function sameLinks(expected: readonly Parent[], found: readonly Parent[]): boolean {
  return (
    expected.length === found.length &&
    expected.every(
      ({ seq, kind }, index) => seq === found[index]?.seq && kind === found[index]?.kind,
    )
  );
}
