import type { Admitted } from "./judge.ts";
import { looksRandom } from "./randomness.ts";
import { type RequestHead, valuesOf } from "./request-head.ts";
import type { EgressRule } from "./rule.ts";

const VALUE_CHARS_MAX = 256;
/** What upstream is told of who asks: the same for everybody, so that it carries nothing out. */
const USER_AGENT = "sworn-egress";
const CODINGS =
  /^(?:(?:gzip|deflate|br|zstd|identity|\*)(?:;q=[01](?:\.[0-9]{1,3})?)?(?:, ?|$)){1,6}$/;
const MEDIA = /^[a-z0-9*+./;=, -]{1,256}$/i;
const RANGE = /^bytes=[0-9]{1,12}-[0-9]{0,12}$/;

/** Where model services look for a credential. */
const CREDENTIAL_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "api-key"];

/** Headers of an answer that a package manager needs; cookies, challenges and hints stay outside. */
const ANSWER = [
  "accept-ranges",
  "age",
  "cache-control",
  "content-encoding",
  "content-range",
  "content-type",
  "date",
  "etag",
  "expires",
  "last-modified",
  "location",
  "request-id",
  "retry-after",
  "vary",
  "x-request-id",
] as const;

/**
 * The headers that go upstream. They are built anew: a header from the inside passes only when its
 * value has a form that leaves little room for a message, and the proxy's own come last.
 */
export function upstreamHeaders(head: RequestHead, admitted: Admitted): Record<string, string> {
  const { origin, rule, bodyBytes } = admitted;
  const isDefault = origin.port === (origin.scheme === "https" ? 443 : 80);
  const headers: Record<string, string> = {
    host: isDefault ? origin.host : `${origin.host}:${origin.port}`,
    "user-agent": USER_AGENT,
    accept: passed(head, "accept", MEDIA) ?? "*/*",
    // A credential that is repeated in an answer has to be found there.
    "accept-encoding":
      (rule.credential === undefined ? passed(head, "accept-encoding", CODINGS) : undefined) ??
      "identity",
  };
  const range = passed(head, "range", RANGE);
  if (range !== undefined) headers["range"] = range;
  for (const name of rule.passHeaders ?? []) {
    const value = passed(head, name, /^[\x20-\x7e]*$/);
    if (value !== undefined) headers[name] = value;
  }
  if (admitted.method === "POST") headers["content-length"] = String(bodyBytes);
  return { ...headers, ...credentialHeaders(head, rule), ...rule.setHeaders };
}

/**
 * Services differ in the header that they read a credential from, and the client knows which it is:
 * where it put the placeholder, the secret goes. Anything else in such a header stays inside.
 */
function credentialHeaders(head: RequestHead, { credential }: EgressRule): Record<string, string> {
  if (credential === undefined) return {};
  const { placeholder, secret } = credential;
  const forms = [placeholder, `Bearer ${placeholder}`];
  return Object.fromEntries(
    CREDENTIAL_HEADERS.flatMap((name) => {
      const [value = "", ...more] = valuesOf(head, name);
      const isPlaceholder = more.length === 0 && forms.includes(value);
      return isPlaceholder ? [[name, value.replace(placeholder, () => secret)]] : [];
    }),
  );
}

function passed(head: RequestHead, name: string, form: RegExp): string | undefined {
  const [value, ...more] = valuesOf(head, name);
  if (value === undefined || more.length > 0 || value.length > VALUE_CHARS_MAX) return undefined;
  if (!form.test(value) || value.split(/[;,=/ ]/).some(looksRandom)) return undefined;
  return value;
}

/** The head lines of an answer on its way in, without those that frame it. */
export function answerLines(headers: ReadonlyMap<string, string>): string[] {
  return ANSWER.flatMap((name) => {
    const value = headers.get(name);
    return value !== undefined && /^[\t\x20-\x7e]*$/.test(value) ? [`${name}: ${value}`] : [];
  });
}
