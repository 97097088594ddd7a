import { type Licence, parseLicence } from "./licence.ts";
import type { SbomPackage } from "./sbom-package.ts";

/** What may not be used, and what somebody has looked at and accepted by name. */
export interface LicencePolicy {
  /** SPDX ids; a star at the end stands for any ending: `AGPL-*`. */
  readonly deny: readonly string[];
  /** Packages whose licence is unknown or denied and which may be used all the same: `name@1.2`. */
  readonly accepted?: readonly string[];
}

/** Money in the smallest unit of its currency. */
export interface Budget {
  readonly ceiling: number;
  /** Undefined when nobody knows. */
  readonly spent: number | undefined;
}

export interface GateReason {
  readonly rule: "licence-denied" | "licence-unknown" | "spend-over" | "spend-unknown";
  readonly subject: string;
  readonly reason: string;
}

export interface GateVerdict {
  readonly isAllowed: boolean;
  readonly reasons: readonly GateReason[];
}

/**
 * Whether a run may use these packages and spend more. Without a deny-list licences are not judged,
 * without a budget spending is not; where one is set, not knowing is a no.
 */
export function licenceGate(
  packages: readonly SbomPackage[],
  policy: LicencePolicy | undefined,
  budget: Budget | undefined,
): GateVerdict {
  const reasons = [...licenceReasons(packages, policy), ...spendReasons(budget)];
  return { isAllowed: reasons.length === 0, reasons };
}

function licenceReasons(
  packages: readonly SbomPackage[],
  policy: LicencePolicy | undefined,
): GateReason[] {
  if (policy === undefined || policy.deny.length === 0) return [];
  const accepted = new Set(policy.accepted ?? []);
  return packages.flatMap((one): GateReason[] => {
    const subject = one.version === undefined ? one.name : `${one.name}@${one.version}`;
    if (accepted.has(subject)) return [];
    const { licence } = one;
    if (licence === undefined || licence.trim() === "") {
      return [
        { rule: "licence-unknown", subject, reason: "nobody says under which licence it is" },
      ];
    }
    const answer = judge(parseLicence(licence), policy.deny);
    if (answer === "allowed") return [];
    return answer === "denied"
      ? [{ rule: "licence-denied", subject, reason: `${shown(licence)} is on the deny-list` }]
      : [
          {
            rule: "licence-unknown",
            subject,
            reason: `${shown(licence)} is no licence of SPDX's list`,
          },
        ];
  });
}

type Answer = "allowed" | "unknown" | "denied";

/** Of alternatives the best counts, of several that all hold the worst. */
function judge(licence: Licence, deny: readonly string[]): Answer {
  if (licence.kind === "name") return judgeName(licence, deny);
  const answers = licence.parts.map((part) => judge(part, deny));
  const order: readonly Answer[] =
    licence.kind === "or" ? ["allowed", "unknown", "denied"] : ["denied", "unknown", "allowed"];
  return order.find((answer) => answers.includes(answer)) ?? "unknown";
}

function judgeName(licence: Licence & { kind: "name" }, deny: readonly string[]): Answer {
  const names = [licence.id, licence.name].flatMap((one) => one?.toLowerCase() ?? []);
  const isDenied = deny.some((entry) => {
    const pattern = entry.trim().toLowerCase();
    return names.some((name) =>
      pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    );
  });
  if (isDenied) return "denied";
  return licence.id === undefined ? "unknown" : "allowed";
}

/** Names of licences come from packages; what is shown has an end and no control characters. */
function shown(licence: string): string {
  return JSON.stringify(licence.toWellFormed().slice(0, 200));
}

function spendReasons(budget: Budget | undefined): GateReason[] {
  if (budget === undefined) return [];
  const { ceiling, spent } = budget;
  const isKnown = (amount: number | undefined): amount is number =>
    amount !== undefined && Number.isFinite(amount) && amount >= 0;
  if (!isKnown(ceiling) || !isKnown(spent)) {
    const reason = "what was spent, or may be, is not known";
    return [{ rule: "spend-unknown", subject: "budget", reason }];
  }
  if (spent <= ceiling) return [];
  return [{ rule: "spend-over", subject: "budget", reason: `${spent} spent of ${ceiling}` }];
}
