import { readFileSync } from "node:fs";
import { type ModelSettings, runModel } from "./model-loop.ts";

// The only argument is what the driver wrote: this runs inside the sandbox, and believes nobody else.
const settings: ModelSettings = JSON.parse(process.argv[2] ?? "");
const prompt = readFileSync(settings.promptFile, "utf8");
const isAnswered = await runModel(
  settings,
  prompt,
  (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
  (progress) => process.stderr.write(`${progress}\n`),
);
process.exitCode = isAnswered ? 0 : 1;
