import * as z from "zod";
import { revokeKey } from "../../flow/keys.ts";
import { KeyId, Name, Text } from "../../schema/index.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { keyChangeAnswer } from "../key-words.ts";

export const Arguments = z.strictObject({
  agent: Name,
  key: KeyId.optional(),
  reason: Text,
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const change = await revokeKey(openPlace(io), args.agent, args.key, args.reason);
  const next = `Give it a new one with "sworn keys rotate ${change.agent}".`;
  return keyChangeAnswer(change, `The key ${change.key} of ${change.agent} is revoked. ${next}`);
}
