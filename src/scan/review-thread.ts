import { parentPort } from "node:worker_threads";
import { outcomesOf } from "./file-outcome.ts";
import type { FileQuestion } from "./pool.ts";

parentPort?.on("message", (question: FileQuestion) => {
  parentPort?.postMessage(outcomesOf(question));
});
