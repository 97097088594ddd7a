import { join, resolve } from "node:path";
import * as z from "zod";
import { counted } from "../../base/index.ts";
import { type WrittenContract, writeContract } from "../../flow/contract/workflow-contract.ts";
import { openPlace } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({
  workflow: z.string().min(1),
  out: z.string().min(1).optional(),
  files: z.array(z.string().min(1)).default([]),
  range: z.string().min(1).optional(),
  task: z.string().min(1).optional(),
  overlap: z.boolean().default(false),
});

/** How many files without a reader a person is shown; all of them are in the JSON. */
const LISTED_MAX = 20;

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const written = await writeContract({
    workflow: args.workflow,
    folder: io.cwd,
    out: args.out === undefined ? undefined : resolve(io.cwd, args.out),
    files: { globs: args.files, range: args.range },
    task: args.task,
    overlap: args.overlap,
    env: io.env,
    signal: io.signal,
    placeFor: (root) => openPlace({ ...io, cwd: root }, "here"),
  });
  return toAnswer(written);
}

function toAnswer({ folder, contract, prompts, uncovered, notes }: WrittenContract): Answer {
  const path = join(folder, "inscription.json");
  const rows = prompts.map(({ name, files, path: prompt }) => [name, String(files), prompt]);
  const more = uncovered.length - LISTED_MAX;
  const words = [
    `Contract: ${path}`,
    table(["TEAMMATE", "FILES", "PROMPT"], rows),
    ...(uncovered.length === 0 ? [] : [`Nobody reads ${counted(uncovered.length, "file")}:`]),
    ...uncovered.slice(0, LISTED_MAX).map(({ file, why }) => `  ${file}: ${why}`),
    ...(more > 0 ? [`  and ${more} more; --json has them all`] : []),
    ...notes.map((note) => `Note: ${note}`),
    `Next: hand each prompt to an agent; when they are done, "sworn validate ${path}" judges them`,
  ];
  const json = { contract: path, folder, workflow: contract.workflow, prompts, uncovered, notes };
  return { exit: 0, json, words: words.join("\n") };
}
