import { expect, test } from "vitest";
import { ask, HOST, openWorld, refusedBy, talk } from "./world.ts";

test("a name that resolves to a private, local or reserved address is refused", async () => {
  for (const address of [
    "10.1.2.3",
    "127.0.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "198.18.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2001:0:4136:e378::1",
    "2001:db8::1",
    "fe80::1",
    "fe80::1%lo",
    "fd00::1",
    "ff02::1",
    "not an address",
  ]) {
    const world = await openWorld({
      rules: [{ allowPrivate: false }],
      proxy: { resolve: async () => ["93.184.216.34", address] },
    });
    expect([address, refusedBy(await ask(world, "/left-pad"))]).toEqual([address, "address"]);
    expect(world.seen).toEqual([]);
  }
});

test("the user's own registry may be on a private network, never at the cloud's metadata", async () => {
  const world = await openWorld();
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
  for (const address of ["169.254.169.254", "fd00:ec2::254", "224.0.0.1", "0.0.0.0"]) {
    const bad = await openWorld({ proxy: { resolve: async () => [address] } });
    expect([address, refusedBy(await ask(bad, "/left-pad"))]).toEqual([address, "address"]);
  }
});

test("a name is resolved once, and the address that was checked is the one that is dialled", async () => {
  const answers = [["127.0.0.1"], ["127.9.9.9"], ["10.0.0.1"]];
  let count = 0;
  const resolve = async () => answers[count++] ?? [];
  const world = await openWorld({
    proxy: { resolve },
    answer: (_request, response) => response.setHeader("connection", "close").end("hello"),
  });
  for (const path of ["/one", "/two", "/three"]) {
    expect(await ask(world, path)).toMatch(/^HTTP\/1\.1 200/);
  }
  expect(count).toBe(1);
});

test("a name that does not resolve is told without the resolver's words", async () => {
  const world = await openWorld({
    proxy: { resolve: () => Promise.reject(new Error("SERVFAIL from 10.0.0.53")) },
  });
  const answer = await ask(world, "/left-pad");
  expect(refusedBy(answer)).toBe("upstream");
  expect(answer).not.toContain("10.0.0.53");
});

test("a redirect to another host is refused in plain words, without its path", async () => {
  for (const location of [
    "https://evil.example.net/left-pad?token=secret",
    "//evil.example.net/left-pad",
    "http://registry.example.org/left-pad",
    "https://127.0.0.1/left-pad",
    "https://0x7f.1/left-pad",
    "https://user:pw@registry.example.org/left-pad",
    "https://registry.example.org:1/left-pad",
    "/-/npm/v1/user",
    "/c2VjcmV0IGtleSBmcm9tIHRoZSBlbnY",
    "ftp://registry.example.org/left-pad",
    "javascript:alert(1)",
    "",
  ]) {
    const world = await openWorld({
      answer: (_request, response) => response.writeHead(302, { location }).end(),
    });
    const answer = await ask(world, "/left-pad");
    expect([location, refusedBy(answer)]).toEqual([location, "redirect"]);
    expect(answer).not.toContain("secret");
    expect(world.log).toMatchObject([{ verdict: "refused", rule: "redirect", host: HOST }]);
  }
});

test("a redirect away from TLS is refused, also where plain HTTP has a rule", async () => {
  const world = await openWorld({
    rules: [{}, { scheme: "http", port: 80 }],
    answer: (_request, response) =>
      response.writeHead(302, { location: `http://${HOST}/left-pad` }).end(),
  });
  expect(refusedBy(await ask(world, "/left-pad"))).toBe("redirect");
});

test("a redirect within the rules is passed to the client", async () => {
  const world = await openWorld({
    answer: (_request, response) => response.writeHead(301, { location: "/right-pad" }).end(),
  });
  const answer = await ask(world, "/left-pad");
  expect(answer).toMatch(/^HTTP\/1\.1 301 [\s\S]*location: \/right-pad\r\n/);
});

test("plain HTTP is refused unless the rule is the user's own plain registry", async () => {
  const tls = await openWorld();
  const plainAsk = (port: number) =>
    `GET http://${HOST}:${port}/left-pad HTTP/1.1\r\nHost: ${HOST}:${port}\r\nConnection: close\r\n\r\n`;
  expect(refusedBy(await talk(await tls.dial(), plainAsk(tls.port)))).toBe("plain-http");

  const plain = await openWorld({ rules: [{ scheme: "http" }], isPlain: true });
  const answer = await talk(await plain.dial(), plainAsk(plain.port));
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello/);
  expect(plain.seen.map(({ url }) => url)).toEqual(["/left-pad"]);
});

test("plain HTTP is judged like everything else", async () => {
  const world = await openWorld({ rules: [{ scheme: "http" }], isPlain: true });
  const host = `${HOST}:${world.port}`;
  for (const [line, rule] of [
    [`POST http://${host}/left-pad HTTP/1.1\r\nHost: ${host}`, "method"],
    [`GET http://user@${host}/left-pad HTTP/1.1\r\nHost: ${host}`, "url-form"],
    [`GET http://${host}/left-pad HTTP/1.1\r\nHost: evil.example.org`, "host-header"],
    [`GET http://127.0.0.1:${world.port}/x HTTP/1.1\r\nHost: ${host}`, "ip-literal"],
    [`GET https://${host}/left-pad HTTP/1.1\r\nHost: ${host}`, "url-form"],
    [`GET /left-pad HTTP/1.1\r\nHost: ${host}`, "url-form"],
    [`GET http://${host}/a/b/c HTTP/1.1\r\nHost: ${host}`, "path-not-listed"],
  ] as const) {
    const answer = await talk(await world.dial(), `${line}\r\n\r\n`);
    expect([line, refusedBy(answer)]).toEqual([line, rule]);
  }
  expect(world.seen).toEqual([]);
});

test("credentials are put in by the proxy, and only for their own rule", async () => {
  const world = await openWorld({
    rules: [
      { paths: ["/private-*"], setHeaders: { authorization: "Bearer held-outside" } },
      { paths: ["/*"] },
    ],
  });
  await ask(world, "/private-pad", { headers: ["Authorization: Bearer from-inside"] });
  await ask(world, "/left-pad", { headers: ["Authorization: Bearer from-inside"] });
  expect(world.seen.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer held-outside",
    undefined,
  ]);
});
