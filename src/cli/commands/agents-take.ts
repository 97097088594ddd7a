import * as z from "zod";
import { counted } from "../../base/index.ts";
import { takeRun } from "../../flow/agent/take-run.ts";
import { isRefused } from "../../flow/talk/bus.ts";
import { wholeId } from "../../flow/whole-id.ts";
import { Repository } from "../../repo/index.ts";
import { doubtWords } from "../agent-words.ts";
import { openPlace } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";
import { refusedAnswer } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  run: z.string().min(1),
  only: z.array(z.string().min(1)).default([]),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const repository = await Repository.open(io.cwd, { env: io.env });
  try {
    const place = openPlace({ ...io, cwd: repository.root }, "here");
    const taken = await takeRun(place, repository, {
      ...args,
      run: wholeId(place, args.run, ["run"]),
    });
    if (isRefused(taken)) return refusedAnswer(taken);
    const { info, files } = taken;
    const lines = files.map(({ path, how }) => `  ${how} ${path.replaceAll(/\p{C}+/gu, " ")}`);
    const words =
      files.length === 0
        ? `Run ${info.run_id} of ${info.agent} changed nothing.`
        : [
            `${counted(files.length, "file")} of run ${info.run_id} staged, and not committed:`,
            ...lines,
            ...(doubtWords(info) === ""
              ? []
              : [
                  `Look closely: ${doubtWords(info)} of what it said; "sworn agents show ${info.run_id}".`,
                ]),
          ].join("\n");
    return { exit: 0, json: { run: info.run_id, files }, words };
  } finally {
    repository.close();
  }
}
