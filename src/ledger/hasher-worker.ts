import { parentPort } from "node:worker_threads";
import { sha256Hex } from "../base/index.ts";
import type { HasherMessage } from "./piece-hasher.ts";
import { TreeHead } from "./tree.ts";

const LINE_FEED = 10;

const tree = new TreeHead();

parentPort?.on("message", (message: HasherMessage) => {
  if (message === null) {
    parentPort?.postMessage({ size: tree.size, root: tree.root() });
    return;
  }
  let from = 0;
  for (let to = message.indexOf(LINE_FEED); to >= 0; to = message.indexOf(LINE_FEED, from)) {
    tree.append(sha256Hex(message.subarray(from, to)));
    from = to + 1;
  }
  tree.append(sha256Hex(message.subarray(from)));
  parentPort?.postMessage(null);
});
