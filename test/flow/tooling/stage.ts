import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { RunSocket, type RunSocketOptions } from "../../../src/flow/tooling/run-socket.ts";
import type { Speaker } from "../../../src/flow/tooling/speaker.ts";
import type { VerbFunctions } from "../../../src/flow/tooling/verbs.ts";
import { VERBS } from "../../../src/schema/tooling.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

export const CODER: Speaker = {
  agent: "coder",
  role: "executor",
  task: "task-1",
  run: "20260101-0000000000-1",
  depth: 3,
};

/** One call of a verb's function: what arrived behind the socket, and as whom. */
export interface Call {
  readonly verb: string;
  readonly args: object;
  readonly speaker: Speaker;
}

/** Functions that write down who asked for what, and answer with what they are given. */
export function listening(
  calls: Call[],
  answer: (verb: string) => Promise<object> = async () => ({ id: "MSG-1" }),
): VerbFunctions {
  const one = (verb: string) => (args: object, speaker: Speaker) => {
    calls.push({ verb, args, speaker });
    return answer(verb);
  };
  const all = Object.keys(VERBS).map((verb) => [verb, one(verb)]);
  return Object.fromEntries(all) as VerbFunctions;
}

/** A socket of a run that is gone after the test. */
export async function socketOf(
  more: Partial<RunSocketOptions> = {},
  answer?: () => Promise<object>,
) {
  const calls: Call[] = [];
  const socket = await RunSocket.listen({
    folder: temporaryFolder(),
    speaker: CODER,
    functions: listening(calls, answer),
    ...more,
  });
  onTestFinished(() => socket.close());
  return { socket, calls };
}

/** A connection that sends what it is told and gives the answers line by line. */
export async function connectTo(path: string) {
  const socket = createConnection(path);
  onTestFinished(() => {
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  socket.on("error", () => {});
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  return {
    socket,
    send: (value: string | Buffer | object) =>
      socket.write(
        typeof value === "string" || Buffer.isBuffer(value) ? value : `${JSON.stringify(value)}\n`,
      ),
    /** The next answer; undefined when the other side has ended the connection. */
    next: async () => {
      const { done, value } = await lines.next().catch(() => ({ done: true, value: "" }));
      return done === true ? undefined : JSON.parse(value);
    },
  };
}

/** One request and its answer, over a connection of its own. */
export async function ask(path: string, verb: string, args: object = {}) {
  const connection = await connectTo(path);
  connection.send({ id: 1, verb, args });
  const answer = await connection.next();
  connection.socket.destroy();
  return answer;
}
