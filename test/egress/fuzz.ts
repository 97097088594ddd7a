import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import {
  generateAnswer,
  generateOpening,
  generateRequests,
  seededRandom,
} from "./request-generator.ts";
import { ask, dialSocket, HOST, openTls, openWorld, talk, until, type World } from "./world.ts";

/** All that may ever reach upstream, said in another way than the proxy says it. */
const NAME = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%(?:21|2b|2f|3a|3d|40|7e))+";
const PATHS = new RegExp(
  `^/(?:${NAME}|@${NAME}/${NAME}|${NAME}/-/${NAME}\\.tgz|files/[0-9a-f]+/${NAME})/?$`,
  "i",
);
const DOTS = /\/\.{1,2}(?:\/|$)/;
const HEADERS = new Set(["host", "user-agent", "accept", "accept-encoding", "range", "connection"]);

function holdsUpstream(world: World, seed: number): void {
  for (const { method, url, headers, body } of world.seen) {
    expect([seed, method]).toEqual([seed, expect.stringMatching(/^(?:GET|HEAD)$/)]);
    expect([seed, url]).toEqual([seed, expect.stringMatching(PATHS)]);
    expect([seed, url, DOTS.test(url)]).toEqual([seed, url, false]);
    expect([seed, body]).toEqual([seed, ""]);
    expect([seed, headers.host]).toEqual([seed, `${HOST}:${world.port}`]);
    expect([seed, Object.keys(headers).filter((name) => !HEADERS.has(name))]).toEqual([seed, []]);
    expect([seed, JSON.stringify(headers)]).not.toEqual([seed, expect.stringMatching("secret")]);
  }
}

/** What a client says first in TLS, to be tampered with. */
function clientHello(): Promise<Buffer> {
  return new Promise((resolve) => {
    const wire = new Duplex({ read: () => undefined, write: (bytes: Buffer) => resolve(bytes) });
    connectTls({ socket: wire, servername: HOST, ALPNProtocols: ["http/1.1"] });
  });
}

/** A connection that does not get as far as a request. */
async function knock(world: World, seed: number, hello: Buffer): Promise<number> {
  const socket = await dialSocket(world.proxy.socketPath);
  const ended = talk(socket, generateOpening(seed, { host: HOST, port: world.port, hello }));
  if (seed % 2 === 0) socket.end();
  else setTimeout(() => socket.destroy(), 50);
  await ended;
  return 1;
}

/**
 * One connection with a few generated requests on it, in the clear or inside TLS, whole or in pieces.
 *
 * @returns how many requests there were
 */
async function converse(world: World, seed: number): Promise<number> {
  const random = seededRandom(seed ^ 0x5eed);
  const requests = generateRequests(seed, `${HOST}:${world.port}`);
  const pieces = Array.from({ length: 1 + random(3) }, () => requests.next().value as Buffer);
  const bytes = Buffer.concat(pieces);
  const socket = await (random(4) === 0
    ? dialSocket(world.proxy.socketPath)
    : openTls(world)
  ).catch((cause: unknown) => {
    const last = world.log.slice(-8).map(({ verdict, rule }) => `${verdict} ${rule}`);
    throw new Error(`seed ${seed}: no connection; the log ends in ${last.join(", ")}`, { cause });
  });
  const cut = random(bytes.length + 1);
  const ended = talk(socket, bytes.subarray(0, cut));
  socket.write(bytes.subarray(cut));
  // Half of them hang up at once, the others after the proxy had the time to read everything.
  if (random(2) === 0) socket.end();
  else setTimeout(() => socket.destroy(), 50);
  await ended;
  return pieces.length;
}

/** What a time of fuzzing came to. Memory is what is left after collecting, early on and at the end. */
export interface Fuzzed {
  readonly connections: number;
  readonly requests: number;
  /** How many reached upstream, each of them by a rule. */
  readonly passed: number;
  /** The longest that one connection took, from its opening to its close. */
  readonly slowestMs: number;
  readonly heapEarlyBytes: number;
  readonly heapEndBytes: number;
  readonly rssEarlyBytes: number;
  readonly rssEndBytes: number;
}

/** Before this part of the time, memory is still being warmed up. */
const EARLY_SHARE = 0.05;

function collectGarbage(): NodeJS.MemoryUsage {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage();
}

/**
 * Throws generated requests at a proxy for a time. Whatever comes, upstream sees only what a rule
 * allows, the proxy goes on, and no connection is left over.
 */
export async function fuzzFor(ms: number, firstSeed: number): Promise<Fuzzed> {
  let answers = firstSeed;
  let isHonest = false;
  const hello = await clientHello();
  const world = await openWorld({
    answer: (request, response) => {
      answers += 1;
      if (isHonest || answers % 3 === 0) return void response.end("hello");
      const bytes = generateAnswer(answers);
      // Some leave the connection open without another word.
      if (answers % 16 === 0) request.socket.write(bytes);
      else request.socket.end(bytes);
    },
    proxy: {
      budget: { bytesIn: 2 ** 40, bytesOut: 2 ** 40 },
      // Longer than a busy machine takes for a handshake: whoever is cut before it is a finding.
      limits: { logLinesMax: 2 ** 40, headMs: 5_000, idleMs: 5_000, stallMs: 1_000 },
    },
  });
  const begun = performance.now();
  let early: NodeJS.MemoryUsage | undefined;
  let seed = firstSeed;
  let requests = 0;
  let passed = 0;
  let slowestMs = 0;
  while (performance.now() < begun + ms) {
    const batch = Array.from({ length: 8 }, () => seed++);
    const opened = performance.now();
    const counts = await Promise.all(
      batch.map((one) => (one % 5 === 0 ? knock(world, one, hello) : converse(world, one))),
    );
    slowestMs = Math.max(slowestMs, performance.now() - opened);
    requests += counts.reduce((sum, count) => sum + count, 0);
    passed += world.seen.length;
    holdsUpstream(world, batch[0] ?? 0);
    world.seen.length = 0;
    world.log.length = 0;
    if (performance.now() > begun + ms * EARLY_SHARE) early ??= collectGarbage();
  }
  isHonest = true;
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
  await until(() => world.proxy.connectionCount === 0);
  const end = collectGarbage();
  early ??= end;
  return {
    connections: seed - firstSeed,
    requests,
    passed,
    slowestMs: Math.round(slowestMs),
    heapEarlyBytes: early.heapUsed + early.external,
    heapEndBytes: end.heapUsed + end.external,
    rssEarlyBytes: early.rss,
    rssEndBytes: end.rss,
  };
}
