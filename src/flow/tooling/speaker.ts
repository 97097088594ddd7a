import { type Role, RUNNER_KINDS } from "../../schema/index.ts";
import type { Verb } from "../../schema/tooling.ts";
import { type Refusal, refuse } from "../../view/index.ts";

/** Who speaks. It is bound where a way to speak is made, and nothing that is said over it changes it. */
export interface Speaker {
  readonly agent: string;
  readonly role: Role;
  /** The task that is spoken about; undefined for an operator who named none. */
  readonly task: string | undefined;
  /** The run that speaks; undefined for a person. */
  readonly run: string | undefined;
  /** How many runs are above this one. */
  readonly depth: number;
}

const RUNNERS: readonly string[] = RUNNER_KINDS;

/**
 * What a speaker may not say because it would be taken for somebody else's word. The ledger's own
 * guards say the same once more.
 */
export function speakerRefusal(
  { agent, role }: Speaker,
  verb: Verb,
  args: object,
): Refusal | undefined {
  if (verb !== "bus.post" || !("kind" in args)) return undefined;
  const kind = String(args.kind);
  if (RUNNERS.includes(kind) && role !== "runtime") {
    return refuse("ROLE_GUARD", `${kind} is the runner's to say, and ${agent} is ${role}`);
  }
  if (kind === "USER" && role !== "operator") {
    return refuse("ROLE_GUARD", `USER is a person's to say, and ${agent} is ${role}`);
  }
  return undefined;
}
