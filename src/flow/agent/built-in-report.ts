import { assert, later } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import { AgentConfig } from "../../schema/agent.ts";
import type { ReviewReport } from "../../schema/review.ts";

const reviewing = later(() => import("./builtin-agent.ts"));

/** A change that the built-in reviewers look at, and the repository that it is in. */
export interface ReviewedChange {
  readonly repository: Repository;
  readonly before: string;
  readonly after: string;
  readonly signal: AbortSignal;
}

/** All that the built-in reviewers find in a change; with names, all that those of them do. */
export async function builtInReport(
  { repository, before, after, signal }: ReviewedChange,
  reviewers?: readonly string[],
): Promise<ReviewReport> {
  const config = AgentConfig.parse({ driver: "builtin", reviewers });
  assert(config.driver === "builtin", "these are the settings of the built-in reviewers");
  const wanted = { kind: "change", range: `${before}..${after}` } as const;
  const { runBuiltInAgent } = await reviewing();
  return (await runBuiltInAgent({ config, repository, threads: 1, signal, wanted })).report;
}

/** One of their findings in a line: where it is, and what. */
export function findingLine({ finding }: ReviewReport["findings"][number]): string {
  const [cited] = finding.citations;
  return `${cited?.file}:${cited?.line}: ${finding.title}`;
}
