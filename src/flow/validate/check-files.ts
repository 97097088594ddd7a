import type { Contract } from "../../schema/contract.ts";
import type { Gap } from "../../schema/review.ts";
import {
  type CircuitBreaker,
  checkDeliverable,
  type InlineResult,
  inlineChecks,
  openCircuitGap,
} from "../../verify/contract/index.ts";
import type { Delivered } from "./deliveries.ts";

/** The files as the contract's own check may take them, and what was asked of each. */
export interface FileCheck {
  readonly deliveries: readonly Delivered[];
  readonly inline: readonly InlineResult[];
  readonly gaps: readonly Gap[];
}

const WHAT = "the files' form (layer 0)";

/**
 * Looks at the form of each file that is there. An open breaker leaves them unchecked, which makes
 * them partial; a half-open one lets a single file decide about the others.
 */
export function checkFiles(
  deliveries: readonly Delivered[],
  { nonce }: Contract,
  breaker: CircuitBreaker,
  { nowMs, onTrial }: { readonly nowMs: number; readonly onTrial: () => void },
): FileCheck {
  const answer = breaker.ask(nowMs);
  if (answer.kind === "open") {
    const gap = openCircuitGap(WHAT, answer);
    return {
      deliveries: deliveries.map((one) => unchecked(one, gap.why)),
      inline: [],
      gaps: [gap],
    };
  }
  const isWhole = ({ teammate, delivery }: Delivered) =>
    checkDeliverable(teammate, delivery, nonce).status === "complete";
  const there = deliveries.filter(({ delivery }) => delivery.kind === "file");
  const asked = answer.kind === "half-open" ? there.slice(0, 1) : there;
  if (answer.kind === "half-open") onTrial();
  if (asked.some(isWhole)) {
    breaker.succeeded();
    return { deliveries, inline: inlineOf(deliveries, nonce), gaps: [] };
  }
  breaker.failed(nowMs);
  const left = there.filter((one) => !asked.includes(one));
  if (left.length === 0) return { deliveries, inline: inlineOf(deliveries, nonce), gaps: [] };
  const why = "not checked: the one that was tried first is not in order either";
  return {
    deliveries: deliveries.map((one) => (left.includes(one) ? unchecked(one, why) : one)),
    inline: inlineOf(
      deliveries.filter((one) => !left.includes(one)),
      nonce,
    ),
    gaps: [{ what: WHAT, why }],
  };
}

function inlineOf(deliveries: readonly Delivered[], nonce: string | undefined): InlineResult[] {
  return deliveries.map(({ teammate, delivery }) => inlineChecks(teammate, delivery, nonce));
}

function unchecked(delivered: Delivered, why: string): Delivered {
  const { delivery } = delivered;
  return delivery.kind === "file"
    ? { ...delivered, delivery: { ...delivery, unchecked: why } }
    : delivered;
}
