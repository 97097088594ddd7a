import { type AddressInfo, connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

/** Something of the host that would be a leak if it were reached; the port, where it has one. */
export async function listening(place: string | 0, isOnlyAsked = false): Promise<number> {
  const server = createServer((socket) => socket.end("leak"));
  await new Promise<void>((resolve) => {
    if (place === 0) server.listen(0, "127.0.0.1", resolve);
    else server.listen(place, resolve);
  });
  const address = server.address() as AddressInfo | string;
  if (isOnlyAsked) await new Promise((resolve) => server.close(resolve));
  else onTestFinished(() => void server.close());
  return typeof address === "string" ? 0 : address.port;
}

/** Whether anybody answers on a port of the host. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
