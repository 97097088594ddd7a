import { expect, test } from "vitest";
import { modelRules } from "../../src/egress/index.ts";
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

const SECRET = "Bearer real-credential";

function openModel(options: WorldOptions = {}): Promise<World> {
  const [rule] = modelRules({
    host: HOST,
    pathPrefix: "/v1/",
    header: "Authorization",
    secret: SECRET,
    queries: ["beta=true"],
    allowPrivate: true,
  });
  // The port is upstream's, which the world fills in.
  const { port: _port, ...rest } = rule ?? { port: 0 };
  return openWorld({ rules: [rest], ...options });
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
  expect(world.seen[0]?.headers.authorization).toBe(SECRET);
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
