import type { Body } from "../../schema/index.ts";

/**
 * A decision as a page: what it was about, what could have been done, what was chosen, and what it
 * rests on. The words are the record's own; only the titles between them are ours.
 */
export function decisionText(body: Body<"decision_recorded">): string {
  const { context, options, choice, evidence = [], links = [] } = body;
  const rests = [
    ...evidence.map((digest) => `- evidence sha256:${digest}`),
    ...links.map(({ kind, to }) => `- ${kind} ${to}`),
  ];
  return [
    ...["Problem", "", context, ""],
    ...["Options considered", "", ...options.map((one) => `- ${one}`), ""],
    ...["Decision", "", choice],
    ...(rests.length === 0 ? [] : ["", "Evidence and links", "", ...rests]),
  ].join("\n");
}
