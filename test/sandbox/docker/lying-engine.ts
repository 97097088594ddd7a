import { createServer, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../fake/sandbox.ts";

/**
 * An engine between us and the real one that says something else than that one did; gives back the
 * address of its socket. What it is asked goes on as it came.
 */
export async function lyingEngine(
  real: string,
  lie: (path: string, body: Record<string, unknown>) => void,
): Promise<string> {
  const socket = join(temporaryFolder(), "s");
  const server = createServer((asked, answer) => {
    const { method, url: path = "", headers } = asked;
    const onward = request({ socketPath: real, method, path, headers }, (response) => {
      void buffer(response).then((bytes) => {
        const isJson = response.headers["content-type"]?.includes("json");
        const body = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
        if (body !== undefined) lie(`${method} ${path}`, body as Record<string, unknown>);
        answer.writeHead(response.statusCode ?? 500, { "content-type": "application/json" });
        answer.end(body === undefined ? bytes : JSON.stringify(body));
      });
    });
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `unix://${socket}`;
}
