import { expect, test } from "vitest";
import { ask, HOST, openTls, openWorld, refusedBy, talk, type World } from "./world.ts";

const raw = async (world: World, bytes: string) => talk(await openTls(world), bytes);
const withHeaders = (world: World, ...headers: string[]) => ask(world, "/left-pad", { headers });

test("every method but GET and HEAD is refused, WebDAV included", async () => {
  const world = await openWorld();
  const methods = "POST PUT PATCH DELETE OPTIONS TRACE MKCOL PROPFIND REPORT BATCH UPLOAD LOCK get";
  for (const method of methods.split(" ")) {
    const answer = await ask(world, "/left-pad", { method });
    expect([method, refusedBy(answer)]).toEqual([method, "method"]);
  }
  expect(world.seen).toEqual([]);
  expect(world.log.every(({ verdict }) => verdict === "refused")).toBe(true);
});

test("a HEAD is answered without a body", async () => {
  const world = await openWorld();
  const answer = await ask(world, "/left-pad", { method: "HEAD" });
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).not.toContain("hello");
});

test("a body is refused with GET", async () => {
  const world = await openWorld();
  const answer = await ask(world, "/left-pad", { headers: ["Content-Length: 6"], body: "secret" });
  expect(refusedBy(answer)).toBe("body");
  expect(world.seen).toEqual([]);
});

test("CONNECT inside CONNECT is refused: nothing is tunnelled", async () => {
  const world = await openWorld();
  const name = `${HOST}:${world.port}`;
  const answer = await raw(world, `CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
  expect(refusedBy(answer)).toBe("tunnel");
});

test("a Host header that names another host, or none, or two, is refused", async () => {
  const world = await openWorld();
  const host = `${HOST}:${world.port}`;
  for (const headers of [
    "Host: evil.example.org",
    `Host: ${HOST}`,
    `Host: ${host}\r\nHost: evil.example.org`,
    `Host: ${host}\r\nHost: ${host}`,
    "Accept: */*",
    `Host: ${host}, evil.example.org`,
    "Host:",
  ]) {
    const answer = await raw(world, `GET /left-pad HTTP/1.1\r\n${headers}\r\n\r\n`);
    expect([headers, refusedBy(answer)]).toEqual([headers, "host-header"]);
  }
});

test("a WebSocket upgrade is refused", async () => {
  const world = await openWorld();
  const lines = ["Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  expect(refusedBy(await withHeaders(world, ...lines))).toBe("upgrade");
  expect(refusedBy(await withHeaders(world, "Connection: Upgrade"))).toBe("upgrade");
});

test("an h2c upgrade and the preface of HTTP/2 are refused", async () => {
  const world = await openWorld();
  expect(refusedBy(await withHeaders(world, "Upgrade: h2c"))).toBe("upgrade");
  expect(refusedBy(await withHeaders(world, "HTTP2-Settings: AAMAAABk"))).toBe("upgrade");
  expect(refusedBy(await raw(world, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))).toBe("malformed");
});

test("an upstream that answers with another protocol is cut off", async () => {
  const world = await openWorld({
    answer: (request) =>
      request.socket.end(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      ),
  });
  expect(refusedBy(await ask(world, "/left-pad"))).toBe("upgrade");
});

test("two ways to state a length are refused, so nothing is smuggled", async () => {
  const world = await openWorld();
  for (const headers of [
    ["Content-Length: 0", "Transfer-Encoding: chunked"],
    ["Transfer-Encoding: chunked"],
    ["Transfer-Encoding: identity"],
    ["Transfer-Encoding: xchunked"],
    ["Content-Length: 0", "Content-Length: 0"],
    ["Content-Length: 0, 0"],
    ["Content-Length: +0"],
    ["Content-Length: 0x0"],
    ["Content-Length: 00"],
    ["Content-Length:"],
  ]) {
    const answer = await withHeaders(world, ...headers);
    expect([headers, refusedBy(answer)]).toEqual([headers, "framing"]);
  }
  expect(world.seen).toEqual([]);
});

test("lines that two readers could read differently are refused", async () => {
  const world = await openWorld();
  const host = `Host: ${HOST}:${world.port}`;
  for (const bytes of [
    `GET /left-pad HTTP/1.1\n${host}\n\n\r\n\r\n`,
    `GET /left-pad HTTP/1.1\r\n${host}\r\nX: a\r\n folded\r\n\r\n`,
    `GET /left-pad HTTP/1.1\r\n${host}\r\nTransfer-Encoding : chunked\r\n\r\n`,
    `GET /left-pad HTTP/1.1\r\n${host}\r\nX: a\rY: b\r\n\r\n`,
    `GET /left-pad HTTP/1.1\r\n${host}\r\nX: a\0\r\n\r\n`,
    `GET  /left-pad HTTP/1.1\r\n${host}\r\n\r\n`,
    `GET /left-pad\tHTTP/1.1\r\n${host}\r\n\r\n`,
    `GET /left-pad HTTP/1.0\r\n${host}\r\n\r\n`,
    `GET /left-pad HTTP/1.1 \r\n${host}\r\n\r\n`,
    `GET /left-pad\r\n${host}\r\n\r\n`,
    `\r\nGET /left-pad HTTP/1.1\r\n${host}\r\n\r\n`,
    `GET /left-pad HTTP/1.1\r\n${host}\r\n: nameless\r\n\r\n`,
  ]) {
    expect([bytes, refusedBy(await raw(world, bytes))]).toEqual([bytes, "malformed"]);
  }
  expect(world.seen).toEqual([]);
});

test("a head with too many bytes or too many headers is refused", async () => {
  const world = await openWorld();
  expect(refusedBy(await withHeaders(world, `X: ${"a".repeat(20_000)}`))).toBe("head-size");
  const many = Array.from({ length: 70 }, (_, at) => `X-${at}: 1`);
  expect(refusedBy(await withHeaders(world, ...many))).toBe("head-size");
});

test("bytes behind a request are the next request, never a body", async () => {
  const world = await openWorld();
  const first = `GET /left-pad HTTP/1.1\r\nHost: ${HOST}:${world.port}\r\n\r\n`;
  const answer = await raw(world, `${first}secret data\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(refusedBy(answer)).toBe("malformed");
  expect(world.seen.map(({ body }) => body)).toEqual([""]);
});

test("a whole URL, a star or a path without a slash inside TLS is refused", async () => {
  const world = await openWorld();
  const urls = [
    `https://${HOST}/left-pad`,
    "http://evil.example.org/",
    "*",
    "left-pad",
    "//evil/x",
  ];
  for (const url of [...urls, "/left-pad#part", "/a//b", "/./left-pad", "/x/..", "/a\\b", "/%00"]) {
    expect([url, refusedBy(await ask(world, url))]).toEqual([url, "url-form"]);
  }
  for (const url of ["/%2e%2e", "/%252e", "/left%zz", "/%", "/a%2fb", "/%c0%af", "/{x}", '/"x"']) {
    expect([url, refusedBy(await ask(world, url))]).toEqual([url, "url-form"]);
  }
});

test("an over-long URL is refused", async () => {
  const world = await openWorld();
  const long = `/${"pad-".repeat(300)}`;
  expect(refusedBy(await ask(world, long))).toBe("url-length");
});

test("a query that the rule does not spell out is refused", async () => {
  const world = await openWorld({ rules: [{ queries: ["write=false"] }] });
  expect(await ask(world, "/left-pad?write=false")).toMatch(/^HTTP\/1\.1 200/);
  expect(refusedBy(await ask(world, "/left-pad?write=true"))).toBe("path-not-listed");
  expect(refusedBy(await ask(world, "/left-pad?"))).toBe("path-not-listed");
});

test("a URL that carries encoded data is refused, a hash where the rule expects one is not", async () => {
  const world = await openWorld();
  for (const path of [
    "/c2VjcmV0IGtleSBmcm9tIHRoZSBlbnY",
    "/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "/a-2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b/-/a.tgz",
    "/ghp_x8Kq2LmN0pQr5TuVwXyZ1aBcDeF3GhIjKl4M",
    "/files/9f86d081884c7d659a2feaa0c55ad015a3bf/c2VjcmV0IGtleSBmcm9tIHRoZSBlbnY",
    "/jbswy3dpeblw64tmmqqq0a5hg4y7ztm2",
  ]) {
    expect([path, refusedBy(await ask(world, path))]).toEqual([path, "url-entropy"]);
  }
  for (const path of [
    "/files/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08/pad.tgz",
    "/babel-plugin-transform-es2015-modules-commonjs/-/babel-plugin-transform-es2015-modules-commonjs-6.26.2.tgz",
    "/@types%2fbabel__helper-plugin-utils",
    "/@typescript-eslint/eslint-plugin-tslint",
    "/x/-/x-0.0.0-experimental-4d186b4f-20260101.tgz",
  ]) {
    expect([path, (await ask(world, path)).slice(0, 12)]).toEqual([path, "HTTP/1.1 200"]);
  }
});

test("what the inside sends in headers does not get out", async () => {
  const world = await openWorld();
  await withHeaders(
    world,
    "Cookie: id=secret",
    "Authorization: Bearer secret",
    "X-Data: secret",
    "User-Agent: secret",
    "Referer: secret",
    "If-None-Match: secret",
    "Accept: application/c2VjcmV0IGtleSBmcm9tIHRoZSBlbnY",
    "Accept-Encoding: gzip, secret",
    "Range: bytes=0-9",
  );
  expect(world.seen).toHaveLength(1);
  expect(JSON.stringify(world.seen)).not.toMatch(/secret|c2VjcmV0/);
  expect(world.seen[0]?.headers).toMatchObject({
    accept: "*/*",
    "accept-encoding": "identity",
    range: "bytes=0-9",
  });
});

test("answers come in without cookies and challenges", async () => {
  const world = await openWorld({
    answer: (_request, response) => {
      response.writeHead(200, { "set-cookie": "id=1", "www-authenticate": "Basic", etag: '"1"' });
      response.end("hello");
    },
  });
  const answer = await ask(world, "/left-pad", {});
  expect(answer).toMatch(/etag: "1"/);
  expect(answer).not.toMatch(/set-cookie|www-authenticate/i);
});

test("a URL that the secret scanner knows is refused", async () => {
  const world = await openWorld({ proxy: { findSecret: (url) => url.includes("correct-horse") } });
  expect(refusedBy(await ask(world, "/correct-horse"))).toBe("secret");
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
  expect(world.seen.map(({ url }) => url)).toEqual(["/left-pad"]);
});
