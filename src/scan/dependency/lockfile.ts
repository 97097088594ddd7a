import type { SourceLines } from "../kind/index.ts";

/** Where a locked package comes from. */
export type Source =
  | { readonly kind: "registry"; readonly host: string }
  | { readonly kind: "git" | "address" | "plain-address" | "local" | "unknown" };

/** One package as a lockfile pins it. */
export interface Locked {
  readonly name: string;
  readonly version: string;
  readonly line: number;
  /** What was asked for and led here, as the lockfile writes it: `zod@^4`. */
  readonly asked: readonly string[];
  readonly hasHash: boolean;
  readonly source: Source;
  readonly runsScript: boolean;
}

/** What all lockfiles have in common. */
export interface Lockfile {
  readonly path: string;
  readonly lines: SourceLines;
  /** Which manifests it can belong to. */
  readonly ecosystem: "npm" | "python";
  readonly packages: readonly Locked[];
  /** Whether each `asked` is the exact word of a manifest. */
  readonly namesRanges: boolean;
}

/** A line is typed or made for one package; what is longer is not looked at. */
export const LINE_CHARS_MAX = 4_000;
/** More than any project has; the rest of a longer lockfile is a reason to refuse it. */
export const PACKAGES_MAX = 200_000;

/** How package managers write that something lies in the project itself. */
export const LOCAL_SCHEMES: ReadonlySet<string> = new Set([
  "file",
  "link",
  "portal",
  "patch",
  "workspace",
]);

/** Reads where an address leads. */
export function sourceOf(address: string): Source {
  if (address === "") return { kind: "unknown" };
  const [scheme = ""] = address.split(":", 1);
  if (LOCAL_SCHEMES.has(scheme) || /^\.{0,2}\//.test(address)) return { kind: "local" };
  if (/^(?:git[+:@]|ssh:)|\.git(?:#|$)|^https:\/\/codeload\./.test(address)) return { kind: "git" };
  const match = /^(https?):\/\/([^/?#]{1,255})([^?#]{0,1000})/i.exec(address);
  if (match === null) return { kind: "unknown" };
  const [, protocol = "", host = "", path = ""] = match;
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(host);
  if (protocol.toLowerCase() === "http" && !isLocal) return { kind: "plain-address" };
  const isRegistry = path.includes("/-/") || /\/simple\/?$|\/packages\//.test(path);
  return isRegistry ? { kind: "registry", host: host.toLowerCase() } : { kind: "address" };
}
