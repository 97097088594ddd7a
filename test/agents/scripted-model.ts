import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FORMS, type Form, type Reply, USED } from "./wire-forms.ts";

/** What the model does when it is asked. */
export type Step =
  | Reply
  /** Begins to answer and then says nothing more. */
  | { readonly stall: true }
  | { readonly status: 401 | 429 | 500 }
  /** Breaks off in the middle of a JSON object, and goes on as if nothing had happened. */
  | { readonly malformed: string };

/** One request as it came in. */
export interface Asked {
  readonly path: string;
  readonly tools: readonly string[];
  readonly body: string;
  /** What came as its credential. */
  readonly credential: string;
}

const BODY_BYTES_MAX = 8 << 20;

/**
 * A model service on loopback that answers by script: the n-th request that offers tools gets the
 * n-th step, and the last one from then on. Requests without tools (a title, a judgement of a call)
 * get a fixed answer, because agents ask those whenever they like.
 */
export class ScriptedModel {
  readonly asked: Asked[] = [];
  /** Settles when a reply has begun after which nothing more will be said. */
  readonly stalled: Promise<void>;
  readonly #server: Server;
  readonly #steps: readonly Step[];
  #noteStall: () => void = () => undefined;
  #next = 0;

  private constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.stalled = new Promise((resolve) => {
      this.#noteStall = resolve;
    });
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(steps: readonly Step[]): Promise<ScriptedModel> {
    const model = new ScriptedModel(steps);
    await new Promise<void>((resolve) => model.#server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const path = request.url ?? "/";
    const form = FORMS.find(({ ending }) => path.split("?")[0]?.endsWith(ending));
    if (form === undefined) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"object":"list","data":[],"models":[]}');
      return;
    }
    const question = JSON.parse(body) as { stream?: boolean; tools?: unknown[] };
    const tools = (question.tools ?? []).flatMap(namesOf);
    const { authorization, "x-api-key": key, "x-goog-api-key": google } = request.headers;
    this.asked.push({ path, tools, body, credential: String(authorization ?? key ?? google) });
    const step = tools.length === 0 ? { say: "A short title" } : this.#take();
    this.#answer(
      form,
      step,
      question.stream === true || form.ending.startsWith(":stream"),
      response,
    );
  }

  #take(): Step {
    const step = this.#steps[Math.min(this.#next, this.#steps.length - 1)];
    this.#next += 1;
    return step ?? { say: "Nothing was scripted." };
  }

  #answer(form: Form, step: Step, isStream: boolean, response: ServerResponse): void {
    if ("status" in step) {
      response.writeHead(step.status, { "content-type": "application/json", "retry-after": "0" });
      response.end(JSON.stringify(form.error(step.status)));
      return;
    }
    if (!isStream && !("stall" in step || "malformed" in step)) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(form.whole(step, USED)));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    if ("stall" in step) {
      response.write(form.stream({ say: "Let me think about" }, USED)[0]);
      this.#noteStall();
    } else if ("malformed" in step) {
      const frames = form.stream({ say: step.malformed }, USED);
      response.end(
        [frames[0], 'data: {"choices":[{"delta":{"con\n\n', ...frames.slice(1)].join(""),
      );
    } else {
      response.end(form.stream(step, USED).join(""));
    }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error("a request of the agent is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Gemini puts all of its tools into one. */
function namesOf(tool: unknown): string[] {
  const { functionDeclarations: all } = tool as { functionDeclarations?: unknown[] };
  return all === undefined ? [nameOf(tool)] : all.map(nameOf);
}

function nameOf(tool: unknown): string {
  const { name, type, function: named } = tool as Record<string, unknown>;
  return String(name ?? (named as { name?: string } | undefined)?.name ?? type);
}
