import { setImmediate as nextTurn } from "node:timers/promises";
import { messageOf } from "../../base/index.ts";
import { SourceText } from "./source-text.ts";
import type { SourceEntry, SourceTree } from "./source-tree.ts";

/** How much decoded source is kept, in characters; what was used longest ago goes first. */
const KEPT_CHARS_MAX = 96_000_000;
/** Files that are asked for before the one that is looked at is done with. */
const AHEAD = 64;
/** Files that are looked at between two looks at what has come; what nobody takes holds up who sends it. */
const AT_ONCE = 4;
/** Entries without text cost little, and are not free. */
const ENTRY_COST = 1_000;

/** An entry whose bytes were decoded. */
export type ReadEntry =
  | { readonly kind: "text"; readonly source: SourceText; readonly at: "head" | "base" }
  | { readonly kind: "binary"; readonly bytes: Uint8Array }
  | Exclude<SourceEntry, { readonly kind: "file" }>;

interface Kept {
  readonly entry: Promise<ReadEntry>;
  ready: ReadEntry | undefined;
  cost: number;
}

/** Reads each file of a tree once for many findings, within a bound of memory. */
export class SourceCache {
  readonly #tree: SourceTree;
  readonly #kept = new Map<string, Kept>();
  #cost = 0;
  /** Files that were asked for and have not come. */
  #awaited = 0;
  #paths: Promise<readonly string[]> | undefined;

  constructor(tree: SourceTree) {
    this.#tree = tree;
  }

  paths(): Promise<readonly string[]> {
    this.#paths ??= this.#tree.paths();
    return this.#paths;
  }

  /** What was read before and is still kept, without waiting for it. */
  ready(path: string): ReadEntry | undefined {
    const kept = this.#kept.get(path);
    if (kept?.ready !== undefined) this.#touch(path, kept);
    return kept?.ready;
  }

  read(path: string): Promise<ReadEntry> {
    const kept = this.#kept.get(path);
    if (kept === undefined) return this.#load(path);
    this.#touch(path, kept);
    return kept.entry;
  }

  /** Has the first of many files read while the caller does something else. */
  ask(paths: readonly string[]): void {
    for (const path of paths.slice(0, AHEAD)) void this.read(path);
  }

  /** Many files in their order, some of them read ahead while others are looked at. */
  async *each(paths: readonly string[]): AsyncGenerator<readonly [string, ReadEntry]> {
    const ahead: Promise<ReadEntry>[] = [];
    for (let at = 0; at < paths.length; at += 1) {
      // Asked for together, because each question by itself costs more than its answer.
      const isLow = ahead.length < AHEAD / 2;
      while (isLow && ahead.length < AHEAD && at + ahead.length < paths.length) {
        ahead.push(this.read(paths[at + ahead.length] ?? ""));
      }
      if (at % AT_ONCE === 0 && this.#awaited > 0) await nextTurn();
      const entry = await ahead.shift();
      if (entry !== undefined) yield [paths[at] ?? "", entry];
    }
  }

  /** Moves it to the end of what may go; while there is room for as much again, nothing will. */
  #touch(path: string, kept: Kept): void {
    if (this.#cost < KEPT_CHARS_MAX / 2) return;
    this.#kept.delete(path);
    this.#kept.set(path, kept);
  }

  #load(path: string): Promise<ReadEntry> {
    const kept: Kept = { entry: this.#readNow(path), ready: undefined, cost: ENTRY_COST };
    this.#kept.set(path, kept);
    this.#cost += kept.cost;
    this.#awaited += 1;
    return kept.entry.then((entry) => {
      this.#awaited -= 1;
      kept.ready = entry;
      this.#charge(path, kept, costOf(entry));
      return entry;
    });
  }

  async #readNow(path: string): Promise<ReadEntry> {
    try {
      const entry = await this.#tree.find(path);
      if (entry.kind !== "file") return entry;
      const source = SourceText.decode(path, entry.bytes);
      if (source === undefined) return { kind: "binary", bytes: entry.bytes };
      return { kind: "text", source, at: entry.at };
    } catch (error) {
      // Fail closed: a file that could not be read leaves findings unverified, one by one.
      return { kind: "unreadable", why: messageOf(error) };
    }
  }

  #charge(path: string, kept: Kept, cost: number): void {
    if (this.#kept.get(path) !== kept) return;
    this.#cost += cost - kept.cost;
    kept.cost = cost;
    for (const [oldest, { cost: freed }] of this.#kept) {
      if (this.#cost <= KEPT_CHARS_MAX || oldest === path) break;
      this.#kept.delete(oldest);
      this.#cost -= freed;
    }
  }
}

function costOf(entry: ReadEntry): number {
  if (entry.kind === "text") return entry.source.cost;
  return entry.kind === "binary" ? entry.bytes.length + ENTRY_COST : ENTRY_COST;
}
