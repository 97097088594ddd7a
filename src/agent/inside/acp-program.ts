import { readFileSync } from "node:fs";
import { type AcpSettings, runAcp } from "./run-acp.ts";

// The only argument is what the driver wrote: this runs inside the sandbox, and believes nobody else.
const settings: AcpSettings = JSON.parse(process.argv[2] ?? "");
const prompt = readFileSync(settings.promptFile, "utf8");
const calledOff = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => calledOff.abort());
}
const isAnswered = await runAcp(
  settings,
  prompt,
  (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
  calledOff.signal,
);
process.exitCode = isAnswered ? 0 : 1;
