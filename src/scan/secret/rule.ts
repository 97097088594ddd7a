/** One format of secret. The fields are named as in gitleaks' rule files, in camel case. */
export interface Rule {
  readonly id: string;
  /** What it is, as a title ends: `a GitHub token`. */
  readonly description: string;
  /**
   * Tried only where one of the keywords starts, and must match from there; what has to stand before
   * it is a lookbehind. Every repetition has a bound, so that a match costs a bounded time.
   */
  readonly regex: RegExp;
  /** In the case in which they appear; found in any case. */
  readonly keywords: readonly string[];
  /** The least bits a character; what is typed by hand has less. */
  readonly entropy?: number;
  /** The group that is the secret; the whole match without it. */
  readonly secretGroup?: number;
  readonly allowlist?: { readonly regexes: readonly RegExp[] };
  /** P1 where the format alone is proof enough. */
  readonly priority: "P1" | "P2" | "P3";
}

/** A rule that has no form but a name beside it; its value is looked at more closely. */
export interface AssignmentRule extends Rule {
  /** Whether ordinary words with a number count: yes for a password, no for a token. */
  readonly words: boolean;
}
