import { SwornError } from "../../base/index.ts";
import { verifierKeyOf } from "../../flow/keys.ts";
import type { Run } from "../command.ts";
import { openPlace } from "../config.ts";

export const run: Run = async ({ io, positionals }) => {
  const agent = positionals[0] ?? "sworn";
  const current = openPlace(io).keyring.current(agent);
  if (!current)
    throw new SwornError("NOT_FOUND", `${agent} has no active key here; see "sworn keys list"`);
  const verifierKey = verifierKeyOf({ ...current });
  const { key, public: publicText } = current;
  return {
    exit: 0,
    json: { agent, key, public: publicText, verifierKey },
    words: agent === "sworn" ? verifierKey : publicText,
  };
};
