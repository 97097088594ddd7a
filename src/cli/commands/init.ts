import { dirname, resolve } from "node:path";
import * as z from "zod";
import { initialize } from "../../flow/keys.ts";
import { openPlace, readPassphrase } from "../config.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({
  "passphrase-file": z.string().min(1).optional(),
  here: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io, args.here ? "here" : undefined);
  const file = args["passphrase-file"];
  const passphrase = file === undefined ? undefined : readPassphrase(resolve(io.cwd, file));
  const { store, isNew, keys, verifierKey } = await initialize(place, passphrase);
  const words = [
    isNew ? `Ready: records go to ${store}` : `Nothing to do: ${store} is there already`,
    ...(dirname(store) === io.cwd
      ? []
      : ['This folder is inside that project; "sworn init --here" makes a store of its own.']),
    `The keys of ${keys.map(({ agent }) => agent).join(" and ")} are in ${place.keyFolder}, outside this project.`,
    "Others verify your records with this key:",
    `  ${verifierKey}`,
    'Next: "sworn review" looks at your last change; "sworn --help" has the rest.',
  ];
  const json = {
    store,
    created: isNew,
    verifierKey,
    keys: keys.map(({ agent, key }) => ({ agent, key })),
  };
  return { exit: 0, json, words: words.join("\n") };
}
