import { SwornError } from "../../base/index.ts";
import { revokeKey } from "../../flow/keys.ts";
import { type Run, textOf } from "../command.ts";
import { openPlace } from "../config.ts";
import { keyChangeAnswer } from "../key-words.ts";

export const run: Run = async (call) => {
  const reason = textOf(call, "reason");
  if (reason === undefined || reason.trim() === "") {
    throw new SwornError(
      "INPUT_INVALID",
      '--reason is missing: expected why, for the record (--reason "laptop lost")',
    );
  }
  const change = await revokeKey(
    openPlace(call.io),
    call.positionals[0] ?? "",
    textOf(call, "key"),
    reason,
  );
  const next = `Give it a new one with "sworn keys rotate ${change.agent}".`;
  return keyChangeAnswer(change, `The key ${change.key} of ${change.agent} is revoked. ${next}`);
};
