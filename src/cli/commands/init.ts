import { resolve } from "node:path";
import { initialize } from "../../flow/keys.ts";
import { type Run, textOf } from "../command.ts";
import { openPlace, readPassphrase } from "../config.ts";

export const run: Run = async (call) => {
  const place = openPlace(call.io);
  const file = textOf(call, "passphrase-file");
  const passphrase = file === undefined ? undefined : readPassphrase(resolve(call.io.cwd, file));
  const { store, isNew, keys, verifierKey } = await initialize(place, passphrase);
  const words = [
    isNew ? `Ready: records go to ${store}` : `Nothing to do: ${store} is there already`,
    `Keys of ${keys.map(({ agent }) => agent).join(" and ")} are in ${place.keyFolder}; nothing in this folder can reach them.`,
    "Others verify your records with this key:",
    `  ${verifierKey}`,
    'Next: "sworn trace record <script.jsonl>", or see examples/session.jsonl.',
  ];
  return {
    exit: 0,
    json: {
      store,
      created: isNew,
      verifierKey,
      keys: keys.map(({ agent, key }) => ({ agent, key })),
    },
    words: words.join("\n"),
  };
};
