import { ASSIGNMENT_RULES, isLikelySecret } from "./assignment-rules.ts";
import type { Candidate } from "./candidate.ts";
import { entropyOf } from "./entropy.ts";
import { FORM_RULES } from "./form-rules.ts";
import { isPlaceholder } from "./placeholder.ts";
import type { AssignmentRule, Rule } from "./rule.ts";
import { TOKEN_RULES } from "./token-rules.ts";

/** Of a multi-line key so much is measured; the rest is as random as the beginning. */
const MEASURED_CHARS = 300;
/** How far to the left of its keyword a name may begin. */
const NAME_CHARS_MAX = 60;

/** All rules, surest first. */
export const RULES: readonly Rule[] = [...TOKEN_RULES, ...FORM_RULES, ...ASSIGNMENT_RULES];

/** A rule whose pattern is tried at one place only. */
interface Placed {
  readonly rule: Rule;
  readonly rank: number;
  readonly pattern: RegExp;
}

const PLACED: readonly Placed[] = RULES.map((rule, rank) => ({
  rule,
  rank,
  pattern: new RegExp(rule.regex.source, `${rule.regex.flags}y`),
}));

/** A keyword in lower case, and the rules that ask for it. */
interface Keyword {
  readonly keyword: string;
  readonly placed: readonly Placed[];
}

/** The keywords of all rules, each once. */
export const KEYWORDS: readonly Keyword[] = gatherKeywords();

function gatherKeywords(): Keyword[] {
  const byKeyword = new Map<string, Placed[]>();
  for (const placed of PLACED) {
    for (const keyword of new Set(placed.rule.keywords.map((one) => one.toLowerCase()))) {
      byKeyword.set(keyword, [...(byKeyword.get(keyword) ?? []), placed]);
    }
  }
  return [...byKeyword].map(([keyword, placed]) => ({ keyword, placed }));
}

/** What a rule finds at the place where one of its keywords starts. */
export function matchAt(
  { rule, rank, pattern }: Placed,
  text: string,
  at: number,
): Candidate | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const value = secretOf(rule, match);
  if (value === undefined || !isSecret(rule, match, value, text)) return undefined;
  const start = match.index + match[0].lastIndexOf(value);
  return {
    rule: rule.id,
    description: rule.description,
    priority: rule.priority,
    rank,
    matchStart: match.index,
    start,
    end: start + value.length,
    value,
  };
}

function secretOf(rule: Rule, match: RegExpExecArray): string | undefined {
  return isAssignment(rule) ? (match[1] ?? match[2]) : match[rule.secretGroup ?? 0];
}

function isSecret(rule: Rule, match: RegExpExecArray, value: string, text: string): boolean {
  const measured = value.slice(0, MEASURED_CHARS);
  if (entropyOf(measured) < (rule.entropy ?? 0) || isPlaceholder(measured)) return false;
  if (rule.allowlist?.regexes.some((allowed) => allowed.test(measured))) return false;
  if (!isAssignment(rule)) return true;
  const left = text.slice(Math.max(0, match.index - NAME_CHARS_MAX), match.index);
  const name = `${/[\w-]{0,60}$/.exec(left)?.[0] ?? ""}${/^[\w.-]{1,80}/.exec(match[0])?.[0] ?? ""}`;
  return isLikelySecret(name, value, match[1] !== undefined, rule.words);
}

function isAssignment(rule: Rule): rule is AssignmentRule {
  return "words" in rule;
}
