import { resolve } from "node:path";
import * as z from "zod";
import { isRefused, OPERATOR } from "../../flow/talk/bus.ts";
import { PRIORITIES } from "../../flow/talk/envelope.ts";
import { mailFolder, sendMail } from "../../flow/talk/mail.ts";
import { Mailbox } from "../../flow/talk/mailbox.ts";
import { Name, Text } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { onBus, refusedAnswer, scope, textOf, whereOf } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  ...scope,
  to: Name,
  subject: Text.max(200),
  text: z.string().min(1).optional(),
  file: z.string().min(1).optional(),
  priority: z.string().toUpperCase().pipe(z.enum(PRIORITIES)).default("NORMAL"),
  box: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { to, subject, priority, box } = args;
  const where = await whereOf(args, io);
  const text = await textOf(args, io);
  return onBus(where, async (on): Promise<Answer> => {
    const folder = box === undefined ? mailFolder(on) : resolve(io.cwd, box);
    const mail = { to, subject, text, priority };
    const sent = await sendMail(on, OPERATOR, new Mailbox(folder), mail);
    if (isRefused(sent)) return refusedAnswer(sent);
    return { exit: 0, json: sent, words: `Sent ${sent.id} as ${sent.path}` };
  });
}
