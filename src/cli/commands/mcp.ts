import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ensureFolder, writeFileDurably } from "../../base/index.ts";
import { packageVersion } from "../../flow/package-version.ts";
import { OPERATOR } from "../../flow/talk/bus.ts";
import { ProjectVerbs } from "../../flow/tooling/project-verbs.ts";
import { reviewShelf } from "../../flow/tooling/review-shelf.ts";
import type { Speaker } from "../../flow/tooling/speaker.ts";
import { answerVerb } from "../../flow/tooling/verbs.ts";
import { McpPeer, serveHttp, serveStdio, verbOffer } from "../../mcp/index.ts";
import { Name } from "../../schema/index.ts";
import { WholeNumber } from "../arguments.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunPlace } from "../run-place.ts";

const TOKEN_BYTES = 32;
const PORT_MAX = 65_535;

export const Arguments = z.strictObject({
  task: Name.optional(),
  http: z.boolean().default(false),
  port: WholeNumber.pipe(z.number().max(PORT_MAX)).optional(),
});
type Arguments = z.infer<typeof Arguments>;

/** From outside a run whoever starts this speaks: the operator. */
export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  if (args.port !== undefined && !args.http) {
    const words = "sworn: --port is for --http, which is not given";
    return { exit: 2, json: { error: { code: "USAGE", message: words } }, words, isError: true };
  }
  const place = await openRunPlace(io);
  const { env, signal } = io;
  const verbs = new ProjectVerbs({ place, source: { repository: io.cwd, env, signal } });
  const speaker: Speaker = { ...OPERATOR, task: args.task, run: undefined, depth: 0 };
  // Whoever serves the client is at this terminal, and sees what it is not told.
  const onFault = (error: unknown) => io.err(`sworn: ${String(error)}\n`);
  const ask = (verb: string, given: unknown) =>
    answerVerb(verbs.functions, speaker, verb, given, onFault);
  const scope = { hasTask: args.task !== undefined, reports: reviewShelf(place) };
  const peer = new McpPeer(verbOffer(ask, packageVersion(), scope), onFault);
  try {
    if (args.http) return await overHttp(peer, join(place.state, "mcp"), args.port ?? 0, io);
    await serveStdio(peer, io.input(), io.out).catch((error: unknown) => {
      // Input that is cut off by Ctrl-C is an end like any other.
      if (!signal.aborted) throw error;
    });
    return { exit: 0, json: undefined, words: "" };
  } finally {
    await verbs.close();
  }
}

/** The token lies in a file that only this user can read: an argument would show in a process list. */
async function overHttp(
  peer: McpPeer,
  folder: string,
  port: number,
  io: CommandIo,
): Promise<Answer> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const endpoint = await serveHttp(peer, { port, token });
  const path = join(folder, `${new URL(endpoint.url).port}.token`);
  try {
    ensureFolder(folder, 0o700);
    writeFileDurably(path, `${token}\n`, 0o600);
    io.say(`Serving MCP at ${endpoint.url}\nThe token is in ${path}\n`);
    await new Promise<void>((resolve) => {
      if (io.signal.aborted) resolve();
      else io.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    return { exit: 0, json: { url: endpoint.url, token_file: path }, words: "" };
  } finally {
    rmSync(path, { force: true });
    await endpoint.close();
  }
}
