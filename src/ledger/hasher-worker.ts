import { parentPort } from "node:worker_threads";
import { appendLines, type HasherMessage } from "./piece-hasher.ts";
import { TreeHead } from "./tree.ts";

const tree = new TreeHead();

parentPort?.on("message", (message: HasherMessage) => {
  if (message === null) {
    parentPort?.postMessage({ size: tree.size, root: tree.root() });
    return;
  }
  for (const piece of message) appendLines(tree, piece);
  parentPort?.postMessage(null);
});
