import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createRunAuthority } from "../../../../src/egress/index.ts";

/** What somebody showed to be let in, in the order of the requests. */
export interface GitServer {
  readonly url: string;
  /** The file with the authority's certificate, as git takes it. */
  readonly caFile: string;
  readonly shown: (string | undefined)[];
  /** Done once, just before the next push is taken. */
  beforePush: (() => void) | undefined;
}

/** Git's own server for https on loopback, for the repositories below a folder and one token. */
export async function gitServer(root: string, token: string): Promise<GitServer> {
  const authority = await createRunAuthority({ validForMs: 3_600_000, hosts: ["localhost"] });
  const caFile = join(root, "ca.pem");
  writeFileSync(caFile, authority.certificatePem);
  const expected = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
  const state: GitServer = { url: "", caFile, shown: [], beforePush: undefined };
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
      state.shown.push(request.headers.authorization);
      if (request.headers.authorization !== expected) {
        response.writeHead(401, { "WWW-Authenticate": 'Basic realm="git"' }).end("no");
        return;
      }
      if (request.url?.includes("info/refs?service=git-receive-pack")) {
        state.beforePush?.();
        state.beforePush = undefined;
      }
      serve(root, request, response);
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
  return Object.assign(state, { url: `https://localhost:${port}` });
}

/** One request by the rules of CGI. */
function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const { "content-type": type, "content-encoding": encoding } = request.headers;
  const child = spawn("git", ["http-backend"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      ...{ PATH: process.env["PATH"], GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: "1" },
      ...{ PATH_INFO: path, QUERY_STRING: query, REQUEST_METHOD: request.method ?? "" },
      ...{ CONTENT_TYPE: type ?? "", HTTP_CONTENT_ENCODING: encoding ?? "", REMOTE_USER: "sworn" },
      HTTP_GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
  });
  const chunks: Buffer[] = [];
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.once("close", () => {
    const whole = Buffer.concat(chunks);
    const at = whole.indexOf("\r\n\r\n");
    let code = 200;
    for (const line of whole.toString("latin1", 0, at).split("\r\n")) {
      const [name = "", value = ""] = line.split(": ");
      if (name === "Status") code = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.writeHead(code).end(whole.subarray(at + 4));
  });
}

/**
 * A folder for the front of the PATH. Its `git` notes what it was called with and goes on as git; its
 * `ssh` notes the same and its environment, and runs on this machine what it was to run on another.
 */
export function watchedPrograms(folder: string): { readonly path: string; readonly log: string } {
  const bin = join(folder, "bin");
  const log = join(folder, "calls.log");
  mkdirSync(bin);
  writeFileSync(log, "");
  const rest = process.env["PATH"] ?? "";
  const note = `printf '%s\\n' "$(basename "$0") $*" >> '${log}'`;
  const script = (name: string, lines: string[]) => {
    writeFileSync(join(bin, name), ["#!/bin/sh", note, ...lines, ""].join("\n"));
    chmodSync(join(bin, name), 0o755);
  };
  script("git", [`exec "$(PATH='${rest}' command -v git)" "$@"`]);
  script("ssh", [
    `env | sed 's/^/ssh-env /' >> '${log}'`,
    "for last; do :; done",
    `PATH='${rest}' exec sh -c "$last"`,
  ]);
  return { path: `${bin}:${rest}`, log };
}
