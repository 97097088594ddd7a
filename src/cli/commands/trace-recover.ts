import { recover } from "../../flow/recover.ts";
import type { Run } from "../command.ts";
import { openPlace } from "../config.ts";

export const run: Run = async ({ io, positionals, values }) => {
  const place = openPlace(io);
  const outcome = await recover(
    place,
    place.find(positionals[0] ?? ""),
    values["accept-loss"] === true,
  );
  const { kind, trace, entries, state, next, problems, kept } = outcome;
  const next_ = `It is ${state} with ${entries} entries. ${next.length > 0 ? `Next may come: ${next.join(", ")}` : "Nothing can follow."}`;
  const words = {
    sound: `${trace} is sound; nothing to recover. ${next_}`,
    recovered: `${trace} goes on; the loss is recorded, the damaged files are in ${kept}. ${next_}`,
    "needs-consent": `${trace} is damaged; nothing was changed:\n${problems.map((problem) => `  ${problem}`).join("\n")}\nRestore it from a backup, or go on without what is lost: "sworn trace recover ${trace} --accept-loss"`,
  }[kind];
  return { exit: kind === "needs-consent" ? 4 : 0, json: outcome, words };
};
