import { parentPort } from "node:worker_threads";
import { KeyTable, splitLines } from "./line.ts";
import { checkPiece, type EnrolledKey } from "./line-checker.ts";

const table = new KeyTable();

parentPort?.on("message", ({ piece, keys }: { piece: Uint8Array; keys: EnrolledKey[] }) => {
  for (const [id, publicText] of keys) table.add(id, publicText);
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  const verdict = checkPiece(splitLines(bytes), table);
  parentPort?.postMessage(verdict, [verdict.hashes.buffer]);
});
