import { BwrapEngine } from "../../sandbox/index.ts";
import type { ExecRefusal } from "../exec/exec-outcome.ts";
import { type Answered, fails } from "./guarantee.ts";

/** A run that should have begun was refused: what the sandbox lacks here, else the rule that refused. */
export async function noSandbox({ rule, reason }: ExecRefusal): Promise<Answered> {
  const [first] = await new BwrapEngine().examine();
  const why = first === undefined ? `${rule}: ${reason}` : first.reason;
  return fails(`a command cannot be run sealed off here: ${why} (see "sworn doctor")`);
}
