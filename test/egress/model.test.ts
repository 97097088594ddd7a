import { expect, test } from "vitest";
import { modelAccess } from "../../src/egress/index.ts";
import {
  ask,
  HOST,
  openTls,
  openWorld,
  refusedBy,
  requestBytes,
  talk,
  type World,
  type WorldOptions,
} from "./world.ts";

const CREDENTIAL = { placeholder: "placeholder", secret: "real-credential" };
const FRONT_PORT = 3_129;

function openModel(options: WorldOptions = {}): Promise<World> {
  const { rules } = modelAccess(`https://${HOST}/v1/`, FRONT_PORT, CREDENTIAL);
  // The port is upstream's, which the world fills in.
  return openWorld({ rules: rules.map(({ port: _port, ...rule }) => rule), ...options });
}

const post = (body: string, ...headers: string[]) => ({
  method: "POST",
  headers: ["Content-Type: application/json", `Content-Length: ${body.length}`, ...headers],
  body,
});

test("a model is asked with a body, and the proxy's credential replaces the placeholder", async () => {
  const world = await openModel();
  const placeholder = ["Authorization: Bearer placeholder", "X-Api-Key: mine", "Cookie: a=b"];
  const answer = await ask(world, "/v1/messages?beta=true", post('{"n":1}', ...placeholder));
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  expect(world.seen).toMatchObject([
    { method: "POST", url: "/v1/messages?beta=true", body: '{"n":1}' },
  ]);
  expect(world.seen[0]?.headers.authorization).toBe("Bearer real-credential");
  expect(world.seen[0]?.headers["x-api-key"]).toBeUndefined();
  expect(JSON.stringify(world.seen)).not.toContain("placeholder");
  expect(JSON.stringify(world.log)).not.toContain("real-credential");
});

test("paths outside the prefix, other methods and smuggled bodies are refused", async () => {
  const world = await openModel();
  expect(refusedBy(await ask(world, "/v2/messages", post("{}")))).toBe("path-not-listed");
  expect(refusedBy(await ask(world, "/v1/../admin", post("{}")))).toBe("url-form");
  expect(refusedBy(await ask(world, "/v1/files", { method: "PUT" }))).toBe("method");
  const twice = { ...post("{}"), headers: ["Content-Length: 2", "Transfer-Encoding: chunked"] };
  expect(refusedBy(await ask(world, "/v1/messages", twice))).toBe("framing");
  const get = { ...post("{}"), method: "GET" };
  expect(refusedBy(await ask(world, "/v1/models", get))).toBe("body");
  expect(world.seen).toEqual([]);
});

test("a body beyond the limit is refused before it is read", async () => {
  const world = await openModel();
  const headers = ["Content-Length: 99999999999"];
  const answer = await ask(world, "/v1/messages", { method: "POST", headers });
  expect(refusedBy(answer)).toBe("body");
});

test("a body counts against the budget of outgoing bytes", async () => {
  const world = await openModel({ proxy: { budget: { bytesIn: 10_000, bytesOut: 1_000 } } });
  expect(refusedBy(await ask(world, "/v1/messages", post("x".repeat(2_000))))).toBe("budget");
  expect(world.seen).toEqual([]);
});

test("a model's redirect is never followed: it would carry the body elsewhere", async () => {
  const world = await openModel({
    answer: (_request, response) => response.writeHead(307, { location: "/v1/other" }).end(),
  });
  expect(refusedBy(await ask(world, "/v1/messages", post("{}")))).toBe("redirect");
});

test("an answer that comes in pieces is passed on piece by piece", async () => {
  let release: () => void = () => undefined;
  const world = await openModel({
    answer: (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      release = () => response.end("data: 2\n\n");
    },
  });

  const socket = await openTls(world);
  let text = "";
  const first = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      text += String(chunk);
      if (text.includes("data: 1")) resolve();
    });
  });
  socket.write(requestBytes(world, "/v1/messages", post("{}")));
  await first;
  expect(text).not.toContain("data: 2");
  release();
  await new Promise((resolve) => socket.once("close", resolve));
  expect(text).toContain("data: 2");
});

test("an answer before the end of the body leaves nothing that could be read as a request", async () => {
  const world = await openModel();
  const hidden = `GET /v1/hidden HTTP/1.1\r\nHost: ${HOST}:${world.port}\r\n\r\n`;
  const headers = ["Content-Length: 2", "Content-Type: application/json"];
  const bytes = requestBytes(world, "/v1/messages", {
    method: "POST",
    headers,
    body: `{}${hidden}`,
  });
  const answer = await talk(await openTls(world), bytes.replace("Connection: close\r\n", ""));
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  expect(world.seen.map(({ url, body }) => [url, body])).toEqual([["/v1/messages", "{}"]]);
});

test("a body that comes slowly is given its time as long as it comes", async () => {
  const world = await openWorld({
    rules: [{ methods: ["POST"], paths: ["/v1/**"], bodyBytesMax: 10 }],
    proxy: { limits: { stallMs: 1_000 } },
  });
  const socket = await openTls(world);
  const headers = ["Content-Length: 6"];
  const ended = talk(socket, requestBytes(world, "/v1/messages", { method: "POST", headers }));
  let sent = 0;
  const timer = setInterval(() => {
    socket.write("x");
    sent += 1;
    if (sent === 6) clearInterval(timer);
  }, 300);
  expect(await ended).toMatch(/^HTTP\/1\.1 200/);
  expect(world.seen.map(({ body }) => body)).toEqual(["xxxxxx"]);
});

test("a model may think for longer than a registry", async () => {
  const world = await openModel({
    answer: (_request, response) => void setTimeout(() => response.end("thought"), 800),
    proxy: { limits: { stallMs: 100 } },
  });
  expect(await ask(world, "/v1/messages", post("{}"))).toContain("thought");
});

const frontAsk = async (world: World, path: string, host: string, ...headers: string[]) =>
  talk(
    await world.dial(),
    `${[`POST ${path} HTTP/1.1`, `Host: ${host}`, "Content-Length: 2", "Connection: close", ...headers].join("\r\n")}\r\n\r\n{}`,
  );

/** A plain model, as one on the user's own machine is, and a proxy that stands for it. */
async function openFront(): Promise<World> {
  const made = (port: number) => modelAccess(`http://127.0.0.1:${port}/v1`, FRONT_PORT, CREDENTIAL);
  let front: ReturnType<typeof made>["front"] | undefined;
  const world = await openWorld({
    isPlain: true,
    rules: (port) => {
      const access = made(port);
      front = access.front;
      return access.rules;
    },
    proxy: {
      get front() {
        return front;
      },
    },
  });
  return world;
}

test("a program that knows no proxies takes the proxy for its model", async () => {
  const world = await openFront();
  const answer = await frontAsk(
    world,
    "/v1/messages",
    `127.0.0.1:${FRONT_PORT}`,
    "X-Api-Key: placeholder",
    "Api-Key: something else",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  expect(world.seen).toMatchObject([{ method: "POST", url: "/v1/messages", body: "{}" }]);
  const { headers } = world.seen[0] ?? {};
  expect(headers?.["x-api-key"]).toBe("real-credential");
  expect(headers?.["api-key"]).toBeUndefined();
  expect(headers?.host).toBe(`localhost:${world.port}`);
  expect(world.log).toMatchObject([{ host: "localhost", verdict: "allowed", rule: "model" }]);
});

test("a client is told that its connection ends, so that it sends nothing more into it", async () => {
  const world = await openFront();
  const bytes = `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${FRONT_PORT}\r\nContent-Length: 2\r\n\r\n{}`;
  const answer = await talk(await world.dial(), bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 200[\s\S]*\r\nconnection: close\r\n/i);
});

test("the front leads to the model's paths alone, under its own name alone", async () => {
  const world = await openFront();
  const asked = (path: string, host = `127.0.0.1:${FRONT_PORT}`) => frontAsk(world, path, host);
  expect(refusedBy(await asked("/admin"))).toBe("path-not-listed");
  expect(refusedBy(await asked("/v1/../admin"))).toBe("url-form");
  expect(refusedBy(await asked("/v1/messages", "evil.example.org"))).toBe("host-header");
  expect(refusedBy(await asked("/v1/messages", `localhost:${world.port}`))).toBe("host-header");
  expect(refusedBy(await asked("http://evil.example.org/v1/messages"))).toBe("plain-http");
  expect(world.seen).toEqual([]);
});

test("without a front, a path alone leads nowhere", async () => {
  const world = await openModel();
  const answer = await frontAsk(world, "/v1/messages", `127.0.0.1:${FRONT_PORT}`);
  expect(refusedBy(answer)).toBe("url-form");
});

test.each([
  "https://user:pass@models.example.org/",
  "https://models.example.org/?key=1",
  "http://models.example.org/",
])("%s is no endpoint that a credential could go to", (endpoint) => {
  expect(() => modelAccess(endpoint, FRONT_PORT, CREDENTIAL)).toThrow(/^((?!pass@).)*$/);
});
