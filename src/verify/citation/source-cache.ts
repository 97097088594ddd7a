import { messageOf } from "../../base/index.ts";
import { SourceText } from "./source-text.ts";
import type { SourceEntry, SourceTree } from "./source-tree.ts";

/** How much decoded source is kept, in characters; what was used longest ago goes first. */
const KEPT_CHARS_MAX = 64_000_000;
/** Entries without text cost little, and are not free. */
const ENTRY_COST = 1_000;

/** An entry whose bytes were decoded. */
export type ReadEntry =
  | { readonly kind: "text"; readonly source: SourceText; readonly at: "head" | "base" }
  | { readonly kind: "binary"; readonly bytes: Uint8Array }
  | Exclude<SourceEntry, { readonly kind: "file" }>;

/** Reads each file of a tree once for many findings, within a bound of memory. */
export class SourceCache {
  readonly #tree: SourceTree;
  readonly #kept = new Map<string, { entry: Promise<ReadEntry>; cost: number }>();
  #cost = 0;
  #paths: Promise<readonly string[]> | undefined;

  constructor(tree: SourceTree) {
    this.#tree = tree;
  }

  paths(): Promise<readonly string[]> {
    this.#paths ??= this.#tree.paths();
    return this.#paths;
  }

  read(path: string): Promise<ReadEntry> {
    const kept = this.#kept.get(path);
    if (kept === undefined) return this.#load(path);
    this.#kept.delete(path);
    this.#kept.set(path, kept);
    return kept.entry;
  }

  #load(path: string): Promise<ReadEntry> {
    const kept = { entry: this.#readNow(path), cost: ENTRY_COST };
    this.#kept.set(path, kept);
    this.#cost += kept.cost;
    return kept.entry.then((entry) => {
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

  #charge(path: string, kept: { cost: number }, cost: number): void {
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
