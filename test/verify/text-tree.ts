import type { SourceTree } from "../../src/verify/citation/index.ts";

/** A source tree in memory: texts by their paths; what is null is not there. */
export function textTree(files: Readonly<Record<string, string | null>>): SourceTree {
  const there = new Map(Object.entries(files).filter(([, text]) => text !== null));
  return {
    find: async (path) => {
      const text = there.get(path);
      return text === undefined || text === null
        ? { kind: "absent" }
        : { kind: "file", bytes: Buffer.from(text), at: "head" };
    },
    paths: async () => [...there.keys()],
  };
}
