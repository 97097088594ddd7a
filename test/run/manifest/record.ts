import { sha256Hex } from "../../../src/base/index.ts";
import type { RunRecord } from "../../../src/run/manifest/index.ts";
import { Limits } from "../../../src/schema/execution.ts";

export const OUTPUT = (path: string, text = path) => ({
  path,
  bytes: text.length,
  sha256: sha256Hex(text),
  mode: 0o644,
  mtime_ms: 1_700_000_000_000,
  classification: "internal" as const,
  pii: false,
});

/** A run as a caller would tell it. */
export function record(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    taskId: "build-1",
    environment: {
      name: "node",
      digest: `sha256:${"a".repeat(64)}`,
      reference: "built from Debian packages",
    },
    engine: "bwrap",
    containerId: "sworn-01J8",
    install: undefined,
    argv: ["npm", "test"],
    cwd: "/workspace/input",
    env: { LANG: "C.UTF-8", TZ: "UTC", WORKSPACE_ROOT: "/workspace" },
    input: { commit: "b".repeat(40), tree: "c".repeat(40), sha256: "d".repeat(64) },
    output: [OUTPUT("b"), OUTPUT("a")],
    refused: [],
    started: { wallMs: 1_700_000_000_000, monotonicUs: 5_000_000 },
    ended: { wallMs: 1_700_000_009_500, monotonicUs: 14_500_000 },
    limits: Limits.parse({}),
    controls: [{ name: "network", holds: true, seen: "no interface but lo, and that one is down" }],
    seed: "42",
    sourceDateEpoch: 1_699_999_999,
    locale: "C.UTF-8",
    timezone: "UTC",
    egress: undefined,
    policy: { digest: "e".repeat(64), decision: "allow", matched: ["N-network"], exceptions: [] },
    sbom: null,
    exit: { code: 0, signal: undefined, limit: undefined },
    ...changes,
  };
}
