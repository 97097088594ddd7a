// The least a full check can do with an entry: its canonical form, its hash, its signature.
import { hash, verify } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { canonicalize, toPublicKey } from "../dist/base/index.js";

const { lines, keys } = workerData;
const keyOf = new Map(keys.map(({ key, public: publicText }) => [key, toPublicKey(publicText)]));
const entries = Buffer.from(lines)
  .toString()
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

function check(entry) {
  const line = canonicalize(entry);
  const digest = hash("sha256", line, "buffer");
  const member = `,"sig":"${entry.sig}"`;
  const at = line.lastIndexOf(member);
  const signed = Buffer.from(line.slice(0, at) + line.slice(at + member.length));
  const isGood = verify(null, signed, keyOf.get(entry.actor.key), Buffer.from(entry.sig, "base64"));
  if (!isGood || digest.length !== 32) throw new Error(`entry ${entry.seq} does not verify`);
}

parentPort.on("message", () => {
  entries.forEach(check);
  parentPort.postMessage("done");
});
parentPort.postMessage("ready");
