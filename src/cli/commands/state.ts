import * as z from "zod";
import { takeDefaults } from "../../flow/talk/ask.ts";
import { isRefused, OPERATOR } from "../../flow/talk/bus.ts";
import { noteState, stateOf } from "../../flow/talk/task-state.ts";
import { writeRenderings } from "../../flow/talk/write-renderings.ts";
import { stateWords } from "../../inside/index.ts";
import { Text } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { onBus, onKnownBus, refusedAnswer, scope, whereOf } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  ...scope,
  note: Text.optional(),
  write: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { note, write } = args;
  const where = await whereOf(args, io);
  return (note === undefined ? onKnownBus : onBus)(where, async (on): Promise<Answer> => {
    const said = note === undefined ? undefined : await noteState(on, OPERATOR, note);
    if (said !== undefined && isRefused(said)) return refusedAnswer(said);
    if (note !== undefined) await takeDefaults(on);
    const state = stateOf(on);
    const files = write ? writeRenderings(on) : [];
    const words = [...stateWords(state), ...files.map((path) => `wrote ${path}`)];
    return { exit: 0, json: { ...state, files }, words: words.join("\n") };
  });
}
