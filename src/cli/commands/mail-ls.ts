import * as z from "zod";
import { listMail, mailFolder } from "../../flow/talk/mail.ts";
import { Mailbox } from "../../flow/talk/mailbox.ts";
import type { Answer, Io } from "../io.ts";
import { namedBox } from "../named-box.ts";
import { openRunPlace } from "../run-place.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({ box: z.string().min(1).optional() });

export async function run({ box }: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const folder = box === undefined ? mailFolder({ place }) : namedBox(box, io);
  const mails = listMail(new Mailbox(folder));
  const rows = mails.map((mail) => [
    mail.file,
    mail.from ?? "",
    mail.to ?? "",
    mail.priority ?? "",
    mail.subject ?? mail.problem ?? "",
  ]);
  const words =
    rows.length === 0
      ? `no mail in ${folder}`
      : table(["FILE", "FROM", "TO", "PRIORITY", "SUBJECT"], rows, io.columns);
  return { exit: 0, json: { folder, mails }, words };
}
