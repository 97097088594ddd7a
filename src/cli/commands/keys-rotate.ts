import { rotateKey } from "../../flow/keys.ts";
import type { Run } from "../command.ts";
import { openPlace } from "../config.ts";
import { keyChangeAnswer } from "../key-words.ts";

export const run: Run = async ({ io, positionals }) => {
  const change = await rotateKey(openPlace(io), positionals[0] ?? "");
  return keyChangeAnswer(change, `${change.agent} signs with ${change.key} from now on`);
};
