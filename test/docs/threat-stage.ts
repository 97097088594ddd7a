import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import {
  BLOCK_BYTES,
  parseTarHeader,
  sha256Hex,
  TAR_END,
  tarHeader,
  tarPadding,
} from "../../src/base/index.ts";
import { Place } from "../../src/flow/place.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { exportTrace } from "../../src/flow/trace/bundle.ts";
import { verifyTarget } from "../../src/flow/trace/verify-target.ts";
import { sealEntry, type UnsignedEntry } from "../../src/ledger/index.ts";
import { LocalLedger } from "../../src/ledger/local.ts";
import { type Entry, EventRequest, type VerificationReport } from "../../src/schema/index.ts";
import type { Refusal } from "../../src/view/index.ts";
import { ROOT } from "./markdown.ts";

/** A request as a script gives it, before it is parsed. */
export type Line = Record<string, unknown> & { body: Record<string, unknown> };

/** The requests of the example, by line; entry `n` comes from line `n`, counted from 0. */
export const EXAMPLE: readonly Line[] = readFileSync(
  resolve(ROOT, "examples/session.jsonl"),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);

export function request(agent: string, role: string, type: string, body: object): Line {
  return { actor: { agent, role }, type, body: { ...body } };
}

/** Gives an agent of the example one more role. */
export function withRole(agent: string, role: string): Line {
  const first = structuredClone(EXAMPLE[0]) as Line;
  const agents = first.body["agents"] as { agent: string; roles: string[] }[];
  agents.find((one) => one.agent === agent)?.roles.push(role);
  return first;
}

/** A project and its user's state in a folder that is gone after the test. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), "sworn-threat-"));
  readonly place = new Place({
    store: join(this.folder, ".sworn"),
    state: join(this.folder, "state"),
  });

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Records lines as a new trace, or on top of one; every one of them must be accepted. */
  async record(lines: readonly Line[], trace?: string): Promise<string> {
    const { id, refusal } = await this.#record(lines, trace);
    if (refusal) throw new Error(`${refusal.rule}: ${refusal.reason}`);
    return id;
  }

  /** Offers one more line to a trace and gives the refusal, or undefined when it was taken. */
  async offer(line: Line, trace: string): Promise<Refusal | undefined> {
    return (await this.#record([line], trace)).refusal;
  }

  async verify(target: string, trustedKey?: string): Promise<VerificationReport> {
    const options = { profile: "default", mode: "full", threads: 0, trustedKey } as const;
    const outcome = await verifyTarget(async () => this.place, target, options);
    if (outcome.kind !== "trace") throw new Error("expected a trace");
    return outcome.report;
  }

  /** Verifies a copy of a trace's bundle whose members were changed. */
  async verifyChanged(
    trace: string,
    change: (members: Map<string, Buffer>) => void,
    behind = Buffer.alloc(0),
  ): Promise<VerificationReport> {
    const path = join(this.folder, "changed.tar");
    exportTrace(this.place, trace, path);
    const members = readMembers(readFileSync(path));
    change(members);
    writeFileSync(path, Buffer.concat([...[...members].flatMap(toTar), TAR_END, behind]));
    return this.verify(path);
  }

  /** The same, for a change of the entries alone. */
  async verifyEntries(
    trace: string,
    change: (lines: string[]) => readonly string[],
  ): Promise<VerificationReport> {
    return this.verifyChanged(trace, (members) => {
      const lines = String(members.get("entries.jsonl")).trimEnd().split("\n");
      members.set("entries.jsonl", Buffer.from(`${change(lines).join("\n")}\n`));
    });
  }

  /** Lets an agent sign an entry with its own key, without asking the recorder. */
  async forge(
    lines: readonly string[],
    { actor, type, body }: Line,
    more: Partial<Entry> = {},
  ): Promise<string> {
    const last = JSON.parse(lines.at(-1) ?? "") as Entry;
    const { agent } = actor as { agent: string };
    const key = this.place.keyring.list().find((one) => one.agent === agent)?.key ?? "";
    const signer = await this.place.keyring.signer(agent, key);
    if (!signer) throw new Error(`no key of ${agent}`);
    const entry = {
      ...{ v: 1, trace: last.trace, seq: last.seq + 1, at: last.at, hlc: `f${last.hlc.slice(1)}` },
      ...{ parents: [], artifacts: [], prev: sha256Hex(lines.at(-1) ?? ""), type, body },
      actor: { ...(actor as object), key },
      ...more,
    };
    return sealEntry(entry as unknown as UnsignedEntry, signer).line;
  }

  /** Puts forged entries into the store under a checkpoint of the runtime's: only the rules can tell. */
  async append(trace: string, forge: (lines: readonly string[]) => Promise<string>): Promise<void> {
    const { place } = this;
    const key = place.keyring.current("sworn")?.key ?? "";
    const signer = await place.keyring.signer("sworn", key);
    if (!signer) throw new Error("no key of the runtime");
    const ledger = LocalLedger.openForAppend(trace, place.ledgerPath(trace), place.heads(trace));
    try {
      ledger.catchUp(() => {});
      const line = await forge([...ledger.read()]);
      const sealed = { seq: ledger.head.size, line, hash: sha256Hex(line) };
      if (!ledger.append(ledger.head, [sealed], signer)) throw new Error("lost a race");
    } finally {
      ledger.close();
    }
  }

  copyStore(to: string): void {
    cpSync(this.place.store, join(this.folder, to), { recursive: true });
  }

  putBack(from: string): void {
    rmSync(this.place.store, { recursive: true });
    cpSync(join(this.folder, from), this.place.store, { recursive: true });
  }

  async #record(lines: readonly Line[], trace: string | undefined) {
    const recorder =
      trace === undefined ? Recorder.start(this.place) : Recorder.resume(this.place, trace);
    try {
      const requests = lines.map((line) => EventRequest.parse(line) as EventRequest);
      const outcome = await recorder.record(requests, { artifactRoots: [this.folder] });
      return { id: recorder.id, refusal: outcome.refusal };
    } finally {
      recorder.close();
    }
  }
}

function readMembers(tar: Buffer): Map<string, Buffer> {
  const members = new Map<string, Buffer>();
  for (let at = 0; tar[at] !== 0; ) {
    const { name, sizeBytes } = parseTarHeader(tar.subarray(at, at + BLOCK_BYTES));
    at += BLOCK_BYTES;
    members.set(name, tar.subarray(at, at + sizeBytes));
    at += sizeBytes + tarPadding(sizeBytes);
  }
  return members;
}

function toTar([name, bytes]: readonly [string, Buffer]): Buffer[] {
  return [tarHeader(name, bytes.length), bytes, Buffer.alloc(tarPadding(bytes.length))];
}
