import * as z from "zod";
import { mailFolder, takeMail } from "../../flow/talk/mail.ts";
import { Mailbox } from "../../flow/talk/mailbox.ts";
import type { Answer, Io } from "../io.ts";
import { namedBox } from "../named-box.ts";
import { onBus, scope, whereOf } from "../talk-scope.ts";

export const Arguments = z.strictObject({ ...scope, box: z.string().min(1).optional() });

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { box } = args;
  const where = await whereOf(args, io);
  const folder = box === undefined ? mailFolder(where) : namedBox(box, io);
  return onBus(where, async (on): Promise<Answer> => {
    const outcome = await takeMail(on, new Mailbox(folder));
    const words = [
      ...outcome.taken.map(({ file, id, from }) => `${file}: ${id}, says it is from ${from}`),
      ...outcome.waiting.map(({ file, until }) => `${file}: waits until ${until}`),
      ...outcome.refused.map(({ file, reason }) => `${file}: put aside: ${reason}`),
    ];
    return {
      exit: outcome.refused.length === 0 ? 0 : 3,
      json: { trace: on.trace, folder, ...outcome },
      words: words.length === 0 ? `no mail in ${folder}` : words.join("\n"),
    };
  });
}
