// How long a command takes to begin and end, against a Node.js that does nothing.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

const BIN = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
const SCRIPT = fileURLToPath(new URL("../examples/session.jsonl", import.meta.url));

export async function measure({ rounds = "15" }) {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-start-"));
  const run = (...args) => runNode(folder, args);
  try {
    // A repository with one empty commit, for whatever runs in a copy of one.
    spawnSync("git", ["init", "-q", folder]);
    const who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    spawnSync("git", [...who, "commit", "-q", "--allow-empty", "-m", "empty"], { cwd: folder });
    run(BIN, "trace", "record", SCRIPT);
    run(BIN, "trace", "export", "latest", "--out", "session.tar");
    const times = await alternate(
      {
        bare: () => timed(() => run("-e", "0")),
        version: () => timed(() => run(BIN, "--version")),
        verify: () => timed(() => run(BIN, "verify", "session.tar")),
        exec: () => timed(() => run(BIN, "exec", "--", "true")),
      },
      { rounds: Number(rounds), warmUp: 2 },
    );
    const { bare } = times;
    return [
      compare({ name: "sworn --version / node -e 0", ours: times.version, bare, most: 1.5 }),
      compare({ name: "sworn verify (example) / node -e 0", ours: times.verify, bare, most: 4 }),
      compare({ name: "sworn exec -- true / node -e 0", ours: times.exec, bare, most: 16 }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runNode(cwd, args) {
  const env = { ...process.env, SWORN_STATE_DIR: join(cwd, "state") };
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`);
}

await runAlone(import.meta.url, measure);
