import type { Json } from "../../base/index.ts";
import { type Redaction, redactJson } from "../../scan/classify/index.ts";
import type { EventRequest } from "../../schema/index.ts";

/**
 * The members that hold somebody's words. Names, digests and keys are left alone: what refers to
 * them would no longer find them.
 */
const WORDS = new Set([
  "objective",
  "assumptions",
  "expected_evidence",
  "risk_assessment",
  "rationale",
  "conditions",
  "justification",
  "summary",
  "failure",
  "description",
  "claim_text",
  "reason",
  "reasons",
  "final_verdict_text",
  "text",
  "default",
  "answer",
  "context",
  "options",
  "choice",
  "rule",
  "rollback",
  "title",
  "label",
  "url",
  "meta",
  "action",
  "fix",
  "focus",
  "notes",
]);
const DEPTH_MAX = 8;

/**
 * A request without the secrets and personal data in its words. A trace is kept for years and
 * handed on, and nothing can be taken out of it later. What was there is kept as a keyed hash: the
 * plain one of a telephone number is undone by trying all of them.
 */
export function withoutSecrets(
  request: EventRequest,
  hash: (text: string) => string,
): EventRequest {
  const redacted: Redaction[] = [];
  const body = cleaned(request.body as Json, { redacted, hash }, 0);
  if (redacted.length === 0) return request;
  const list = {
    name: "redactions.json",
    text: `${JSON.stringify(redacted.map(({ rule, sha256 }) => ({ rule, hmac_sha256: sha256 })))}\n`,
    media_type: "application/json",
  };
  return { ...request, body, artifacts: [...(request.artifacts ?? []), list] } as EventRequest;
}

interface Cleaning {
  readonly redacted: Redaction[];
  readonly hash: (text: string) => string;
}

function cleaned(value: Json, cleaning: Cleaning, depth: number): Json {
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((one) => cleaned(one, cleaning, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (!WORDS.has(name)) return [name, cleaned(member, cleaning, depth + 1)];
      const found = redactJson(member, { hash: cleaning.hash });
      cleaning.redacted.push(...found.redacted);
      return [name, found.value];
    }),
  );
}
