import { chmodSync, closeSync, constants, openSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { SwornError } from "../../base/index.ts";
import type { Executed } from "../execute/index.ts";
import { type Answer, AnswerReader } from "./frames.ts";

/** What the socket is called in the folder that the sandbox sees. */
export const SOCKET = "python.sock";
const START_MS_MAX = 20_000;
const NOT_FOUND = 127;
const INSTALL = "install it with: apt-get install python3";

/** Listens for the server, and for nobody who comes after it. */
export async function listen(folder: string): Promise<{ server: Server; socket: Promise<Socket> }> {
  const server = createServer();
  // A short way to the folder, whatever the length of its path: the kernel takes 107 bytes.
  const held = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const path = `/proc/self/fd/${held}/${SOCKET}`;
  server.once("close", () => closeSync(held));
  const socket = new Promise<Socket>((resolve) => {
    server.once("connection", (one) => {
      // The first one is the server; nobody else is listened to.
      server.close();
      resolve(one);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o666);
  return { server, socket };
}

/**
 * Waits for the server's first word.
 *
 * @throws SwornError `NOT_FOUND` or `SANDBOX_FAILED` when it ends before that: its end says why.
 */
export async function connected(
  connecting: Promise<Socket>,
  running: Promise<Executed>,
  said: readonly string[],
  onAnswer: (answer: Answer) => void,
): Promise<Socket> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const why = new SwornError("SANDBOX_FAILED", "python3 did not start in time");
    timer = setTimeout(() => reject(why), START_MS_MAX);
  });
  const gone = running.then((executed) => {
    throw whyNot(executed, said.join(""));
  });
  try {
    const socket = await Promise.race([connecting, late, gone]);
    await Promise.race([firstAnswer(socket, onAnswer), late, gone]);
    return socket;
  } finally {
    clearTimeout(timer);
  }
}

function firstAnswer(socket: Socket, onAnswer: (answer: Answer) => void): Promise<void> {
  const reader = new AnswerReader();
  return new Promise((resolve) => {
    let isReady = false;
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      try {
        for (const answer of reader.take(chunk)) {
          if (isReady) onAnswer(answer);
          isReady = true;
          resolve();
        }
      } catch {
        // From here on no answer could be told from another: it is started anew.
        socket.destroy();
      }
    });
  });
}

function whyNot(executed: Executed, said: string): SwornError {
  if (executed.kind === "not-begun") {
    const broken = executed.broken.map(({ name, seen }) => `${name}: ${seen}`).join("; ");
    return new SwornError("SANDBOX_FAILED", `the sandbox of python3 does not hold (${broken})`);
  }
  const { code } = executed.end;
  if (code === NOT_FOUND) {
    return new SwornError("NOT_FOUND", `python3 is not installed; ${INSTALL}`);
  }
  const module = /No module named '([\w.]{1,100})'/.exec(said)?.[1];
  if (module !== undefined) {
    return new SwornError("NOT_FOUND", `python3 is without its module ${module}; ${INSTALL}`);
  }
  const last = said.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  return new SwornError("SANDBOX_FAILED", `python3 ended with ${code} as it started: ${last}`);
}
