import { SwornError } from "../base/index.ts";
import { parseHostName } from "./host-name.ts";
import { PathPattern } from "./path-pattern.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import type { RequestTarget } from "./request-target.ts";
import type { UpstreamProxies } from "./upstream-proxy.ts";

/** What may be asked of one host. Nothing that no rule names is ever reached. */
export interface EgressRule {
  /** For people: which registry or model this is. */
  readonly name: string;
  readonly scheme: "https" | "http";
  readonly host: string;
  readonly port: number;
  readonly methods: readonly ("GET" | "HEAD" | "POST")[];
  /** Patterns as of `PathPattern`. */
  readonly paths: readonly string[];
  /** The path that the registry lies under; empty for the root. */
  readonly base?: string;
  /** Whole paths, as decoded; asked for before the patterns, and free to carry hashes. */
  readonly exactPaths?: ReadonlySet<string>;
  /** Whole queries that may follow a path; none may when this is absent. */
  readonly queries?: readonly string[];
  /** The host is the user's own configured one, so it may be on a private network. */
  readonly allowPrivate?: boolean;
  /** Headers that the proxy puts in itself, credentials above all; the inside never sees them. */
  readonly setHeaders?: Readonly<Record<string, string>>;
  /** What the inside sends in place of a credential, and what goes out in its stead. */
  readonly credential?: Credential;
  /** Headers that may pass from the inside, beyond the few that every request may carry. */
  readonly passHeaders?: readonly string[];
  /** The largest body of a POST. */
  readonly bodyBytesMax?: number;
  /** How long nothing may move, where that is longer than for other requests: models think. */
  readonly stallMs?: number;
  /** Some clients show no ALPN; only their rules say so. */
  readonly isAlpnOptional?: boolean;
  /** The user's proxies for this host alone, instead of those of the run: apt has settings of its own. */
  readonly proxies?: UpstreamProxies;
}

/** A secret that the inside uses and never sees. */
export interface Credential {
  readonly placeholder: string;
  readonly secret: string;
}

interface CompiledRule {
  readonly rule: EgressRule;
  readonly patterns: readonly PathPattern[];
}

/** The rules of a run, checked once. */
export class RuleSet {
  readonly hosts: ReadonlySet<string>;
  readonly #byOrigin = new Map<string, CompiledRule[]>();

  /** @throws SwornError `INPUT_INVALID` for a rule whose host has no plain spelling. */
  constructor(rules: readonly EgressRule[]) {
    this.hosts = new Set(rules.map(({ host }) => host));
    for (const rule of rules) {
      const name = parseHostName(rule.host, this.hosts);
      if (isRefusal(name) || name !== rule.host) {
        const why = isRefusal(name) ? name.reason : `write it as ${name}`;
        throw new SwornError("INPUT_INVALID", `the rule ${rule.name} names no usable host: ${why}`);
      }
      const key = originKey(rule.scheme, rule.host, rule.port);
      const compiled = { rule, patterns: rule.paths.map((path) => new PathPattern(path)) };
      this.#byOrigin.set(key, [...(this.#byOrigin.get(key) ?? []), compiled]);
    }
  }

  /** The rules for one origin; empty when it is not listed. */
  rulesFor(scheme: string, host: string, port: number): readonly EgressRule[] {
    return (this.#byOrigin.get(originKey(scheme, host, port)) ?? []).map(({ rule }) => rule);
  }

  /** The rule that a request falls under, or why it falls under none. */
  find(origin: Origin, method: string, target: RequestTarget): EgressRule | Refusal {
    const compiled = this.#byOrigin.get(originKey(origin.scheme, origin.host, origin.port)) ?? [];
    const able = compiled.filter(({ rule }) => rule.methods.some((one) => one === method));
    let isRandom = false;
    for (const one of able) {
      const match = matchRule(one, target);
      if (match === "match") return one.rule;
      isRandom ||= match === "random";
    }
    return isRandom
      ? refuse("url-entropy", "the URL carries what looks like encoded data")
      : refuse("path-not-listed", `no rule for ${origin.host} allows this path`);
  }
}

/** Where a request goes. */
export interface Origin {
  readonly scheme: "https" | "http";
  readonly host: string;
  readonly port: number;
}

function originKey(scheme: string, host: string, port: number): string {
  return `${scheme}://${host}:${port}`;
}

function matchRule({ rule, patterns }: CompiledRule, target: RequestTarget) {
  const { query } = target;
  if (query !== undefined && !(rule.queries ?? []).includes(query)) return "none";
  if (rule.exactPaths?.has(`/${target.segments.join("/")}`)) return "match";
  const found = patterns.map((pattern) => pattern.match(target));
  if (found.includes("match")) return "match";
  return found.includes("random") ? "random" : "none";
}
