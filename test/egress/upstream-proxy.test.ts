import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { isRegistryRefusal, registryRules, upstreamProxiesFrom } from "../../src/egress/index.ts";
import { ask, HOST, openWorld, refusedBy, talk } from "./world.ts";

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
  const upstreamProxies = upstreamProxiesFrom({ HTTPS_PROXY: setting });
  const neverAsked = () => Promise.reject(new Error("nobody resolves here"));
  const world = await openWorld({ proxy: { upstreamProxies, resolve: neverAsked } });
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello/);
  const credentials = `Basic ${Buffer.from("anna:pass word").toString("base64")}`;
  expect(company.asked).toEqual([[`${HOST}:${world.port}`, credentials]]);

  const strange = await openWorld({ proxy: { upstreamProxies, extraAuthorities: [] } });
  expect(refusedBy(await ask(strange, "/left-pad"))).toBe("certificate");
});

test("a proxy that does not let us through is an upstream that cannot be reached", async () => {
  const company = await openCompanyProxy(false);
  const upstreamProxies = upstreamProxiesFrom({ https_proxy: `http://127.0.0.1:${company.port}` });
  const world = await openWorld({ proxy: { upstreamProxies } });
  expect(refusedBy(await ask(world, "/left-pad"))).toBe("upstream");
});

test("hosts that the user excepts are reached without the proxy", async () => {
  const env = { HTTPS_PROXY: "http://127.0.0.1:1", NO_PROXY: "localhost, .example.org" };
  const world = await openWorld({ proxy: { upstreamProxies: upstreamProxiesFrom(env) } });
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
});

test("a setting that is no URL of a proxy is an error that names it", () => {
  expect(upstreamProxiesFrom({})).toEqual({ https: undefined, http: undefined });
  expect(() => upstreamProxiesFrom({ HTTPS_PROXY: "socks5://127.0.0.1:1" })).toThrow(/HTTPS_PROXY/);
  expect(() => upstreamProxiesFrom({ HTTPS_PROXY: "127.0.0.1" })).toThrow(/HTTPS_PROXY/);
});

test("plain HTTP is asked of the user's proxy by the whole URL", async () => {
  const asked: (string | undefined)[][] = [];
  const server = createServer((request, response) => {
    asked.push([request.url, request.headers.host, request.headers["proxy-authorization"]]);
    response.end("by proxy");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const upstreamProxies = upstreamProxiesFrom({ http_proxy: `http://anna:word@127.0.0.1:${port}` });
  const world = await openWorld({
    rules: [{ scheme: "http", port: 80 }],
    isPlain: true,
    proxy: { upstreamProxies },
  });
  const bytes = `GET http://${HOST}/left-pad HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
  expect(await talk(await world.dial(), bytes)).toMatch(/by proxy/);
  const credentials = `Basic ${Buffer.from("anna:word").toString("base64")}`;
  expect(asked).toEqual([[`http://${HOST}:80/left-pad`, HOST, credentials]]);
  expect(world.seen).toEqual([]);
});

/** The proxies that the rules for apt carry, on a machine with these files and variables. */
function proxiesOfApt(files: Record<string, string>, env: Record<string, string> = {}) {
  const found = registryRules("apt", {
    env,
    home: "/home/anna",
    readFile: (path: string) =>
      ({ "/etc/apt/sources.list": `deb http://${HOST}/d stable main\n`, ...files })[path],
    listFolder: () => ["01proxy"],
    askTool: () => undefined,
  });
  if (isRegistryRefusal(found)) throw new Error(found.reason);
  return found.rules[0]?.proxies;
}

test("apt's own proxies are found in its configuration, and else in the environment", () => {
  const files = {
    "/etc/apt/apt.conf.d/01proxy": 'Acquire::http::Proxy "http://old.example.org:3142";\n',
    "/etc/apt/apt.conf":
      '// Acquire::http::Proxy "http://no.example.org";\nAcquire::http::Proxy "http://cache.example.org:3142/";\n',
  };
  const general = { http_proxy: "http://all.example.org" };
  expect(proxiesOfApt(files, general)).toMatchObject({
    http: { host: "cache.example.org", port: 3142 },
    https: { host: "cache.example.org" },
  });
  expect(proxiesOfApt({}, general)?.http).toMatchObject({ host: "all.example.org", port: 80 });
  const direct = { "/etc/apt/apt.conf": 'Acquire::http::Proxy "DIRECT";\n' };
  expect(proxiesOfApt(direct, general)?.http).toBeUndefined();
});

test("a rule's own proxies count instead of the run's", async () => {
  const company = await openCompanyProxy(true);
  const proxies = upstreamProxiesFrom({ HTTPS_PROXY: `http://127.0.0.1:${company.port}` });
  const upstreamProxies = upstreamProxiesFrom({ HTTPS_PROXY: "http://127.0.0.1:1" });
  const world = await openWorld({ rules: [{ proxies }], proxy: { upstreamProxies } });
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello/);
  expect(company.asked).toHaveLength(1);
  const without = await openWorld({ rules: [{ proxies: {} }], proxy: { upstreamProxies } });
  expect(await ask(without, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
  expect(company.asked).toHaveLength(1);
});
