import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createRunAuthority } from "../../../src/egress/index.ts";

/** What the store was asked. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

type Answer = (response: ServerResponse, count: number, request: IncomingMessage) => void;

/** An artifact store on loopback with a certificate of its own, gone after the test. */
export async function loopbackStore(answer: Answer = (response) => response.end()) {
  const authority = await createRunAuthority({ validForMs: 3_600_000, hosts: ["localhost"] });
  const asked: Asked[] = [];
  const server = createServer(
    {
      SNICallback: (name, done) => {
        authority.contextFor(name).then(
          (context) => done(null, context),
          (error: Error) => done(error),
        );
      },
    },
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "", url: path = "", headers } = request;
        const body = Buffer.concat(chunks);
        asked.push({ method, path, authorization: headers.authorization, body });
        answer(response, asked.length, request);
      });
    },
  );
  await new Promise<void>((ready) => server.listen(0, "localhost", ready));
  onTestFinished(
    () =>
      new Promise<void>((gone) => {
        server.close(() => gone());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, ca: authority.certificatePem, asked, server };
}
