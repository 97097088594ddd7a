import { assert, later } from "../../../base/index.ts";
import type { Repository } from "../../../repo/index.ts";
import { AgentConfig } from "../../../schema/agent.ts";
import { type DoneFacts, isCovered } from "../../../vote/index.ts";

const reviewing = later(() => import("../../agent/builtin-agent.ts"));

const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)docs?\//i;

/** A change whose documents are looked at. */
export interface DocumentedChange {
  readonly repository: Repository;
  readonly before: string;
  readonly after: string;
  readonly changed: readonly string[];
  /** Why no document had to change, where somebody says so. */
  readonly reason: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Whether the documents are current: what the reviewer of documents finds in the change, and for a
 * change of code that touches none, somebody's word why none had to change.
 */
export async function docsFacts(
  change: DocumentedChange,
): Promise<Pick<DoneFacts, "docs" | "unknown">> {
  const { changed, reason } = change;
  const isTold = !changed.some(isCovered) || changed.some((path) => DOCUMENT.test(path));
  if (!isTold && reason === undefined) {
    const how = "change one, or say why none has to with --docs 'why'";
    return { unknown: { docs: `code changed and no document did; ${how}` } };
  }
  return { docs: { missing: await staleIn(change) } };
}

async function staleIn({ repository, before, after, signal }: DocumentedChange): Promise<string[]> {
  const config = AgentConfig.parse({ driver: "builtin", reviewers: ["document"] });
  assert(config.driver === "builtin", "these are the settings of the built-in reviewers");
  const wanted = { kind: "change", range: `${before}..${after}` } as const;
  const { runBuiltInAgent } = await reviewing();
  const { report } = await runBuiltInAgent({ config, repository, threads: 1, signal, wanted });
  return report.findings.map(({ finding: { citations, title } }) => {
    const [cited] = citations;
    return `${cited?.file}:${cited?.line}: ${title}`;
  });
}
