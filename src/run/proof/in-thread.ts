import { Worker } from "node:worker_threads";
import { SwornError } from "../../base/index.ts";

const MEMORY_MB = 256;

/**
 * Runs code of ours on text of somebody else's in a thread of its own, and ends it when it takes too
 * long: a pattern or a document can be made to keep a parser busy for ever.
 *
 * @param code a program that reads `workerData` and posts one message
 * @returns what it posted; undefined when the time was over
 * @throws SwornError `LIMIT_EXCEEDED` when the thread failed or had too little memory.
 */
export async function inThread(
  code: string,
  workerData: unknown,
  deadlineMs: number,
): Promise<unknown> {
  const worker = new Worker(code, {
    eval: true,
    workerData,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => resolve(undefined), deadlineMs);
      worker.once("message", resolve);
      worker.once("error", ({ message }: Error) =>
        reject(new SwornError("LIMIT_EXCEEDED", `it could not be read: ${message}`)),
      );
      worker.once("exit", () =>
        reject(new SwornError("LIMIT_EXCEEDED", "it could not be read: the thread ended")),
      );
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
