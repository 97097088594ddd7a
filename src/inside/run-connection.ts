import { createConnection, type Socket } from "node:net";

/** What came of a request; the same three as on the other side. */
export type Outcome =
  | { readonly ok: unknown }
  | { readonly refused: { readonly rule: string; readonly reason: string } }
  | { readonly error: { readonly code: string; readonly message: string } };

const NEWLINE = 10;
/** Turns the connection into one of MCP. */
const MCP_VERB = "mcp.open";

/** The connection to the runtime is not there, or broke off. */
export class RunOver extends Error {
  override readonly name = "RunOver";
}

/** Asks the runtime for one thing. */
export async function askRuntime(path: string, verb: string, args: object): Promise<Outcome> {
  const socket = await connect(path);
  try {
    socket.write(`${JSON.stringify({ id: 1, verb, args })}\n`);
    const { id: _, ...outcome } = JSON.parse(await firstLine(socket)) as { id: number } & Outcome;
    // The runtime is trusted by whoever it started.
    return outcome as Outcome;
  } finally {
    socket.destroy();
  }
}

/** Passes messages of MCP on in both directions, until one side ends. */
export async function relayMcp(
  path: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<Outcome | undefined> {
  const socket = await connect(path);
  socket.write(`${JSON.stringify({ id: 1, verb: MCP_VERB })}\n`);
  const opened = JSON.parse(await firstLine(socket)) as Outcome;
  if (!("ok" in opened)) {
    socket.destroy();
    return opened;
  }
  socket.pipe(output, { end: false });
  input.pipe(socket);
  await new Promise<void>((resolve) => socket.once("close", resolve));
  input.unpipe(socket);
  return undefined;
}

function connect(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path, allowHalfOpen: true });
    socket.once("error", (cause) =>
      reject(new RunOver(`the runtime does not answer at ${path}: the run is over`, { cause })),
    );
    socket.once("connect", () => {
      // From here on a broken connection shows as its end.
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}

/** The first line that comes; what follows it stays to be read. */
function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const onEnd = () => reject(new RunOver("the runtime ended the connection: the run is over"));
    const onData = (chunk: Buffer) => {
      const at = chunk.indexOf(NEWLINE);
      parts.push(at < 0 ? chunk : chunk.subarray(0, at));
      if (at < 0) return;
      socket.off("data", onData).off("close", onEnd).off("end", onEnd).pause();
      if (at + 1 < chunk.length) socket.unshift(chunk.subarray(at + 1));
      resolve(Buffer.concat(parts).toString("utf8"));
    };
    socket.on("data", onData).on("close", onEnd).on("end", onEnd);
  });
}
