import type { AnswerHead } from "./answer-head.ts";
import { parseHostName } from "./host-name.ts";
import type { Admitted } from "./judge.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import { parseTarget } from "./request-target.ts";
import type { Origin, RuleSet } from "./rule.ts";

/**
 * Why an answer that leads elsewhere may not be passed in. The client would ask again by itself and
 * be judged again; a redirect that cannot succeed is told here, in words that say where it led.
 */
export function findRedirectRefusal(
  { status, headers }: AnswerHead,
  { origin, rule }: Admitted,
  rules: RuleSet,
): Refusal | undefined {
  if (status < 300 || status > 399 || status === 304) return undefined;
  // A request with a body is never sent on: it would carry the body to a place nobody judged.
  if (rule.methods.includes("POST")) {
    return refuse("redirect", `${origin.host} redirects, and its rule allows no redirects`);
  }
  const next = readLocation(headers.get("location") ?? "", origin);
  if (next === undefined) {
    return refuse("redirect", `${origin.host} redirects to no usable URL`);
  }
  const host = parseHostName(next.host, rules.hosts);
  if (isRefusal(host)) {
    return refuse(
      "redirect",
      `${origin.host} redirects to a host that is refused: ${host.refused}`,
    );
  }
  if (origin.scheme === "https" && next.scheme !== "https") {
    return refuse("redirect", `${origin.host} redirects to ${host}, away from TLS`);
  }
  const target = parseTarget(next.path);
  // The host is told and the path is not: it may have been signed for one reader.
  return isRefusal(target) || isRefusal(rules.find(next, "GET", target))
    ? refuse("redirect", `${origin.host} redirects to ${host}, which no rule allows`)
    : undefined;
}

function readLocation(
  place: string,
  { scheme, host, port }: Origin,
): (Origin & { readonly path: string }) | undefined {
  const here = `${scheme}://${host}:${port}/`;
  if (place === "" || !URL.canParse(place, here)) return undefined;
  const url = new URL(place, here);
  if (url.username !== "" || url.password !== "" || !/^https?:$/.test(url.protocol)) {
    return undefined;
  }
  const isTls = url.protocol === "https:";
  return {
    scheme: isTls ? "https" : "http",
    host: url.hostname,
    port: Number(url.port) || (isTls ? 443 : 80),
    path: `${url.pathname}${url.search}`,
  };
}
