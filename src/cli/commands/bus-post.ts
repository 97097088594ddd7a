import * as z from "zod";
import { type Bus, isRefused, OPERATOR, type Said } from "../../flow/talk/bus.ts";
import { post } from "../../flow/talk/post.ts";
import { nearest } from "../../flow/words/nearest.ts";
import { busWords } from "../../inside/index.ts";
import { MessageId, MessageKind, Name, Text, ThreadKind } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { onBus, refusedAnswer, scope, textOf, whereOf } from "../talk-scope.ts";

/** `MSG-3`, or `MSG-3:answers`; without a kind it is a reply. */
const ParentWord = z
  .string()
  .transform((given) => {
    const [id, kind = "reply"] = given.split(":", 2);
    return { id, kind };
  })
  .pipe(z.strictObject({ id: MessageId, kind: ThreadKind }));

const MetaWord = z
  .string()
  .regex(/^[^=]+=[\s\S]+$/, 'expected "name=value"')
  .transform((given) => {
    const at = given.indexOf("=");
    return [given.slice(0, at), given.slice(at + 1)] as const;
  })
  .pipe(z.tuple([Name, Text.max(1_024)]));

export const Arguments = z.strictObject({
  ...scope,
  text: z.string().min(1).optional(),
  file: z.string().min(1).optional(),
  kind: z.string().toUpperCase().pipe(MessageKind).default("USER"),
  parent: z.array(ParentWord).max(100).default([]),
  issue: Text.max(128).optional(),
  meta: z.array(MetaWord).max(20).default([]),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { kind, parent, issue, meta } = args;
  const where = await whereOf(args, io);
  const text = await textOf(args, io);
  return onBus(where, async (on) => {
    const said = await post(on, OPERATOR, {
      ...{ text, kind, parents: parent, issue_id: issue },
      ...(meta.length === 0 ? {} : { meta: Object.fromEntries(meta) }),
    });
    if (isRefused(said)) return refusedAnswer(said);
    const words = [`Said ${said.id} on ${busWords(on)}.`, ...newTaskWords(on, said)];
    return { exit: 0, json: said, words: words.join("\n") };
  });
}

/** A task begins with the first word about it, so a slip of the pen begins one too. */
function newTaskWords({ place, task }: Bus, { seq }: Said): string[] {
  if (task === undefined || seq > 1) return [];
  const others = place.tasks().filter((one) => one !== task);
  const meant = nearest(task, others);
  return meant === undefined ? [] : [`Nobody had spoken of ${task} before; did you mean ${meant}?`];
}
