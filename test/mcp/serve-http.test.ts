import { request } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { McpPeer, serveHttp } from "../../src/mcp/index.ts";
import { FIXTURE_OFFER } from "./conformance/fixture-offer.ts";

const TOKEN = "secret-of-the-test";
const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

async function served(port = 0) {
  const endpoint = await serveHttp(new McpPeer(FIXTURE_OFFER), { port, token: TOKEN });
  onTestFinished(() => endpoint.close());
  return endpoint;
}

/** One request with exactly these headers; fetch would put its own Host. */
function send(
  url: string,
  body: string | Buffer = PING,
  headers: Record<string, string | undefined> = {},
  more: { method?: string; path?: string } = {},
) {
  return new Promise<{ status: number; body: string; headers: object }>((resolve, reject) => {
    const given: Record<string, string | undefined> = {
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      ...headers,
    };
    const asked = request(url, {
      method: "POST",
      ...more,
      headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    });
    asked.on("error", reject);
    asked.on("response", (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          body: Buffer.concat(parts).toString(),
          headers: answer.headers,
        }),
      );
    });
    asked.end(body);
  });
}

test("a request with the token is answered on loopback alone", async () => {
  const { url } = await served();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const { status, body } = await send(url);
  expect([status, JSON.parse(body)]).toEqual([200, { jsonrpc: "2.0", id: 1, result: {} }]);
  const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
  expect(await send(url, initialized)).toMatchObject({ status: 202, body: "" });
  // Another address of this machine, where a server for all of them would answer.
  const elsewhere = url.replace("127.0.0.1", "127.0.0.2");
  await expect(send(elsewhere)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test.each([
  ["no token", { authorization: undefined }, 401],
  ["another token", { authorization: "Bearer secret-of-the-tesT" }, 401],
  ["a longer token", { authorization: `Bearer ${TOKEN}x` }, 401],
  ["another scheme", { authorization: `Basic ${TOKEN}` }, 401],
  ["a name that resolves to loopback", { host: "attacker.example.org" }, 403],
  ["our address without the port", { host: "127.0.0.1" }, 403],
  ["a page of another origin", { origin: "http://attacker.example.org" }, 403],
  ["a page without an origin to show", { origin: "null" }, 403],
  ["a page on another port", { origin: "http://localhost:1" }, 403],
  ["a form of a page", { "content-type": "text/plain" }, 415],
])("%s is refused before anything is read", async (_, headers, status) => {
  const { url } = await served();
  expect(await send(url, PING, headers)).toMatchObject({ status });
});

/** Sends this and no more; tells what came back when the other side ends it. */
function sendSlowly(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let told = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on("data", (part) => {
      told += part;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(told));
  });
}

test("whoever sends slowly keeps nobody out, and is not waited for", async () => {
  const patience = { headMs: 200, requestMs: 400, lookMs: 50 };
  const endpoint = await serveHttp(new McpPeer(FIXTURE_OFFER), { port: 0, token: TOKEN, patience });
  onTestFinished(() => endpoint.close());
  const { url } = endpoint;
  const head = [
    ...["POST /mcp HTTP/1.1", `Host: ${new URL(url).host}`, `Authorization: Bearer ${TOKEN}`],
    ...["Content-Type: application/json", "Content-Length: 100"],
  ];
  const bodies = Array.from({ length: 30 }, () => sendSlowly(url, `${head.join("\r\n")}\r\n\r\n{`));
  expect(await send(url)).toMatchObject({ status: 200 });
  const heads = Array.from({ length: 10 }, () => sendSlowly(url, "POST /mcp HTTP/1.1\r\n"));
  const all = await Promise.all([...bodies, ...heads]);
  expect(new Set(all.map((told) => told.slice(0, 12)))).toEqual(new Set(["HTTP/1.1 408"]));
});

test("our own names and origins are taken", async () => {
  const { url } = await served();
  const { port } = new URL(url);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
    expect(await send(url, PING, { host, origin: `http://${host}` })).toMatchObject({
      status: 200,
    });
  }
});

test("other methods and paths are not there, with the token or without", async () => {
  const { url } = await served();
  const { port } = new URL(url);
  const home = `http://127.0.0.1:${port}/`;
  for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) {
    expect(await send(url, "", {}, { method })).toMatchObject({ status: 405 });
  }
  expect(await send(home)).toMatchObject({ status: 404 });
  expect(await send(`${url}/../admin`, PING, {}, { path: "/mcp/../admin" })).toMatchObject({
    status: 404,
  });
});

test.each([
  ["no JSON", "{", 400],
  ["bytes that are no text", Buffer.from([0x22, 0xff, 0x22]), 400],
  ["endless depth", `${"[".repeat(10_000)}${"]".repeat(10_000)}`, 400],
  ["a body that is too long", Buffer.alloc((2 << 20) + 1, 0x20), 413],
])("%s is refused and the server goes on", async (_, body, status) => {
  const { url } = await served();
  expect(await send(url, body)).toMatchObject({ status });
  expect(await send(url)).toMatchObject({ status: 200 });
});

test("headers that say something else than the body are refused", async () => {
  const { url } = await served();
  const body = JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: {
      name: "test_simple_text",
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  });
  const right = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "test_simple_text",
  };
  expect(await send(url, body, right)).toMatchObject({ status: 200 });
  const encoded = `=?base64?${Buffer.from("test_simple_text").toString("base64")}?=`;
  expect(await send(url, body, { ...right, "mcp-name": encoded })).toMatchObject({ status: 200 });
  for (const wrong of [
    { "mcp-name": "test_error_handling" },
    { "mcp-name": undefined },
    { "mcp-method": "tools/list" },
    { "mcp-protocol-version": "2025-11-25" },
  ]) {
    const { status, body: answer } = await send(url, body, { ...right, ...wrong });
    expect([status, JSON.parse(answer).error.code]).toEqual([400, -32020]);
  }
  expect(await send(url, PING, { "mcp-protocol-version": "1999-01-01" })).toMatchObject({
    status: 400,
  });
});

test("a port that somebody has is named, and after the end nobody answers", async () => {
  const endpoint = await served();
  const port = Number(new URL(endpoint.url).port);
  await expect(served(port)).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringContaining(`port ${port} cannot be listened on`),
  });
  await endpoint.close();
  await expect(send(endpoint.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
