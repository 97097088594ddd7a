// A planner that has its answers ready, for trying "sworn plan" without a model. A real one is any agent that reads the
// prompt on standard input and prints the JSON object that the phase asks for.
import { readFileSync } from "node:fs";

const answers = JSON.parse(readFileSync(`${import.meta.dirname}/answers.json`, "utf8"));
const prompt = readFileSync(0, "utf8");
const phase = /<phase name="([a-z]+)"/.exec(prompt)?.[1] ?? "";
process.stdout.write(`${JSON.stringify(answers[phase])}\n`);
