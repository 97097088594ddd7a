import { expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import { askConnect, HOST, openWorld, refusedBy } from "./world.ts";

const connectTo = (authority: string) =>
  `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;

test("CONNECT to a host that no rule lists is refused", async () => {
  const world = await openWorld();
  const answer = await askConnect(world, connectTo("other.example.org:443"));
  expect(refusedBy(answer)).toBe("host-not-listed");
  expect(world.log).toMatchObject([
    { host: "other.example.org", method: "CONNECT", verdict: "refused", rule: "host-not-listed" },
  ]);
});

test("CONNECT to another port of a listed host is refused", async () => {
  const world = await openWorld();
  expect(refusedBy(await askConnect(world, connectTo(`${HOST}:22`)))).toBe("host-not-listed");
});

test("a port in another spelling than plain digits is refused", async () => {
  const world = await openWorld();
  for (const port of ["", "0443", "+443", "0x1bb", "65536", "443 "]) {
    const answer = await askConnect(world, `CONNECT ${HOST}:${port} HTTP/1.1\r\n\r\n`);
    expect([port, refusedBy(answer)]).not.toEqual([port, undefined]);
  }
});

verifies("004-67", "addresses are refused in every spelling, and hidden services too", async () => {
  const world = await openWorld();
  const spellings = [
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0X7F.1",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "127.0.1",
    "0x7f.0.0.0x1",
    "1.1.1.1.",
    "0x",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[fe80::1%25eth0]",
    "::1",
  ];
  for (const spelling of spellings) {
    const answer = await askConnect(world, connectTo(`${spelling}:${world.port}`));
    const expected = spelling.endsWith(".") ? "trailing-dot" : "ip-literal";
    expect([spelling, refusedBy(answer)]).toEqual([spelling, expected]);
  }
  const onion = await askConnect(world, connectTo("expyuzz4wqqyqhjn.onion:443"));
  expect(refusedBy(onion)).toBe("onion");
});

test("a trailing dot is refused, though resolvers take it for the same name", async () => {
  const world = await openWorld();
  const answer = await askConnect(world, connectTo(`${HOST}.:${world.port}`));
  expect(refusedBy(answer)).toBe("trailing-dot");
});

test("NUL, control characters and bytes above ASCII in a name are refused", async () => {
  const world = await openWorld();
  for (const bad of ["\0", "\x01", "\x1f", "\x7f", "\x0b", "é", "\xad"]) {
    const bytes = Buffer.from(connectTo(`${HOST}${bad}.example.net:${world.port}`), "latin1");
    expect([bad, refusedBy(await askConnect(world, bytes))]).toEqual([bad, "malformed"]);
  }
});

test("characters that are not of a host name are refused", async () => {
  const world = await openWorld();
  for (const bad of ["a_b.example.org", "-a.example.org", "a..example.org", "a@b.example.org"]) {
    const answer = await askConnect(world, connectTo(`${bad}:443`));
    expect([bad, refusedBy(answer)]).toEqual([bad, "name"]);
  }
});

test("a punycode twin of a listed name is refused", async () => {
  const world = await openWorld();
  const answer = await askConnect(world, connectTo(`xn--registr-o4a.example.org:${world.port}`));
  expect(refusedBy(answer)).toBe("punycode");
});

test("a punycode name is reached when the rule spells it so", async () => {
  const host = "xn--bcher-kva.example.org";
  const world = await openWorld({ rules: [{ host }], hosts: [host] });
  const socket = await world.dial();
  const head = await new Promise<string>((resolve) => {
    socket.once("data", (chunk) => resolve(String(chunk)));
    socket.write(connectTo(`${host}:${world.port}`));
  });
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

test("upper case is the same name", async () => {
  const world = await openWorld();
  const socket = await world.dial();
  const head = await new Promise<string>((resolve) => {
    socket.once("data", (chunk) => resolve(String(chunk)));
    socket.write(connectTo(`${HOST.toUpperCase()}:${world.port}`));
  });
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

test("CONNECT whose Host header names another host is refused", async () => {
  const world = await openWorld();
  const bytes = `CONNECT ${HOST}:${world.port} HTTP/1.1\r\nHost: evil.example.org\r\n\r\n`;
  expect(refusedBy(await askConnect(world, bytes))).toBe("host-header");
});

test("CONNECT with a body is refused", async () => {
  const world = await openWorld();
  const name = `${HOST}:${world.port}`;
  const bytes = `CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\nContent-Length: 4\r\n\r\nabcd`;
  expect(refusedBy(await askConnect(world, bytes))).toBe("body");
});
