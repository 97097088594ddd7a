import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  createRunAuthority,
  type EgressLogLine,
  EgressProxy,
  isRegistryRefusal,
  lockfileRules,
  registryRules,
  trustEnvironment,
  userAuthorities,
  userSource,
} from "../../src/egress/index.ts";
import { run, startRelay } from "./relay.ts";
import { closedFolder } from "./world.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** A project with one small dependency, pinned as our own lockfile pins it. */
function writeProject(folder: string): string {
  const own = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const { version, integrity } = own.packages["node_modules/picomatch"];
  const root = { name: "small", version: "1.0.0", dependencies: { picomatch: version } };
  const lock = {
    ...{ name: "small", version: "1.0.0", lockfileVersion: 3, requires: true },
    packages: { "": root, "node_modules/picomatch": { version, integrity } },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
  return JSON.stringify(lock);
}

/** The user's registry, a proxy that allows what the project's lockfile pins, and a relay before it. */
async function openPull() {
  const folder = closedFolder();
  const project = join(folder, "project");
  mkdirSync(project);
  const lock = writeProject(project);
  const source = userSource(process.env, homedir());
  const npm = registryRules("npm", source);
  if (isRegistryRefusal(npm)) throw new Error(npm.reason);
  const { rules, unserved } = lockfileRules(lock, npm);
  expect(unserved).toEqual([]);
  const hosts = rules.map(({ host }) => host);
  const ca = await createRunAuthority({ validForMs: 600_000, hosts });
  const log: EgressLogLine[] = [];
  const proxy = EgressProxy.start({
    socketFolder: folder,
    rules,
    ca,
    extraAuthorities: userAuthorities(source),
    onLog: (line) => log.push(line),
  });
  onTestFinished(() => proxy.close());
  const caPath = join(folder, "ca.pem");
  writeFileSync(caPath, ca.certificatePem);
  const port = await startRelay("node", proxy.socketPath);
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    npm_config_cache: join(folder, "cache"),
    npm_config_fetch_retries: "0",
    ...trustEnvironment(caPath, port).env,
    ...npm.env,
  };
  return { proxy, log, project, env, host: hosts[0] ?? "", caPath };
}

test("npm ci installs what the lockfile pins through the proxy, and nothing else can be reached", async () => {
  const { proxy, log, project, env, host } = await openPull();
  await proxy.attach();
  const installed = await run("npm", ["ci"], project, env);
  expect(installed).toMatchObject({ code: 0 });
  expect(existsSync(join(project, "node_modules/picomatch/package.json"))).toBe(true);
  expect(log.length).toBeGreaterThan(0);
  expect(log.every((line) => line.verdict === "allowed" && line.host === host)).toBe(true);

  const registry = `https://${host}`;
  const other = await run("npm", ["view", "left-pad", "version"], project, env);
  expect(other.code).not.toBe(0);
  const elsewhere = await run("curl", ["-sS", "https://example.org/"], project, env);
  expect(elsewhere.output).toMatch(/403/);
  const upload = ["-sS", "-T", join(project, "package.json"), `${registry}/picomatch`];
  expect((await run("curl", upload, project, env)).output).toMatch(/refused \(method\)/);
  expect(log.slice(-3).map(({ rule }) => rule)).toEqual([
    "path-not-listed",
    "host-not-listed",
    "method",
  ]);

  await proxy.detach();
  const detached = await run("curl", ["-sS", `${registry}/picomatch`], project, env);
  expect(detached.code).not.toBe(0);
});
