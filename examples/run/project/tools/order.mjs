// What a worker is told: its subtask's name stands in the first heading of its task, and the place
// for its output below it.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

let text = "";
for await (const chunk of process.stdin) text += chunk;

export const order = text;
export const subtask = /^# (ST-\d+):/m.exec(text)?.[1] ?? "";
const outputPath = /- Write (\S+) with these fields/.exec(text)?.[1] ?? "";

/** Writes a file of the project, or anywhere else. */
export function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Hands in what the plan asks for. */
export function deliver(output) {
  write(outputPath, `${JSON.stringify(output)}\n`);
}

/** The folder that is this subtask's alone. */
export const staging = dirname(outputPath);

/** A value that an earlier subtask left, as the plan names it. */
export function given(name) {
  const line = text.split("\n").find((one) => one.includes(`"${name}":`)) ?? "";
  return JSON.parse(/:\s*(".*"|\d+)/.exec(line)?.[1] ?? "null");
}

/** What stands in the prompt as data, under a label; every line of it begins with a bar. */
export function data(label) {
  const from = text.indexOf(`Data (${label})`);
  const lines = from < 0 ? [] : text.slice(from).split("\n").slice(2);
  const to = lines.findIndex((line) => !line.startsWith("|"));
  return lines
    .slice(0, to)
    .map((line) => line.slice(2))
    .join("\n");
}
