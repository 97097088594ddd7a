import type { Citation, Finding } from "../../src/schema/finding.ts";
import type { SourceEntry, SourceTree } from "../../src/verify/citation/index.ts";

type Given = string | Uint8Array | Exclude<SourceEntry, { kind: "absent" }>;

/** A source tree in memory: texts stand for files at the head. */
export class MemoryTree implements SourceTree {
  readonly #entries: ReadonlyMap<string, SourceEntry>;
  /** The paths that were asked for, in order. */
  readonly asked: string[] = [];

  constructor(files: Record<string, Given>) {
    this.#entries = new Map(Object.entries(files).map(([path, given]) => [path, toEntry(given)]));
  }

  find(path: string): Promise<SourceEntry> {
    this.asked.push(path);
    return Promise.resolve(this.#entries.get(path) ?? { kind: "absent" });
  }

  paths(): Promise<readonly string[]> {
    const isThere = (entry: SourceEntry) =>
      entry.kind !== "moved" && !(entry.kind === "file" && entry.at === "base");
    return Promise.resolve(
      [...this.#entries].flatMap(([path, entry]) => (isThere(entry) ? [path] : [])),
    );
  }
}

function toEntry(given: Given): SourceEntry {
  if (typeof given === "string") return { kind: "file", bytes: Buffer.from(given), at: "head" };
  return given instanceof Uint8Array ? { kind: "file", bytes: given, at: "head" } : given;
}

/** A finding about one place. */
export function findingAt(citation: Citation, more: Partial<Finding> = {}): Finding {
  return {
    id: "SEC-001",
    title: "Something is wrong here",
    priority: "P1",
    category: "wrong",
    citations: [citation],
    ...more,
  };
}
