import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { EgressLogLine } from "../../egress/index.ts";
import type { Ground } from "./ground.ts";
import { type Attempt, fails, holds } from "./guarantee.ts";
import type { Product } from "./product.ts";

const HOST = "registry.example.org";
const PATH = "/left-pad";
const ANSWER_MS_MAX = 10_000;

/** Something inside sends data out over the one way that packages come in by. */
export const blockedPost: Attempt = {
  name: "a blocked POST",
  tried: "a POST of data to a registry that may be read; then a GET of a package",
  make: async (product, ground) => {
    const seen: string[] = [];
    const registry = createServer((asked, answer) => {
      seen.push(asked.method ?? "");
      asked.resume();
      answer.end("package");
    });
    await once(registry.listen(0, "127.0.0.1"), "listening");
    try {
      const { port } = registry.address() as AddressInfo;
      return await throughProxy(product, ground, port, seen);
    } finally {
      registry.closeAllConnections();
      await new Promise((done) => registry.close(done));
    }
  },
};

async function throughProxy(product: Product, ground: Ground, port: number, seen: string[]) {
  const socketFolder = join(ground.folder, "way");
  mkdirSync(socketFolder, { mode: 0o700 });
  const log: EgressLogLine[] = [];
  const proxy = product.openProxy({
    socketFolder,
    rules: [
      {
        ...{ name: "registry", scheme: "http", host: HOST, port, allowPrivate: true },
        methods: ["GET", "HEAD"],
        paths: ["/*"],
      },
    ],
    onLog: (line) => log.push(line),
    resolve: async () => ["127.0.0.1"],
  });
  try {
    await proxy.attach();
    const ask = (method: string, body?: string) =>
      askVia({ socketPath: proxy.socketPath, port, method, body }, ground.signal);
    const post = await ask("POST", "the project's source");
    const get = await ask("GET");
    if (get !== 200 || !seen.includes("GET")) return fails(`a GET is answered with ${get}`);
    if (seen.includes("POST")) return fails(`the POST arrived, and was answered with ${post}`);
    const { rule } = log.find(({ verdict }) => verdict === "refused") ?? {};
    if (rule !== "method") return fails(`the POST was answered with ${post}, for no known reason`);
    return holds(`${post}, refused by ${rule}; the registry saw the GET alone`);
  } finally {
    await proxy.close();
  }
}

interface Asked {
  readonly socketPath: string;
  readonly port: number;
  readonly method: string;
  readonly body: string | undefined;
}

/** One request over the proxy's socket; the status it is answered with. */
function askVia({ socketPath, port, method, body }: Asked, signal: AbortSignal): Promise<number> {
  const host = `${HOST}:${port}`;
  return new Promise((done, fail) => {
    const asking = request(
      {
        ...{ socketPath, method, path: `http://${host}${PATH}`, agent: false },
        headers: { Host: host, Connection: "close" },
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
      },
      (answer) => {
        answer.resume();
        answer.once("end", () => done(answer.statusCode ?? 0));
        answer.once("error", fail);
      },
    );
    asking.once("error", fail);
    asking.end(body);
  });
}
