import { canonicalize, decodeUtf8, parseJson, SwornError } from "../../base/index.ts";
import { type Entry, parseEntry } from "../../schema/index.ts";
import { type ReportedTry, TryProofs, type WorkReport } from "../../schema/work.ts";
import { type OpenBundle, openBundle } from "../bundle.ts";
import { splitLines } from "../line.ts";
import { wholeLines } from "../pieces.ts";
import type { FileWindow } from "../tar-members.ts";

const ARTIFACT_BYTES_MAX = 64 << 20;

/** The entries of a record that verified, and its artifacts by the names they were stored under. */
export class PacketRecord {
  readonly entries: Entry[] = [];
  readonly #named = new Map<string, string[]>();
  readonly #bundle: OpenBundle;

  private constructor(bundle: OpenBundle) {
    this.#bundle = bundle;
  }

  static async open(path: string, window: FileWindow): Promise<PacketRecord> {
    const record = new PacketRecord(openBundle(path, window));
    for await (const piece of wholeLines(record.#bundle)) {
      // The record was verified, so that no line of it is too long to be one.
      if (!Buffer.isBuffer(piece)) continue;
      for (const line of splitLines(piece)) record.#take(line);
    }
    return record;
  }

  #take(line: Buffer): void {
    const entry = parseEntry(JSON.parse(decodeUtf8(line))).data;
    if (entry === undefined) return;
    this.entries.push(entry);
    for (const { name, hash } of entry.artifacts) {
      if (name === undefined) continue;
      this.#named.set(name, [...(this.#named.get(name) ?? []), hash]);
    }
  }

  has(hash: string): boolean {
    return this.#bundle.artifactHashes?.includes(hash) ?? false;
  }

  /** What was stored last under a name; undefined when nothing was. */
  text(name: string): string | undefined {
    const hash = this.#named.get(name)?.at(-1);
    const chunks = hash === undefined ? undefined : this.#bundle.artifact(hash);
    return chunks === undefined ? undefined : decodeUtf8(bounded(name, chunks));
  }

  /** What is stored under a hash, as JSON; undefined when nothing is. */
  document(hash: string): unknown {
    const chunks = this.#bundle.artifact(hash);
    return chunks && parseJson(decodeUtf8(bounded(hash, chunks)), ARTIFACT_BYTES_MAX);
  }

  json(name: string): unknown {
    const text = this.text(name);
    return text === undefined ? undefined : parseJson(text, ARTIFACT_BYTES_MAX);
  }

  /** The last artifact whose name is a word, a number and `.work`: what one step of a work left. */
  step(word: string): unknown {
    const names = [...this.#named.keys()].filter((name) => {
      const [first, number = "", last, ...more] = name.split(".");
      return first === word && /^\d{1,6}$/.test(number) && last === "work" && more.length === 0;
    });
    const last = names.toSorted((one, other) => numberOf(one) - numberOf(other)).at(-1);
    return last === undefined ? undefined : this.json(last);
  }

  close(): void {
    this.#bundle.close();
  }
}

function bounded(name: string, chunks: Iterable<Buffer>): Buffer {
  const kept: Buffer[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > ARTIFACT_BYTES_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `${name} has more than ${ARTIFACT_BYTES_MAX} bytes`);
    }
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

function numberOf(name: string): number {
  return Number(name.split(".")[1]);
}

/**
 * Where a report says something that its record does not; undefined when it says nothing of the kind.
 * Checks, their output, weakened tests and what speaks against a try have to be, word for word, what was recorded.
 */
export function reportProblem(
  report: WorkReport,
  commit: string,
  record: PacketRecord,
): string | undefined {
  const ended = new Set(
    record.entries.flatMap((entry) =>
      entry.type === "tool_execution_completed" ? [entry.body.execution_id] : [],
    ),
  );
  for (const { id, status, tries } of report.subtasks) {
    if (status === "proven" && !tries.some((one) => one.status === "proven")) {
      return `${id} is called proven, and none of its tries is`;
    }
    const problem = tries
      .map((one) => tryProblem(one, ended, record))
      .find((one) => one !== undefined);
    if (problem !== undefined) return problem;
  }
  return stepProblem(report, commit, record);
}

function tryProblem(
  { execution, status, proofs, against, weakened }: ReportedTry,
  ended: ReadonlySet<string>,
  record: PacketRecord,
): string | undefined {
  if (status === "proven" && !ended.has(execution)) {
    return `${execution} is called proven, and the record has no such end of it`;
  }
  const said = { outcomes: proofs, against, ...(weakened === undefined ? {} : { weakened }) };
  return isSame(said, proofsIn(record, execution))
    ? undefined
    : `the checks of ${execution} are not the ones on record`;
}

function stepProblem(report: WorkReport, commit: string, record: PacketRecord) {
  const woven = record.step("assembly") as { commit?: unknown } | undefined;
  if (woven?.commit !== commit || report.commit !== commit) {
    return `the record put together another commit than ${commit}`;
  }
  for (const { gate, verdict, by, reasons } of report.gates) {
    const found = record.step(gate) as Record<string, unknown> | undefined;
    const recorded = found && {
      gate: found["gate"],
      verdict: found["verdict"],
      by: found["by"],
      reasons: found["reasons"],
    };
    if (!isSame({ gate, verdict, by, reasons }, recorded)) {
      return `the gate "${gate}" is not reported as it is on record`;
    }
  }
  return undefined;
}

/** A try that came to no proofs has none on record, and may report none. */
function proofsIn(record: PacketRecord, execution: string): unknown {
  const found = record.json(`${execution}.proofs`);
  return found === undefined ? { outcomes: [], against: [] } : TryProofs.parse(found);
}

function isSame(said: unknown, found: unknown): boolean {
  return found !== undefined && canonicalize(said) === canonicalize(found);
}
