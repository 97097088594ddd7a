import type { SecureContext } from "node:tls";
import type { Clock } from "../base/index.ts";

/** The certificate authority of one run. Its keys live in this process's memory and die with it. */
export interface RunAuthority {
  /** What the inside has to trust. */
  readonly certificatePem: string;
  /** What the proxy shows for a host; made at the first call, then kept. */
  contextFor(host: string): Promise<SecureContext>;
}

/** For how long and for which hosts an authority may speak. */
export interface AuthorityOptions {
  readonly validForMs: number;
  readonly hosts: readonly string[];
  readonly clock?: Clock;
}

/**
 * Makes the authority of a run: it can speak for the given hosts alone, and only until the run's
 * end.
 *
 * @throws SwornError `INPUT_INVALID` without a host to speak for.
 */
export async function createRunAuthority(options: AuthorityOptions): Promise<RunAuthority> {
  // Loaded when a run has something to pull: making certificates takes a large package.
  const { issueAuthority } = await import("./issue-authority.ts");
  return issueAuthority(options);
}
