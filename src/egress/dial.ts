import { connect as connectPlain, type Socket, type TcpSocketConnectOpts } from "node:net";
import { connect as connectTls, type SecureContext, type TLSSocket } from "node:tls";
import type { AddressBook } from "./address-book.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import type { EgressRule } from "./rule.ts";
import { proxyTo, type UpstreamProxies, type UpstreamProxy } from "./upstream-proxy.ts";
import { UpstreamReader } from "./upstream-reader.ts";

/** What is needed to reach a host. */
export interface DialTools {
  readonly book: AddressBook;
  /** The authorities that upstream's certificates are checked against. */
  readonly trust: SecureContext;
  readonly proxies: UpstreamProxies;
  readonly timeoutMs: number;
}

/** A connection to upstream, and what reads it. */
export interface Connection {
  readonly socket: Socket;
  readonly reader: UpstreamReader;
}

const ADDRESSES_TRIED_MAX = 4;
const PROXY_HEAD_BYTES_MAX = 8_192;

/** Connects to a rule's host: to an address that was checked, with a certificate that was checked. */
export async function dial(rule: EgressRule, tools: DialTools): Promise<Connection | Refusal> {
  const proxy = proxyTo(rule, tools.proxies);
  if (proxy !== undefined) {
    const socket = await dialThrough(proxy, rule, tools);
    return isRefusal(socket) ? socket : connectionOf(socket, new UpstreamReader(), false);
  }
  const addresses = await tools.book.addressesOf(rule.host, rule.allowPrivate === true);
  if (isRefusal(addresses)) return addresses;
  let last: Refusal = refuse("upstream", `${rule.host} could not be reached`);
  for (const host of addresses.slice(0, ADDRESSES_TRIED_MAX)) {
    const reader = new UpstreamReader();
    const to = { host, port: rule.port, onread: reader.onread };
    const made =
      rule.scheme === "https"
        ? await secured(rule, tools, to)
        : await settled(connectPlain(to), "connect", rule, tools);
    if (!isRefusal(made)) return connectionOf(made, reader, true);
    last = made;
    // Another address of the same name must not be tried until one shows a certificate that suits.
    if (made.refused !== "upstream") return made;
  }
  return last;
}

function connectionOf(socket: Socket, reader: UpstreamReader, hasSlabs: boolean): Connection {
  reader.attach(socket, hasSlabs);
  return { socket, reader };
}

function secured(
  rule: EgressRule,
  { trust, timeoutMs }: DialTools,
  to: { readonly socket: Socket } | TcpSocketConnectOpts,
): Promise<TLSSocket | Refusal> {
  const socket = connectTls({
    ...to,
    servername: rule.host,
    secureContext: trust,
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
  });
  return settled(socket, "secureConnect", rule, { timeoutMs });
}

/** Waits for a connection to stand; whatever goes wrong is told in our words, never in upstream's. */
function settled<S extends Socket>(
  socket: S,
  event: "connect" | "secureConnect",
  rule: { readonly host: string },
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<S | Refusal> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(refuse("upstream", `${rule.host} did not answer within ${timeoutMs} ms`));
      socket.destroy();
    }, timeoutMs);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.setNoDelay(true);
      resolve(socket);
    });
    // Stays in place: an error after the connection stood is the reader's to notice by the close.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve(dialRefusal(rule.host, error.code ?? ""));
    });
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(refuse("upstream", `${rule.host} closed the connection`));
    });
  });
}

function dialRefusal(host: string, code: string): Refusal {
  if (/UNSUPPORTED_PROTOCOL|VERSION/.test(code)) {
    return refuse("tls-version", `${host} offers no TLS of version 1.2 or newer`);
  }
  if (/CERT|ISSUER|SIGNATURE|CHAIN|CRL|INVALID_CA|PURPOSE/.test(code)) {
    return refuse("certificate", `the certificate of ${host} does not hold (${code})`);
  }
  return refuse("upstream", `${host} could not be reached`);
}

/** Goes by way of the user's own proxy; the name is its to resolve, since it is on the user's side. */
async function dialThrough(
  proxy: UpstreamProxy,
  rule: EgressRule,
  tools: DialTools,
): Promise<Socket | Refusal> {
  const socket = await dialProxy(proxy, tools);
  if (isRefusal(socket) || rule.scheme === "http") return socket;
  const tunnel = await openTunnel(socket, proxy, rule, tools);
  return isRefusal(tunnel) ? tunnel : secured(rule, tools, { socket: tunnel });
}

function dialProxy(proxy: UpstreamProxy, tools: DialTools): Promise<Socket | Refusal> {
  const to = { host: proxy.host, port: proxy.port };
  const named = { host: "the user's proxy" };
  if (proxy.scheme === "http") return settled(connectPlain(to), "connect", named, tools);
  const socket = connectTls({ ...to, servername: proxy.host, secureContext: tools.trust });
  return settled(socket, "secureConnect", named, tools);
}

async function openTunnel(
  socket: Socket,
  proxy: UpstreamProxy,
  rule: EgressRule,
  tools: DialTools,
): Promise<Socket | Refusal> {
  const authority = `${rule.host}:${rule.port}`;
  const credentials = proxy.authorization && `Proxy-Authorization: ${proxy.authorization}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials ?? ""}\r\n`);
  const answer = await readProxyHead(socket, tools.timeoutMs);
  if (/^HTTP\/1\.[01] 2[0-9][0-9] /.test(answer)) return socket;
  socket.destroy();
  return refuse("upstream", `the user's proxy does not lead to ${rule.host}`);
}

function readProxyHead(socket: Socket, timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    let held = "";
    const done = (text: string) => {
      clearTimeout(timer);
      socket.off("readable", read).off("close", none);
      resolve(text);
    };
    const none = () => done("");
    const timer = setTimeout(none, timeoutMs);
    // Byte by byte, because what follows the head belongs to TLS.
    const read = () => {
      for (let byte = socket.read(1); byte !== null; byte = socket.read(1)) {
        held += (byte as Buffer).toString("latin1");
        if (held.endsWith("\r\n\r\n")) return done(held);
        if (held.length > PROXY_HEAD_BYTES_MAX) return none();
      }
    };
    socket.on("readable", read).once("close", none);
  });
}
