import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Passes requests on with a token, because the suite knows of none. Host and Origin stay what they
 * are, but for our own address, which becomes the server's: the suite tries wrong ones on purpose.
 */
export async function bearToken(url: string, token: string) {
  const target = new URL(url);
  const server = createServer((incoming, outgoing) => {
    const { port } = server.address() as AddressInfo;
    const own = (value: string | undefined) => value?.replace(`:${port}`, `:${target.port}`);
    const { host, origin, ...headers } = incoming.headers;
    const passed = request(
      {
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: {
          ...headers,
          host: own(host),
          ...(origin === undefined ? {} : { origin: own(origin) }),
          authorization: `Bearer ${token}`,
        },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${target.pathname}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
