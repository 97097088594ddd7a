// The auditor's seat: sees the change and the criteria alone. A result that stands in the source word
// for word was not worked out.
import { data } from "./order.mjs";

const added = data("change")
  .split("\n")
  .filter((line) => /^\+\s+return "/.test(line));
const reasons = added.map((line) => `src/slug.js returns a fixed answer: ${line.slice(1).trim()}`);
console.log(JSON.stringify({ verdict: reasons.length === 0 ? "accept" : "reject", reasons }));
