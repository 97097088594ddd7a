import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { upstreamProxyFrom } from "../../src/egress/index.ts";
import { ask, HOST, openWorld, refusedBy } from "./world.ts";

/** The proxy of a company: it takes CONNECT and leads to loopback whatever the name is. */
async function openCompanyProxy(isWilling: boolean) {
  const asked: (string | undefined)[][] = [];
  const server = createServer();
  server.on("connect", (request, client) => {
    asked.push([request.url, request.headers["proxy-authorization"]]);
    client.on("error", () => undefined);
    if (!isWilling) return client.end("HTTP/1.1 407 Who are you\r\n\r\n");
    const port = Number(request.url?.split(":")[1]);
    const outer = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Fine\r\n\r\n");
      outer.pipe(client).pipe(outer);
    });
    outer.on("error", () => client.destroy());
    client.on("close", () => outer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { asked, port: (server.address() as AddressInfo).port };
}

test("upstream is reached through the user's own proxy, and its certificate is still checked", async () => {
  const company = await openCompanyProxy(true);
  const setting = `http://anna:pass%20word@127.0.0.1:${company.port}`;
  const upstreamProxy = upstreamProxyFrom({ HTTPS_PROXY: setting });
  const neverAsked = () => Promise.reject(new Error("nobody resolves here"));
  const world = await openWorld({ proxy: { upstreamProxy, resolve: neverAsked } });
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello/);
  const credentials = `Basic ${Buffer.from("anna:pass word").toString("base64")}`;
  expect(company.asked).toEqual([[`${HOST}:${world.port}`, credentials]]);

  const strange = await openWorld({ proxy: { upstreamProxy, extraAuthorities: [] } });
  expect(refusedBy(await ask(strange, "/left-pad"))).toBe("certificate");
});

test("a proxy that does not let us through is an upstream that cannot be reached", async () => {
  const company = await openCompanyProxy(false);
  const upstreamProxy = upstreamProxyFrom({ https_proxy: `http://127.0.0.1:${company.port}` });
  const world = await openWorld({ proxy: { upstreamProxy } });
  expect(refusedBy(await ask(world, "/left-pad"))).toBe("upstream");
});

test("hosts that the user excepts are reached without the proxy", async () => {
  const env = { HTTPS_PROXY: "http://127.0.0.1:1", NO_PROXY: "localhost, .example.org" };
  const world = await openWorld({ proxy: { upstreamProxy: upstreamProxyFrom(env) } });
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
});

test("a setting that is no URL of a proxy is an error that names it", () => {
  expect(upstreamProxyFrom({})).toBeUndefined();
  expect(() => upstreamProxyFrom({ HTTPS_PROXY: "socks5://127.0.0.1:1" })).toThrow(/HTTPS_PROXY/);
  expect(() => upstreamProxyFrom({ HTTPS_PROXY: "127.0.0.1" })).toThrow(/HTTPS_PROXY/);
});
