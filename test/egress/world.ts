import { mkdtempSync, rmSync } from "node:fs";
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ConnectionOptions,
  connect as connectTls,
  type TLSSocket,
  type TlsOptions,
} from "node:tls";
import { onTestFinished } from "vitest";
import {
  createRunAuthority,
  type EgressLogLine,
  type EgressOptions,
  EgressProxy,
  type EgressRule,
  type RunAuthority,
} from "../../src/egress/index.ts";

export const HOST = "registry.example.org";
/** Longer than any test, the hour of fuzzing included. */
const AUTHORITY_MS = 3 * 3_600_000;

/** What upstream saw of a request. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface World {
  readonly proxy: EgressProxy;
  readonly log: EgressLogLine[];
  readonly seen: Seen[];
  readonly authority: RunAuthority;
  readonly port: number;
  /** The socket as the inside reaches it. */
  dial(): Promise<Socket>;
}

type Rules = readonly Partial<EgressRule>[];

export interface WorldOptions {
  /** Each with what differs from the usual rule; made once upstream's port is known, where they need it. */
  readonly rules?: Rules | ((port: number) => Rules);
  readonly hosts?: readonly string[];
  readonly answer?: Answer;
  readonly proxy?: Partial<EgressOptions>;
  /** The authority of upstream's certificate; one that the proxy trusts unless given. */
  readonly upstreamAuthority?: RunAuthority;
  readonly certificateFor?: string;
  readonly isPlain?: boolean;
  readonly tls?: TlsOptions;
}

/** A rule for the test's registry. */
export function ruleFor(port: number, rule: Partial<EgressRule> = {}): EgressRule {
  return {
    name: "npm",
    scheme: "https",
    host: HOST,
    port,
    methods: ["GET", "HEAD"],
    paths: ["/*", "/@*/*", "/*/-/*.tgz", "/files/#/*"],
    allowPrivate: true,
    ...rule,
  };
}

/** A folder of its own, closed to others. */
export function closedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sworn-egress-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A registry on loopback and a proxy in front of it, attached. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const hosts = options.hosts ?? [HOST];
  const trusted = await createRunAuthority({ validForMs: AUTHORITY_MS, hosts });
  const { port, seen } = await openUpstream(options, options.upstreamAuthority ?? trusted);
  const authority = await createRunAuthority({ validForMs: AUTHORITY_MS, hosts });
  const { rules: given = [{}] } = options;
  const rules = typeof given === "function" ? given(port) : given;
  const log: EgressLogLine[] = [];
  const proxy = EgressProxy.start({
    socketFolder: closedFolder(),
    rules: rules.map((rule) => ruleFor(port, rule)),
    ca: authority,
    onLog: (line) => log.push(line),
    resolve: async () => ["127.0.0.1"],
    extraAuthorities: [trusted.certificatePem],
    ...options.proxy,
  });
  onTestFinished(() => proxy.close());
  await proxy.attach();
  return { proxy, log, seen, authority, port, dial: () => dialSocket(proxy.socketPath) };
}

async function openUpstream(options: WorldOptions, authority: RunAuthority) {
  const seen: Seen[] = [];
  const answer: Answer = options.answer ?? ((_request, response) => response.end("hello"));
  const onRequest: Answer = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  };
  const server = options.isPlain
    ? createPlainServer(onRequest)
    : createServer(
        {
          ...options.tls,
          SNICallback: (name, done) => {
            authority.contextFor(options.certificateFor ?? name).then(
              (context) => done(null, context),
              (error: Error) => done(error),
            );
          },
        },
        onRequest,
      );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { port: (server.address() as AddressInfo).port, seen };
}

/** Connects to a unix socket. */
export function dialSocket(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    socket.once("connect", () => resolve(socket));
    socket.on("error", reject);
  });
}

/** All that comes until the other side closes; what is written goes first. */
export function talk(socket: Socket, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.write(bytes);
  });
}

/** What the proxy says to one CONNECT and what follows it in the clear. */
export async function askConnect(world: World, bytes: string | Buffer): Promise<string> {
  return talk(await world.dial(), bytes);
}

/** Opens TLS through the proxy to a host; rejects when the handshake does not come about. */
export async function openTls(
  world: World,
  options: ConnectionOptions & { readonly authorityName?: string } = {},
): Promise<TLSSocket> {
  const raw = await world.dial();
  const name = options.authorityName ?? `${HOST}:${world.port}`;
  const head = await new Promise<string>((resolve, reject) => {
    raw.once("data", (chunk: Buffer) => resolve(chunk.toString("latin1")));
    raw.once("close", () => reject(new Error("closed before an answer")));
    raw.write(`CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
  });
  if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(head);
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      socket: raw,
      servername: HOST,
      ca: world.authority.certificatePem,
      ALPNProtocols: ["http/1.1"],
      ...options,
    });
    socket.once("secureConnect", () => resolve(socket));
    socket.on("error", reject);
    socket.once("close", () => reject(new Error("closed within the handshake")));
  });
}

/** The bytes of a plain request; the connection ends with it. */
export function requestBytes(
  world: World,
  path: string,
  { method = "GET", headers = [] as readonly string[], body = "" } = {},
): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${HOST}:${world.port}`, ...headers];
  return `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`;
}

/** One request through CONNECT and TLS; the whole answer as text. */
export async function ask(
  world: World,
  path: string,
  options: Parameters<typeof requestBytes>[2] = {},
): Promise<string> {
  return talk(await openTls(world), requestBytes(world, path, options));
}

/** The rule that refused, as an answer names it. */
export function refusedBy(answer: string): string | undefined {
  return /^x-sworn-refused: (.*)\r$/im.exec(answer)?.[1];
}

/** Waits until something is true; the test's own time limit ends it otherwise. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
