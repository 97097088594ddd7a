import * as z from "zod";
import { verifierKeyOf } from "../../flow/keys.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { table } from "../table.ts";

/** Whose key others verify with. */
const RUNTIME = "sworn";

export const Arguments = z.strictObject({});

export async function run(_: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { keyring } = openPlace(io);
  const keys = keyring
    .list()
    .map((key) => (key.agent === RUNTIME ? { ...key, verifierKey: verifierKeyOf(key) } : key));
  const rows = keys.map(({ agent, key, status, created_at }) => [agent, key, status, created_at]);
  const words =
    keys.length === 0
      ? 'No keys yet; "sworn init" makes the first.'
      : table(["AGENT", "KEY", "STATUS", "CREATED"], rows, io.columns);
  return { exit: 0, json: { keys, passphrase: keyring.isLocked }, words };
}
