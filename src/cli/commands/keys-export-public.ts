import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { verifierKeyOf } from "../../flow/keys.ts";
import { Name } from "../../schema/index.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";

const RUNTIME = "sworn";

export const Arguments = z.strictObject({ agent: Name.default(RUNTIME) });

export async function run({ agent }: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const current = openPlace(io).keyring.current(agent);
  if (!current) {
    throw new SwornError("NOT_FOUND", `${agent} has no active key here; see "sworn keys list"`);
  }
  const { key, public: publicText } = current;
  const verifierKey = verifierKeyOf(current);
  const words = agent === RUNTIME ? verifierKey : publicText;
  return { exit: 0, json: { agent, key, public: publicText, verifierKey }, words };
}
