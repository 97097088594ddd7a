import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { type PullKind, trustEnvironment } from "../../src/egress/index.ts";
import { pullScript, registryAnswer, rulesFor, WORD } from "./loopback-registry.ts";
import { run, startRelay } from "./relay.ts";
import { closedFolder, HOST, openWorld, type WorldOptions } from "./world.ts";

/** The inside as programs see it: a port on loopback, and variables that say so. */
export async function openInside(options: WorldOptions = {}, relay: "node" | "socat" = "node") {
  const world = await openWorld(options);
  const folder = closedFolder();
  const caPath = join(folder, "ca.pem");
  writeFileSync(caPath, world.authority.certificatePem);
  const port = await startRelay(relay, world.proxy.socketPath);
  const trust = trustEnvironment(caPath, port);
  for (const [path, text] of Object.entries(trust.files)) writeFileSync(path, text);
  const env = { PATH: process.env["PATH"], HOME: folder, ...trust.env };
  const origin = `https://${HOST}:${world.port}`;
  return { ...world, folder, env, origin };
}

/** Holds that a client of this machine gets a package from a registry through the proxy, and asks for nothing else. */
export async function pullsThrough(
  kind: PullKind,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const inside = await openInside({
    answer: registryAnswer(),
    rules: (port) => rulesFor(kind, `https://${HOST}:${port}`).rules,
  });
  const { folder, origin, log } = inside;
  const { env, files } = rulesFor(kind, origin);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const all = { ...inside.env, ...env, ...more };
  const pulled = await run("sh", ["-ec", pullScript(kind, origin)], folder, all);
  expect(pulled.output.trim().split("\n").at(-1)).toBe(WORD);
  expect(log.filter(({ verdict }) => verdict === "allowed").length).toBeGreaterThan(1);
  expect(log.filter(({ verdict }) => verdict === "refused").map(({ rule }) => rule)).toEqual([]);
}
