import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** One request as it came in. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what they know.
  readonly body: any;
}

/** What is answered: a JSON document, or whatever a test does with the connection. */
export type Step = object | ((response: ServerResponse) => void);

/** A model service on loopback: the n-th request gets the n-th step, and the last one from then on. */
export async function serve(steps: readonly Step[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url = "", headers } = request;
      const step = steps[Math.min(asked.length, steps.length - 1)];
      asked.push({ path: url, headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
      if (typeof step === "function") step(response);
      else response.end(JSON.stringify(step));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A refusal with a status, and with what else a service says. */
export const refuse =
  (status: number, error: object = { message: "no" }, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error }));
  };

const used = { prompt_tokens: 10, completion_tokens: 5 };

/** Chat completions: what the model says. */
export const says = (content: string, finish_reason = "stop"): object => ({
  choices: [{ message: { role: "assistant", content }, finish_reason }],
  usage: used,
});

/** Chat completions: what the model wants done. */
export const calls = (...wanted: readonly (readonly [string, unknown])[]): object => ({
  choices: [
    {
      message: {
        role: "assistant",
        content: null,
        tool_calls: wanted.map(([name, input], index) => ({
          id: `c${index}`,
          type: "function",
          function: {
            name,
            arguments: typeof input === "string" ? input : JSON.stringify(input),
          },
        })),
      },
      finish_reason: "tool_calls",
    },
  ],
  usage: used,
});
