import { existsSync, readFileSync, statSync } from "node:fs";
import { release } from "node:os";
import { dirname } from "node:path";
import { canonicalize, SwornError, sha256Hex } from "../../base/index.ts";
import type { RootFiles } from "../../sandbox/index.ts";
import { openEnvironment } from "../../sandbox/index.ts";
import type { EngineName } from "../../schema/execution.ts";

/** What a run finds as its root, and what its record calls it. */
export interface ExecEnvironment {
  readonly name: string;
  readonly digest: string;
  readonly reference: string;
  readonly root: RootFiles;
}

const DPKG_STATUS = "/var/lib/dpkg/status";

/**
 * Finds an environment. `host` is the machine's own programs: its digest stands for what is
 * installed by the package manager, and says less than that of an environment that was built.
 *
 * @throws SwornError when it was not built, has changed, or the engine cannot use it.
 */
export async function findExecEnvironment(
  name: string,
  engine: EngineName,
  state: string,
): Promise<ExecEnvironment> {
  if (name !== "host") {
    const { environment, root } = await openEnvironment(state, name);
    if (engine === "bwrap") assertReachable(root);
    const { digest } = environment;
    return {
      name: environment.name,
      digest,
      reference: `${environment.name}@${digest}`,
      root: { kind: "folder", path: root, digest },
    };
  }
  if (engine !== "bwrap") {
    throw new SwornError(
      "INPUT_INVALID",
      `${engine} has no access to the machine's own programs; build an environment with "sworn env build base" and choose it with --env`,
    );
  }
  const digest = hostDigest();
  return { name: "host", digest, reference: `host@${digest}`, root: { kind: "host" } };
}

/**
 * Root's tasks run as somebody else, who must get through to the files of their environment.
 *
 * @throws SwornError `SANDBOX_REFUSED`.
 */
function assertReachable(root: string): void {
  if (process.getuid?.() !== 0) return;
  for (let at = dirname(root); at !== "/"; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) !== 0) continue;
    throw new SwornError(
      "SANDBOX_REFUSED",
      `${at} is closed to others, so that tasks of root cannot reach the environment below it; set SWORN_STATE_DIR to a folder such as /var/lib/sworn and build it there`,
    );
  }
}

function hostDigest(): string {
  const installed = existsSync(DPKG_STATUS) ? sha256Hex(readFileSync(DPKG_STATUS)) : "unknown";
  const host = { installed, kernel: release(), node: process.version };
  return `sha256:${sha256Hex(canonicalize(host))}`;
}
