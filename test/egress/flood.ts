import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { ask, HOST, openWorld, type World } from "./world.ts";

const MIB = 2 ** 20;
const ASKS = 20;
/** Without the flood they take a twentieth of it. */
const ASKS_MS = 20_000;

/** Another process floods the socket; settles once all its connections were open. */
async function startFlood(world: World, count: number): Promise<() => Promise<void>> {
  const script = join(import.meta.dirname, "flooder.mjs");
  const args = [script, world.proxy.socketPath, String(count), `${HOST}:${world.port}`];
  const flooder = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void flooder.kill("SIGKILL"));
  await new Promise<void>((resolve, reject) => {
    flooder.stdout.once("data", () => resolve());
    flooder.once("exit", (code) => reject(new Error(`the flooder ended with ${code}`)));
  });
  return () =>
    new Promise((resolve) => {
      flooder.once("exit", () => resolve());
      flooder.stdin.end();
    });
}

/** Holds that a flood takes bounded memory, and that whoever asks for something is still served. */
export async function survivesFlood(count: number): Promise<void> {
  const world = await openWorld();
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
  const before = process.memoryUsage.rss();
  const stop = await startFlood(world, count);
  expect(world.proxy.connectionCount).toBeGreaterThan(500);
  let served = 0;
  let tries = 0;
  const latest = performance.now() + ASKS_MS;
  while (served < ASKS && performance.now() < latest) {
    tries += 1;
    // A newcomer can be pushed out before it said a word; then it comes again, as clients do.
    const answer = await ask(world, "/left-pad").catch(() => "");
    if (answer.startsWith("HTTP/1.1 200")) served += 1;
    expect(world.proxy.connectionCount).toBeLessThanOrEqual(1_024);
  }
  expect(served).toBe(ASKS);
  expect(process.memoryUsage.rss() - before).toBeLessThan(192 * MIB);
  await stop();
  expect(await ask(world, "/left-pad")).toMatch(/^HTTP\/1\.1 200/);
  if (process.env["SWORN_SOAK"]) {
    const grown = Math.round((process.memoryUsage.rss() - before) / MIB);
    console.log(`${count} connections: ${tries} tries for ${ASKS} answers, ${grown} MiB more`);
  }
}
