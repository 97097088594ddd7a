import { execFile, spawn } from "node:child_process";
import { type AddressInfo, connect, createServer } from "node:net";
import { onTestFinished } from "vitest";
import { relayCommand } from "../../src/egress/index.ts";

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

/** Runs the relay's command as the inside would; gives the port it listens on. */
export async function startRelay(kind: "node" | "socat", socketPath: string): Promise<number> {
  const port = await freePort();
  const [program = "", ...args] = relayCommand(kind, socketPath, port);
  const relay = spawn(program, args, { stdio: "ignore" });
  onTestFinished(() => void relay.kill("SIGKILL"));
  for (;;) {
    const isUp = await new Promise<boolean>((done) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => done(true)).once("error", () => done(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isUp) return port;
  }
}

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end. */
export function run(
  program: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  return new Promise((done) => {
    execFile(program, args, { cwd, env }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr });
    });
  });
}
