import * as z from "zod";
import { rotateKey } from "../../flow/keys.ts";
import { Name } from "../../schema/index.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { keyChangeAnswer } from "../key-words.ts";

export const Arguments = z.strictObject({ agent: Name });

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const change = await rotateKey(openPlace(io), args.agent);
  return keyChangeAnswer(change, `${change.agent} signs with ${change.key} from now on`);
}
