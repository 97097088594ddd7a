import { visible } from "../../base/index.ts";
import type { Heard } from "./judge-message.ts";

const SHOWN_MAX = 10;

/** What is wrong, in words for whoever said it. The quoted parts are theirs, with nothing hidden. */
export function refutedWords({ refuted, unverified }: Heard): string {
  return [
    "What you said does not hold:",
    ...listed(refuted),
    ...(unverified.length === 0 ? [] : ["Nothing shows this, either:", ...listed(unverified)]),
    "Correct it or take it back.",
  ].join("\n");
}

/** What could not be seen, in words for whoever reads along; empty when there is nothing. */
export function unverifiedWords({ refuted, unverified }: Heard): string {
  return [
    ...(refuted.length === 0 ? [] : ["What was said does not hold:", ...listed(refuted)]),
    ...(unverified.length === 0 ? [] : ["Said, and shown by nothing:", ...listed(unverified)]),
  ].join("\n");
}

function listed(reasons: readonly string[]): string[] {
  const more = reasons.length - SHOWN_MAX;
  return [
    ...reasons.slice(0, SHOWN_MAX).map((reason) => `- ${visible(reason)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}
