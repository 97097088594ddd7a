/** Why the proxy says no; a closed list, because it goes into the ledger. */
export const REFUSALS = [
  "address",
  "alpn",
  "body",
  "budget",
  "busy",
  "certificate",
  "framing",
  "head-size",
  "host-header",
  "host-not-listed",
  "ip-literal",
  "malformed",
  "method",
  "name",
  "onion",
  "path-not-listed",
  "plain-http",
  "plaintext",
  "punycode",
  "redirect",
  "secret",
  "sni",
  "timeout",
  "tls",
  "tls-version",
  "trailing-dot",
  "tunnel",
  "upgrade",
  "upstream",
  "url-entropy",
  "url-form",
  "url-length",
] as const;
export type RefusalCode = (typeof REFUSALS)[number];

/** An answer of no: a value, told to whoever asked in plain words. */
export interface Refusal {
  readonly refused: RefusalCode;
  readonly reason: string;
}

/** The HTTP status of each refusal that is not a plain 403. */
const STATUS: Partial<Record<RefusalCode, number>> = {
  body: 413,
  busy: 503,
  certificate: 502,
  framing: 400,
  "head-size": 431,
  malformed: 400,
  method: 405,
  redirect: 502,
  timeout: 408,
  upstream: 502,
  "url-length": 414,
};

/** A refusal with its reason. */
export function refuse(refused: RefusalCode, reason: string): Refusal {
  return { refused, reason };
}

/** Tells a refusal from the value that was hoped for. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "refused" in value;
}

/** The whole HTTP answer that tells a refusal; the connection ends after it. */
export function refusalAnswer(refusal: Refusal): string {
  const status = STATUS[refusal.refused] ?? 403;
  const text = `sworn egress: refused (${refusal.refused}): ${refusal.reason}\n`;
  return [
    `HTTP/1.1 ${status} Refused`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Sworn-Refused: ${refusal.refused}`,
    "Connection: close",
    "",
    text,
  ].join("\r\n");
}
