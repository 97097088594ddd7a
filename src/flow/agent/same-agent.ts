import { canonicalize, SwornError, sha256Hex } from "../../base/index.ts";
import type { AgentConfig } from "../../schema/agent.ts";
import type { Profile } from "../../schema/index.ts";
import { namedAgents } from "./choose-agent.ts";

/** Somebody in a seat: by its name, and by what its settings come to; undefined where nobody is known by that name. */
export interface Sitting {
  readonly seat: string;
  readonly by: string;
  readonly settings: string | undefined;
}

/** Who does the work, and who looks at it or votes on it. */
export interface Sittings {
  readonly worker: Sitting;
  readonly judging: readonly Sitting[];
  readonly voters: readonly Sitting[];
}

/**
 * One digest of what decides who an agent is: its program and arguments, or its model. What it may use
 * makes nobody else of it.
 */
export function settingsDigest({ limits: _, ...own }: AgentConfig): string {
  return sha256Hex(canonicalize(own));
}

/** A name in a seat, with the settings that `sworn.yaml` gives it now. */
export function sittingIn(seat: string, by: string, root: string): Sitting {
  const config = namedAgents(root).get(by);
  return { seat, by, settings: config && settingsDigest(config) };
}

/** One agent, also where it goes by two names. */
export function isSameAgent(
  one: Pick<Sitting, "by" | "settings">,
  other: Pick<Sitting, "by" | "settings">,
): boolean {
  return one.by === other.by || (one.settings !== undefined && one.settings === other.settings);
}

/**
 * Why nobody can be asked as it is: whoever does the work also judges it, or has two votes. Undefined
 * where all is well, and where somebody works alone: then the report shows who sat where.
 */
export function whyNotApart(
  { worker, judging, voters }: Sittings,
  profile: Profile,
): string | undefined {
  if (profile === "solo") return undefined;
  const others = [
    ...judging,
    ...voters.filter(({ seat }) => judging.every((one) => one.seat !== seat)),
  ];
  const own = others.filter((one) => isSameAgent(worker, one));
  if (own.length > 0) {
    const rule = "whoever does the work neither reviews, judges, audits nor votes on it";
    return words([worker, ...own], own, { rule, profile, voters });
  }
  const twice = voters.filter((one, at) =>
    voters.slice(0, at).some((two) => isSameAgent(one, two)),
  );
  const [second] = twice;
  if (second === undefined) return undefined;
  const same = voters.filter((one) => isSameAgent(one, second));
  const rule = "nobody has two votes";
  return words(same, same.slice(1), { rule, profile, voters });
}

/** @throws SwornError `INPUT_INVALID` where {@link whyNotApart} says why. */
export function assertApart(sittings: Sittings, profile: Profile): void {
  const why = whyNotApart(sittings, profile);
  if (why === undefined) return;
  const alone = "with --profile solo one agent may sit in several seats, and the report says so";
  throw new SwornError(
    "INPUT_INVALID",
    `${why}; sworn agents ls lists whom you could name; ${alone}`,
  );
}

function words(
  all: readonly Sitting[],
  wrong: readonly Sitting[],
  { rule, profile, voters }: { rule: string; profile: Profile; voters: readonly Sitting[] },
): string {
  const names = [...new Set(all.map(({ by }) => by))];
  const seats = listed(all.map(({ seat }) => seat));
  const who =
    names.length === 1
      ? `${names[0]} sits as ${seats}`
      : `${listed(names)} have the same settings and sit as ${seats}`;
  const expected =
    names.length === 1
      ? `roles: { ${rolesFor(wrong, voters)} }`
      : `agents: other settings for ${listed(names.slice(1))} than for ${names[0]}`;
  return `${who}: in the profile ${profile} ${rule}; expected in sworn.yaml ${expected}`;
}

/** The roles as they could be, with somebody else in each seat that is wrong. */
function rolesFor(wrong: readonly Sitting[], voters: readonly Sitting[]): string {
  const isVoter = ({ seat }: Sitting) => seat.startsWith("voter-");
  const single = wrong.filter((one) => !isVoter(one)).map(({ seat }) => `${seat}: <another>`);
  if (!wrong.some(isVoter)) return single.join(", ");
  const isWrong = (one: Sitting) => wrong.some(({ seat }) => seat === one.seat);
  const names = voters.map((one) => (isWrong(one) ? "<another>" : one.by));
  return [...single, `voters: [${names.join(", ")}]`].join(", ");
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
