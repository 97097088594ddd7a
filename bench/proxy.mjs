// A download of 50 MB through the egress proxy against the same download by direct TLS. Registry,
// proxy and client are processes of their own, as they are in a real run.
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { fileURLToPath } from "node:url";
import { createRunAuthority, EgressProxy } from "../dist/egress/index.js";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

const HOST = "registry.example.org";
const BYTES = 50 * 2 ** 20;
const HOUR_MS = 3_600_000;
const ALPN = { ALPNProtocols: ["http/1.1"] };
const ROLE = "SWORN_BENCH_ROLE";
const REQUEST = (port) =>
  `GET /large HTTP/1.1\r\nHost: ${HOST}:${port}\r\nConnection: close\r\n\r\n`;

const ROLES = { registry: serveRegistry, proxy: serveProxy };
const role = ROLES[process.env[ROLE]];
if (role) process.once("message", (told) => void role(told));
else await runAlone(import.meta.url, measure);

/** A registry with one large file; its authority is made here, because keys stay in one process. */
async function serveRegistry() {
  const authority = await createRunAuthority({ validForMs: HOUR_MS, hosts: [HOST] });
  const SNICallback = (name, done) => {
    void authority.contextFor(name).then((context) => done(null, context), done);
  };
  const piece = Buffer.alloc(65_536, "sworn");
  const server = createServer({ SNICallback }, (_request, response) => {
    response.writeHead(200, { "content-length": String(BYTES) });
    let left = BYTES / piece.length;
    const send = () => {
      while (left > 0 && response.write(piece)) left -= 1;
      if (left > 0) response.once("drain", send);
      else response.end();
      left -= 1;
    };
    send();
  });
  server.listen(0, "127.0.0.1", () => {
    process.send({ port: server.address().port, pem: authority.certificatePem });
  });
}

async function serveProxy({ port, pem, socketFolder }) {
  const ca = await createRunAuthority({ validForMs: HOUR_MS, hosts: [HOST] });
  const paths = ["/large"];
  const rule = { name: "bench", scheme: "https", host: HOST, port, methods: ["GET"], paths };
  const proxy = EgressProxy.start({
    socketFolder,
    rules: [{ ...rule, allowPrivate: true }],
    ca,
    budget: { bytesIn: 2 ** 40, bytesOut: 2 ** 30 },
    resolve: async () => ["127.0.0.1"],
    extraAuthorities: [pem],
    onLog: () => undefined,
  });
  await proxy.attach();
  process.send({ path: proxy.socketPath, pem: ca.certificatePem });
}

/** Starts a part of the measurement and waits for its first message. */
async function startPart(name, told) {
  const child = fork(fileURLToPath(import.meta.url), [], {
    env: { ...process.env, [ROLE]: name },
  });
  const ready = new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  child.send(told);
  return { child, ready: await ready };
}

/** Connections for the two ways, made as a client makes them. */
function directSocket({ port, pem }) {
  return connectTls({ host: "127.0.0.1", port, servername: HOST, ca: pem, ...ALPN });
}

async function proxiedSocket({ port }, { path, pem }) {
  const raw = connect({ path });
  raw.write(`CONNECT ${HOST}:${port} HTTP/1.1\r\nHost: ${HOST}:${port}\r\n\r\n`);
  await new Promise((resolve) => raw.once("data", resolve));
  return connectTls({ socket: raw, servername: HOST, ca: pem, ...ALPN });
}

/** As package managers do it: the answer is read by an HTTP client and held against its hash. */
function downloadChecked(socket, port) {
  return new Promise((resolve, reject) => {
    const headers = { host: `${HOST}:${port}`, connection: "close" };
    const asked = request({ createConnection: () => socket, path: "/large", headers });
    asked.once("error", reject);
    asked.once("response", (answer) => {
      const hash = createHash("sha512");
      let bytes = 0;
      answer.on("data", (chunk) => {
        bytes += chunk.length;
        hash.update(chunk);
      });
      answer.once("end", () => {
        hash.digest("base64");
        if (bytes === BYTES) resolve();
        else reject(new Error(`${bytes} bytes came, expected ${BYTES}`));
      });
    });
    asked.end();
  });
}

/** Bytes that are thrown away: nothing but TLS, the hardest comparison. */
function downloadBare(socket, port) {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    socket.once("error", reject);
    socket.once("close", () =>
      bytes > BYTES ? resolve() : reject(new Error(`${bytes} bytes came, expected ${BYTES}`)),
    );
    socket.write(REQUEST(port));
  });
}

/** Both ways in turns, as throughput. */
async function compareWays(download, { registry, proxy, rounds }) {
  const { port } = registry;
  const times = await alternate(
    {
      bare: () => timed(() => download(directSocket(registry), port)),
      ours: () => timed(async () => download(await proxiedSocket(registry, proxy), port)),
    },
    { rounds, warmUp: 2 },
  );
  const rates = (list) => list.map((ms) => BYTES / 2 ** 20 / (ms / 1_000));
  return { ours: rates(times.ours), bare: rates(times.bare), unit: "MiB/s" };
}

async function measure({ rounds = "7" }) {
  const socketFolder = mkdtempSync(join(tmpdir(), "sworn-bench-"));
  const parts = [];
  try {
    const registry = await startPart("registry", {});
    parts.push(registry);
    const proxy = await startPart("proxy", { ...registry.ready, socketFolder });
    parts.push(proxy);
    const world = { registry: registry.ready, proxy: proxy.ready, rounds: Number(rounds) };
    const checked = await compareWays(downloadChecked, world);
    const bare = await compareWays(downloadBare, world);
    const names = ["50 MB fetched and checked", "50 MB thrown away unread"];
    return [
      compare({ name: `${names[0]}: through the proxy / direct TLS`, ...checked, least: 0.6 }),
      compare({ name: `${names[1]}: through the proxy / direct TLS`, ...bare }),
    ];
  } finally {
    for (const { child } of parts) child.kill();
    rmSync(socketFolder, { recursive: true, force: true });
  }
}
