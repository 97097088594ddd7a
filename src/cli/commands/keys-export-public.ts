import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { keysOf, verifierKeyOf } from "../../flow/keys.ts";
import type { Place } from "../../flow/place.ts";
import { KeyId, Name } from "../../schema/index.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { table } from "../table.ts";

const RUNTIME = "sworn";

export const Arguments = z.strictObject({
  agent: Name.default(RUNTIME),
  all: z.boolean().default(false),
  "key-id": KeyId.optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { agent, all } = args;
  const place = openPlace(io);
  const own = keysOf(place, agent).map((key) => ({ ...key, verifierKey: verifierKeyOf(key) }));
  const shown = ({ public: publicText, verifierKey }: (typeof own)[number]) =>
    agent === RUNTIME ? verifierKey : publicText;
  if (all && own.length > 0) {
    const rows = own.map((key) => [shown(key), key.status, key.created_at, key.key]);
    const words = table(["PUBLIC KEY", "STATUS", "CREATED", "KEY ID"], rows);
    return { exit: 0, json: { agent, keys: own.map(({ agent: _, ...key }) => key) }, words };
  }
  const wanted = args["key-id"];
  const found = own.find(({ key, status }) => (wanted ? key === wanted : status === "active"));
  if (!found) throw noSuchKey(place, agent, wanted);
  const { key, public: publicText, verifierKey } = found;
  return { exit: 0, json: { agent, key, public: publicText, verifierKey }, words: shown(found) };
}

function noSuchKey(place: Place, agent: string, wanted: string | undefined): SwornError {
  if (place.keyring.list().length === 0) {
    return new SwornError("NOT_FOUND", 'there are no keys yet; make them with "sworn init"');
  }
  const what = wanted === undefined ? "no active key" : `no key ${wanted}`;
  return new SwornError("NOT_FOUND", `${agent} has ${what} here; see "sworn keys list"`);
}
