import { parseHostName, parsePort } from "./host-name.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import { type RequestHead, valuesOf } from "./request-head.ts";
import { parseTarget, type RequestTarget, URL_CHARS_MAX } from "./request-target.ts";
import type { EgressRule, Origin, RuleSet } from "./rule.ts";

/** A request that may be made upstream. */
export interface Admitted {
  readonly origin: Origin;
  readonly rule: EgressRule;
  readonly method: string;
  readonly target: RequestTarget;
  readonly bodyBytes: number;
}

const UPGRADES = ["upgrade", "http2-settings", "sec-websocket-key", "sec-websocket-version"];

/** Where a CONNECT may lead: to a listed name and port, and to nothing else. */
export function judgeConnect(head: RequestHead, rules: RuleSet): Origin | Refusal {
  const colon = head.target.lastIndexOf(":");
  const host = parseHostName(head.target.slice(0, Math.max(0, colon)), rules.hosts);
  if (isRefusal(host)) return host;
  const port = parsePort(head.target.slice(colon + 1));
  if (port === undefined) return refuse("url-form", "expected CONNECT with a host and a port");
  const framing = readFraming(head);
  if (isRefusal(framing)) return framing;
  if (framing > 0) return refuse("body", "CONNECT has no body");
  const origin: Origin = { scheme: "https", host, port };
  const named = valuesOf(head, "host");
  if (named.length > 1 || named.some((one) => !namesOrigin(one, origin))) {
    return refuse("host-header", `the Host header names another host than ${host}:${port}`);
  }
  if (rules.rulesFor("https", host, port).length === 0) {
    return refuse("host-not-listed", `no rule lists https://${host}:${port}`);
  }
  return origin;
}

/** The host that a CONNECT names, for the log; empty when it is no name at all. */
export function namedHost({ target }: RequestHead): string {
  const text = target.slice(0, Math.max(0, target.lastIndexOf(":"))).toLowerCase();
  const name = parseHostName(text, new Set([text]));
  return isRefusal(name) ? "" : name;
}

/** Reads the absolute form of plain HTTP: where to, and what is asked for there. */
export function judgeAbsolute(head: RequestHead, rules: RuleSet): Place | Refusal {
  if (head.target.length > URL_CHARS_MAX) {
    return refuse("url-length", `the URL has more than ${URL_CHARS_MAX} characters`);
  }
  const match = /^http:\/\/([^/?#]*)(\/.*)?$/.exec(head.target);
  if (match === null) {
    return refuse("url-form", "expected http://host/path; https goes through CONNECT");
  }
  const authority = match[1] ?? "";
  if (authority.includes("@")) return refuse("url-form", "a URL has no user name in it");
  const [, name = authority, port = "80"] = /^(.*):([0-9]*)$/.exec(authority) ?? [];
  const host = parseHostName(name, rules.hosts);
  if (isRefusal(host)) return host;
  const origin: Origin = { scheme: "http", host, port: parsePort(port) ?? 0 };
  if (rules.rulesFor("http", host, origin.port).length === 0) {
    return refuse("plain-http", `no rule lists http://${host}; unencrypted pulls need one`);
  }
  return { origin, target: match[2] ?? "/", named: origin };
}

/** Where a request was found to lead, before it is known whether it may be made. */
export interface Place {
  readonly origin: Origin;
  /** What is asked for there. */
  readonly target: string;
  /** What the Host header has to name: the origin, or the front that stands for it. */
  readonly named: Origin;
}

/** Whether a request may be made at an origin that is already known to be listed. */
export function judgeRequest(
  head: RequestHead,
  { origin, target: path, named }: Place,
  rules: RuleSet,
): Admitted | Refusal {
  if (head.version !== "1.1") return refuse("malformed", "expected HTTP/1.1");
  const bodyBytes = readFraming(head);
  if (isRefusal(bodyBytes)) return bodyBytes;
  const wrong =
    findUpgrade(head) ?? findForeignHost(head, named) ?? findMethod(head, origin, rules);
  if (wrong !== undefined) return wrong;
  if (bodyBytes > 0 && head.method !== "POST") return refuse("body", `${head.method} has no body`);
  const target = parseTarget(path);
  if (isRefusal(target)) return target;
  const rule = rules.find(origin, head.method, target);
  if (isRefusal(rule)) return rule;
  if (bodyBytes > (rule.bodyBytesMax ?? 0)) {
    return refuse("body", `a body of ${bodyBytes} bytes, at most ${rule.bodyBytesMax ?? 0}`);
  }
  return { origin, rule, method: head.method, target, bodyBytes };
}

/** The length of the body, from the one header that may say it: two ways to say it are how requests are smuggled. */
function readFraming(head: RequestHead): number | Refusal {
  const lengths = valuesOf(head, "content-length");
  if (valuesOf(head, "transfer-encoding").length > 0) {
    return refuse("framing", "Transfer-Encoding is not accepted; state a Content-Length");
  }
  const [length = "0"] = lengths;
  if (lengths.length > 1 || !/^(?:0|[1-9][0-9]{0,10})$/.test(length)) {
    return refuse("framing", "expected at most one Content-Length, in plain digits");
  }
  return Number(length);
}

function findUpgrade(head: RequestHead): Refusal | undefined {
  if (UPGRADES.some((name) => valuesOf(head, name).length > 0)) {
    return refuse("upgrade", "a switch to another protocol (WebSocket, h2c) is not allowed");
  }
  const wishes = valuesOf(head, "connection").flatMap((value) => value.toLowerCase().split(","));
  if (!wishes.every((wish) => /^(?:keep-alive|close|te)$/.test(wish.trim()))) {
    return refuse("upgrade", "Connection may say keep-alive or close, nothing else");
  }
  return undefined;
}

function findForeignHost(head: RequestHead, origin: Origin): Refusal | undefined {
  const named = valuesOf(head, "host");
  const [name] = named;
  if (named.length === 1 && name !== undefined && namesOrigin(name, origin)) return undefined;
  return refuse("host-header", `expected one Host header that names ${origin.host}`);
}

function namesOrigin(value: string, { scheme, host, port }: Origin): boolean {
  const name = value.toLowerCase();
  const isDefault = port === (scheme === "https" ? 443 : 80);
  return name === `${host}:${port}` || (isDefault && name === host);
}

function findMethod({ method }: RequestHead, origin: Origin, rules: RuleSet): Refusal | undefined {
  if (method === "CONNECT") return refuse("tunnel", "a connection inside a connection");
  const listed = rules.rulesFor(origin.scheme, origin.host, origin.port);
  const may = [...new Set(listed.flatMap((rule) => rule.methods))];
  if (may.some((one) => one === method)) return undefined;
  return refuse("method", `only ${may.join(" and ")} at ${origin.host}`);
}
