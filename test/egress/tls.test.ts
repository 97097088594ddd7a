import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { createRunAuthority } from "../../src/egress/index.ts";
import { verifies } from "../verifies.ts";
import { ask, HOST, openTls, openWorld, refusedBy, talk, until, type World } from "./world.ts";

const HOUR_MS = 3_600_000;

async function connectThenSend(world: World, bytes: string): Promise<string> {
  const name = `${HOST}:${world.port}`;
  return talk(await world.dial(), `CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\n\r\n${bytes}`);
}

const rulesOf = ({ log }: World) => log.map(({ rule }) => rule);

test("plain text inside CONNECT is refused", async () => {
  const world = await openWorld();
  await connectThenSend(world, `GET /left-pad HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await connectThenSend(world, "SSH-2.0-client\r\n");
  expect(rulesOf(world)).toEqual(["plaintext", "plaintext"]);
  expect(world.seen).toEqual([]);
});

verifies("004-67", "a handshake must name the host of CONNECT and offer http/1.1", async () => {
  const world = await openWorld({ hosts: [HOST, "other.example.org"] });
  await expect(openTls(world, { servername: "other.example.org" })).rejects.toThrow();
  await expect(openTls(world, { servername: "evil.example.net" })).rejects.toThrow();
  await until(() => world.log.length === 2);
  const nameless = await openTls(world, { servername: "", checkServerIdentity: () => undefined });
  expect(await talk(nameless, "GET / HTTP/1.1\r\n\r\n")).toBe("");
  const silent = await openTls(world, { ALPNProtocols: [] });
  expect(await talk(silent, "GET / HTTP/1.1\r\n\r\n")).toBe("");
  await expect(openTls(world, { ALPNProtocols: ["h2"] })).rejects.toThrow();
  await until(() => world.log.length === 5);
  expect(rulesOf(world)).toEqual(["sni", "sni", "sni", "alpn", "alpn"]);
  expect(world.seen).toEqual([]);
});

test("a client that shows no ALPN is served where its rule says so", async () => {
  const world = await openWorld({ rules: [{ isAlpnOptional: true }] });
  const socket = await openTls(world, { ALPNProtocols: [] });
  const host = `${HOST}:${world.port}`;
  const bytes = `GET /left-pad HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  expect(await talk(socket, bytes)).toMatch(/^HTTP\/1\.1 200/);
});

verifies("004-68", "TLS below 1.2 is refused on the inside", async () => {
  const world = await openWorld();
  const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL@SECLEVEL=0" } as const;
  await expect(openTls(world, old)).rejects.toThrow();
  await until(() => world.log.length === 1);
  expect(rulesOf(world)).toEqual(["tls-version"]);
});

test("bytes that only begin like TLS end the connection", async () => {
  const world = await openWorld();
  await connectThenSend(world, "\x16\x03garbage that is no handshake at all");
  expect(rulesOf(world)).toEqual(["tls"]);
});

verifies(
  "004-68",
  "an upstream certificate must be issued, current and for that host",
  async () => {
    const strange = await createRunAuthority({ validForMs: HOUR_MS, hosts: [HOST] });
    const unknown = await openWorld({ upstreamAuthority: strange });
    expect(refusedBy(await ask(unknown, "/left-pad"))).toBe("certificate");
    expect(unknown.seen).toEqual([]);

    const wrongName = await openWorld({
      hosts: [HOST, "other.example.org"],
      certificateFor: "other.example.org",
    });
    expect(refusedBy(await ask(wrongName, "/left-pad"))).toBe("certificate");

    const past = () => Date.now() - 48 * HOUR_MS;
    const old = await createRunAuthority({ validForMs: HOUR_MS, hosts: [HOST], clock: past });
    const expired = await openWorld({
      upstreamAuthority: old,
      proxy: { extraAuthorities: [old.certificatePem] },
    });
    expect(refusedBy(await ask(expired, "/left-pad"))).toBe("certificate");
    expect(expired.seen).toEqual([]);
  },
);

test("the run's authority speaks for its hosts alone and until the run's end", async () => {
  const now = Date.parse("2026-01-02T03:04:05Z");
  const options = { validForMs: HOUR_MS, hosts: [HOST], clock: () => now };
  const { certificatePem, contextFor } = await createRunAuthority(options);
  const certificate = new X509Certificate(certificatePem);
  expect(certificate.ca).toBe(true);
  expect(Date.parse(certificate.validTo)).toBe(now + HOUR_MS);
  expect(Date.parse(certificate.validFrom)).toBeGreaterThan(now - 120_000);
  // The extension's number, marked critical, then the one name it permits.
  const extension = Buffer.from("551d1e0101ff", "hex");
  const place = certificate.raw.indexOf(extension);
  expect(place).toBeGreaterThan(0);
  expect(certificate.raw.indexOf(HOST, place)).toBeGreaterThan(place);
  expect(() => contextFor("other.example.org")).toThrow(/listed hosts alone/);
  await expect(createRunAuthority({ validForMs: HOUR_MS, hosts: [] })).rejects.toThrow(/1 to 256/);
});

test("two runs have nothing in common that one could use for the other", async () => {
  const options = { validForMs: HOUR_MS, hosts: [HOST] };
  const [one, two] = [await createRunAuthority(options), await createRunAuthority(options)];
  const [a, b] = [new X509Certificate(one.certificatePem), new X509Certificate(two.certificatePem)];
  expect(a.serialNumber).not.toBe(b.serialNumber);
  expect(a.verify(a.publicKey)).toBe(true);
  expect(b.verify(a.publicKey)).toBe(false);
});
