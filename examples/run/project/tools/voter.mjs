// A voter's seat: reads the files as the work left them, and says which line it looked at.
import { readFileSync } from "node:fs";

const path = process.argv[2];
const wanted = process.argv[3];
const lines = readFileSync(path, "utf8").split("\n");
const at = lines.findIndex((line) => line.includes(wanted));
const isThere = at >= 0;
console.log(
  JSON.stringify({
    vote: isThere ? "green" : "red",
    rationale: isThere ? `${path} has ${wanted}.` : `${path} does not have ${wanted}.`,
    evidence: [`${path}:${isThere ? at + 1 : 1}`],
    ...(isThere ? {} : { fix: `Put ${wanted} into ${path}.` }),
  }),
);
