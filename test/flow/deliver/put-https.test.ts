import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Put, putHttps } from "../../../src/flow/deliver/put-https.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { loopbackStore } from "./loopback-store.ts";

const CONTENT = randomBytes(300_000);

function putOf(url: string, more: Partial<Put> = {}): Put & { waits: number[]; steps: string[] } {
  const path = join(temporaryFolder(), "packet");
  writeFileSync(path, CONTENT);
  const waits: number[] = [];
  const steps: string[] = [];
  return {
    url: new URL(url),
    path,
    token: undefined,
    signal: new AbortController().signal,
    onStep: (words) => steps.push(words),
    onBytes: () => {},
    pause: async (ms) => waits.push(ms),
    waits,
    steps,
    ...more,
  };
}

test("a file arrives whole, with its token, and its progress is told", async () => {
  const { url, ca, asked } = await loopbackStore((response) => response.writeHead(201).end());
  let sent = 0;
  const put = putOf(`${url}/team/p.age`, {
    ca,
    token: "t0ken",
    onBytes: (bytes) => (sent = bytes),
  });
  expect(await putHttps(put)).toEqual({ status: 201, attempts: 1 });
  expect(asked).toEqual([
    { method: "PUT", path: "/team/p.age", authorization: "Bearer t0ken", body: CONTENT },
  ]);
  expect(sent).toBe(CONTENT.length);
});

test("without a token none is sent", async () => {
  const { url, ca, asked } = await loopbackStore();
  await putHttps(putOf(url, { ca }));
  expect(asked[0]?.authorization).toBeUndefined();
});

test.each([429, 500, 503])("after %i it is sent again, and the wait grows", async (status) => {
  const { url, ca, asked } = await loopbackStore((response, count) =>
    response.writeHead(count < 3 ? status : 200).end(),
  );
  const put = putOf(url, { ca });
  expect(await putHttps(put)).toEqual({ status: 200, attempts: 3 });
  expect(asked.map(({ body }) => body.equals(CONTENT))).toEqual([true, true, true]);
  expect(put.waits).toEqual([500, 1_000]);
});

test("a server that says when to come back is believed, up to half a minute", async () => {
  const { url, ca } = await loopbackStore((response, count) => {
    response.writeHead(count === 3 ? 200 : 429, { "retry-after": count === 1 ? "7" : "99999" });
    response.end();
  });
  const put = putOf(url, { ca });
  await putHttps(put);
  expect(put.waits).toEqual([7_000, 30_000]);
});

test("it gives up after four attempts", async () => {
  const { url, ca, asked } = await loopbackStore((response) => response.writeHead(502).end());
  await expect(putHttps(putOf(url, { ca }))).rejects.toMatchObject({
    code: "DELIVERY_FAILED",
    message: expect.stringContaining("answered 502, 4 times"),
  });
  expect(asked.length).toBe(4);
});

test.each([301, 302, 307, 308])("a redirect (%i) is not followed", async (status) => {
  const other = await loopbackStore();
  const { url, ca, asked } = await loopbackStore((response) =>
    response.writeHead(status, { location: `${other.url}/elsewhere` }).end(),
  );
  await expect(putHttps(putOf(url, { ca, token: "t0ken" }))).rejects.toMatchObject({
    code: "DELIVERY_FAILED",
    message: expect.stringContaining("redirects are not followed"),
  });
  expect([asked.length, other.asked.length]).toEqual([1, 0]);
});

test.each([400, 401, 403, 409])("a no (%i) is a no, and asked once", async (status) => {
  const { url, ca, asked } = await loopbackStore((response, _count, request) =>
    // A server that says everything it was told.
    response.writeHead(status).end(JSON.stringify(request.headers)),
  );
  const failed = putHttps(putOf(url, { ca, token: "t0ken" }));
  await expect(failed).rejects.toThrow(`answered ${status}`);
  await expect(failed).rejects.not.toThrow("t0ken");
  expect(asked.length).toBe(1);
});

test("a server that never answers is left after a while", async () => {
  const { url, ca } = await loopbackStore(() => {});
  const failed = putHttps(putOf(url, { ca, idleMs: 100 }));
  await expect(failed).rejects.toThrow("did not answer in time, 4 times");
});

test("a yes before everything was sent is no yes", async () => {
  const { url, ca, server } = await loopbackStore();
  server.removeAllListeners("request");
  // It reads nothing, and its answer is whole without its end.
  server.on("request", (_request, response) => {
    response.writeHead(200, { "content-length": 2 });
    response.write("ok");
  });
  const put = putOf(url, { ca });
  writeFileSync(put.path, Buffer.alloc(64 << 20));
  await expect(putHttps(put)).rejects.toThrow("answered before it had all of it, 4 times");
});

test("a server may finish its sentence, and no more than that", async () => {
  let tell: (isWhole: boolean) => void = () => {};
  const isWhole = new Promise<boolean>((known) => {
    tell = known;
  });
  const { url, ca } = await loopbackStore((response) => {
    response.on("close", () => tell(response.writableFinished));
    response.writeHead(201);
    response.write("stored");
    // A server that takes its time; nothing waits for it but the request itself.
    setTimeout(() => response.end(" under its name"), 100);
  });
  expect(await putHttps(putOf(url, { ca }))).toEqual({ status: 201, attempts: 1 });
  expect(await isWhole).toBe(true);
  const endless = await loopbackStore((response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    };
    response.on("drain", more);
    more();
  });
  const put = putOf(endless.url, { ca: endless.ca });
  expect(await putHttps(put)).toEqual({ status: 200, attempts: 1 });
});

test("a certificate that nobody vouches for is not believed, and nothing is sent", async () => {
  const { url, asked } = await loopbackStore();
  const other = await loopbackStore();
  const failed = putHttps(putOf(url, { ca: other.ca, token: "t0ken" }));
  await expect(failed).rejects.toMatchObject({ code: "DELIVERY_FAILED" });
  expect(asked).toEqual([]);
});

test("a server without TLS is not spoken to", async () => {
  let heard = "";
  const server = createServer();
  server.on("connection", (socket) => socket.on("data", (chunk) => (heard += chunk.toString())));
  await new Promise<void>((ready) => server.listen(0, "localhost", ready));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const failed = putHttps(putOf(`https://localhost:${port}/`, { token: "t0ken" }));
  await expect(failed).rejects.toMatchObject({ code: "DELIVERY_FAILED" });
  expect(heard).not.toContain("t0ken");
});

test("one that is stopped is not tried again", async () => {
  const stop = new AbortController();
  const { url, ca, asked } = await loopbackStore(() => stop.abort());
  const failed = putHttps(putOf(url, { ca, signal: stop.signal }));
  await expect(failed).rejects.toThrow("whether all of it arrived is not known");
  expect(asked.length).toBe(1);
});
