import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What a fake forge was asked. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown> | undefined;
}

export interface ForgeAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** A comment as GitHub's interface has it. */
export interface FakeComment {
  readonly id: number;
  readonly html_url: string;
  body: string;
  readonly user: { readonly login: string; readonly type: string };
}

/** A forge on this machine, with the few addresses of GitHub's interface that a delivery uses. */
export class FakeForge {
  readonly asked: Asked[] = [];
  readonly requests: Record<string, unknown>[] = [];
  /** Answers that come before any other, in their order. */
  readonly faults: ForgeAnswer[] = [];
  /** Comments on any pull request, the oldest first. */
  readonly comments: FakeComment[] = [];
  /** Whom a token speaks for; undefined as for tokens of a workflow, which may not ask. */
  login: string | undefined;
  api = "";

  static async start(): Promise<FakeForge> {
    const forge = new FakeForge();
    const server = createServer((request, answer) => {
      void forge.#take(request).then(({ status, headers = {}, body }) => {
        answer.writeHead(status, { "content-type": "application/json", ...headers });
        answer.end(JSON.stringify(body ?? {}));
      });
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    forge.api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return forge;
  }

  async #take(request: IncomingMessage): Promise<ForgeAnswer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = "", url: path = "", headers } = request;
    const body = text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>);
    this.asked.push({ method, path, authorization: headers.authorization, body });
    const fault = this.faults.shift();
    if (fault !== undefined) return fault;
    if (path === "/user") return this.#user();
    if (path.includes("/issues/")) return this.#comment(method, path, body);
    const one = /\/pulls\/(\d+)$/.exec(path)?.[1];
    if (method === "GET" && one !== undefined) {
      const found = this.requests.find(({ number }) => number === Number(one));
      return found === undefined ? { status: 404 } : { status: 200, body: found };
    }
    if (method === "GET") return { status: 200, body: this.requests };
    const number = this.requests.length + 1;
    const made = {
      ...{ number, state: "open", html_url: `https://forge.example.org/team/app/pull/${number}` },
      head: { ref: body?.["head"], sha: "0".repeat(40) },
    };
    this.requests.push(made);
    return { status: 201, body: made };
  }

  /** Somebody's comment, as it was written there. */
  addComment(body: string, user: FakeComment["user"]): FakeComment {
    const id = this.comments.length + 1;
    const html_url = `https://forge.example.org/team/app/pull/7#${id}`;
    const comment = { id, html_url, body, user };
    this.comments.push(comment);
    return comment;
  }

  #user(): ForgeAnswer {
    if (this.login === undefined) return { status: 403, body: { message: "not for you" } };
    return { status: 200, body: { login: this.login } };
  }

  #comment(method: string, path: string, body: Record<string, unknown> | undefined): ForgeAnswer {
    const text = String(body?.["body"]);
    if (method === "POST") {
      const user = { login: this.login ?? "workflow[bot]", type: this.login ? "User" : "Bot" };
      return { status: 201, body: this.addComment(text, user) };
    }
    if (method === "PATCH") {
      const found = this.comments.find(({ id }) => path.endsWith(`/comments/${id}`));
      if (found === undefined) return { status: 404 };
      found.body = text;
      return { status: 200, body: found };
    }
    const page = Number(new URL(path, "http://x").searchParams.get("page"));
    const size = Number(new URL(path, "http://x").searchParams.get("per_page"));
    return { status: 200, body: this.comments.slice((page - 1) * size, page * size) };
  }
}
