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
  const place = openPlace(io);
  const change = await revokeKey(place, args.agent, args.key, args.reason);
  const current = place.keyring.current(change.agent);
  const next = current
    ? `It signs with ${current.key} now.`
    : `Give it a new one with "sworn keys rotate ${change.agent}".`;
  return keyChangeAnswer(change, `The key ${change.key} of ${change.agent} is revoked. ${next}`);
}
