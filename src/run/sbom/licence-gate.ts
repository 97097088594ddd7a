import { type Licence, parseLicence } from "./licence.ts";
import type { SbomPackage } from "./sbom-package.ts";

/** What may not be used, and what somebody has looked at and accepted by name. */
export interface LicencePolicy {
  /** SPDX ids; a star at the end stands for any ending: `AGPL-*`. */
  readonly deny: readonly string[];
  /** Packages whose licence is unknown or denied and which may be used all the same: `name@1.2`. */
  readonly accepted?: readonly string[];
}

/** A package that may not be used, and why. */
export interface GateReason {
  readonly rule: "licence-denied" | "licence-unknown";
  /** The package: `name@1.2`. */
  readonly subject: string;
  /** As the package states it, without control characters; `unknown` where nothing is stated. */
  readonly licence: string;
  readonly reason: string;
}

/**
 * The packages that a run may not use. Without a deny-list licences are not judged; where there is
 * one, not knowing is a no.
 */
export function licenceGate(
  packages: readonly SbomPackage[],
  policy: LicencePolicy,
): readonly GateReason[] {
  if (policy.deny.length === 0) return [];
  const accepted = new Set(policy.accepted ?? []);
  return packages.flatMap((one): GateReason[] => {
    const subject = one.version === undefined ? one.name : `${one.name}@${one.version}`;
    return accepted.has(subject) ? [] : reasonsFor(subject, one.licence ?? "", policy.deny);
  });
}

function reasonsFor(subject: string, licence: string, deny: readonly string[]): GateReason[] {
  if (licence.trim() === "") {
    const reason = "nobody says under which licence it is";
    return [{ rule: "licence-unknown", subject, licence: "unknown", reason }];
  }
  const answer = judge(parseLicence(licence), deny);
  if (answer === "allowed") return [];
  const quoted = shown(licence);
  return answer === "denied"
    ? [{ rule: "licence-denied", subject, licence: quoted, reason: "it is on the deny-list" }]
    : [{ rule: "licence-unknown", subject, licence: quoted, reason: "it is not on SPDX's list" }];
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
  return JSON.stringify(licence.toWellFormed().slice(0, 200)).slice(1, -1);
}
