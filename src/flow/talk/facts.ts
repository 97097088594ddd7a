import { SwornError, sha256Hex } from "../../base/index.ts";
import { type BusMessage, type KnownFact, type Refusal, refuse } from "../../view/index.ts";
import { nearest } from "../words/nearest.ts";
import { type Author, actorOf, type Bus, isLeading, isRefused, type Said } from "./bus.ts";
import { post } from "./post.ts";
import { readMessage } from "./read-bus.ts";

/** Something that somebody holds to be so. */
export interface NewFact {
  readonly title: string;
  readonly text: string;
  /** Its name; made from the title where there is none. */
  readonly fact_id?: string | undefined;
}

/** The facts of a bus, and those that were only suggested. */
export interface Facts {
  readonly facts: readonly KnownFact[];
  readonly suggested: readonly BusMessage[];
}

/** The member of a suggestion's `meta` that holds its title. */
const TITLE = "title";
const TITLE_CHARS_MAX = 256;
const NAME_CHARS_MAX = 64;

/** What came of a new fact: it stands, or it waits for whoever leads. */
export type Added = Said & { readonly fact_id: string | null };

/**
 * Adds a fact. From whoever leads it stands at once; from anybody else it is a suggestion on the
 * bus, and whoever leads decides.
 */
export async function addFact(on: Bus, author: Author, fact: NewFact): Promise<Added | Refusal> {
  const { title, text } = fact;
  if (!isLeading(author)) {
    const meta = { [TITLE]: title };
    const said = await post(on, author, { kind: "FACT", text: `${title}\n\n${text}`, meta });
    return isRefused(said) ? said : { ...said, fact_id: null };
  }
  const fact_id = fact.fact_id ?? nameOf(title);
  const scope = on.task === undefined ? "project" : "task";
  const said = await on.record({
    actor: actorOf(author),
    type: "fact_recorded",
    body: {
      ...{ fact_id, scope, title, text },
      ...(author.run === undefined ? {} : { run_id: author.run }),
    },
  });
  return isRefused(said) ? said : { ...said, fact_id };
}

export function factsOf(on: Bus): Facts {
  const { facts, messages } = on.talk();
  const suggested = messages.filter((one) => one.kind === "FACT" && one.about === undefined);
  return { facts: [...facts.values()], suggested };
}

/** A suggestion as it is told: its title is its own, or its first line. */
export function toldSuggestion({ id, agent, at, meta, text }: BusMessage) {
  return { id, agent, at, title: meta?.[TITLE] ?? text.split("\n")[0] ?? "" };
}

/**
 * Makes a fact, or a suggestion, of a task one of the project. However often and by how many it is
 * done, the project has it once.
 *
 * @throws SwornError `NOT_FOUND` when there is no such fact, with the one that was probably meant.
 */
export async function promoteFact(
  from: Bus,
  to: Bus,
  author: Author,
  wanted: string,
): Promise<Added | Refusal> {
  if (!isLeading(author)) {
    return refuse(
      "ROLE_GUARD",
      `facts are promoted by the lead or a person, not by ${author.agent}`,
    );
  }
  return promote(from, to, author, findFact(from, wanted));
}

/**
 * Promotes all facts of a task; those that were promoted before are left alone. Suggestions are
 * not facts: they need somebody who decides.
 *
 * @returns the names that the new ones have in the project.
 */
export async function propagateFacts(
  from: Bus,
  to: Bus,
  author: Author,
): Promise<readonly string[] | Refusal> {
  const known = new Set(
    [...to.talk().facts.values()].map(
      (one) => `${one.promoted_from?.trace} ${one.promoted_from?.id}`,
    ),
  );
  const added: string[] = [];
  for (const fact of from.talk().facts.values()) {
    if (known.has(`${from.trace} ${fact.id}`)) continue;
    const promoted = await promoteFact(from, to, author, fact.fact_id);
    if (isRefused(promoted)) return promoted;
    if (promoted.fact_id !== null) added.push(promoted.fact_id);
  }
  return added;
}

/** A fact on its way: what it says and where it was said. */
interface Promotable {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly run: string | undefined;
}

async function promote(from: Bus, to: Bus, author: Author, fact: Promotable) {
  const { id, name, title, text, run } = fact;
  const fact_id = projectName(from.task ?? "project", name);
  const said = await to.record({
    actor: actorOf(author),
    type: "fact_recorded",
    body: {
      ...{ fact_id, scope: "project" as const, title, text },
      ...(run === undefined ? {} : { run_id: run }),
      promoted_from: { trace: from.trace, id },
    },
    idem: `promote ${from.trace} ${id}`,
  });
  if (!isRefused(said)) return { ...said, fact_id };
  // Somebody else promoted it first, in their own name: it is there, which was all that was wanted.
  const there = to.talk().facts.get(fact_id);
  const isSame = there?.promoted_from?.trace === from.trace && there.promoted_from.id === id;
  if (!isSame) return said;
  return { id: there.id, seq: Number(there.id.slice(4)), trace: to.trace, fact_id };
}

function findFact(from: Bus, wanted: string): Promotable {
  const { facts, suggested } = factsOf(from);
  const fact = facts.find(({ fact_id, id }) => fact_id === wanted || id === wanted);
  if (fact) {
    return { ...fact, name: fact.fact_id, run: fact.run_id };
  }
  const message = suggested.find(({ id }) => id === wanted);
  if (message) {
    const { id, text } = readMessage(from, message.id);
    const title = (message.meta?.[TITLE] ?? text.split("\n")[0] ?? id).slice(0, TITLE_CHARS_MAX);
    return { id, name: nameOf(title), title: title.toWellFormed(), text, run: message.run };
  }
  const meant = nearest(wanted, [
    ...facts.map(({ fact_id }) => fact_id),
    ...suggested.map(({ id }) => id),
  ]);
  const hint = meant === undefined ? 'see "sworn fact ls"' : `did you mean ${meant}?`;
  throw new SwornError("NOT_FOUND", `no fact ${JSON.stringify(wanted.slice(0, 100))}; ${hint}`);
}

/** A title as a name: what is left of it in letters, digits and dashes. */
function nameOf(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 48)
    .replace(/^-|-$/g, "");
  return name === "" ? `fact-${sha256Hex(title).slice(0, 8)}` : name;
}

/** One name for one fact of one task, so that two who promote it at once name the same thing. */
function projectName(task: string, name: string): string {
  const whole = `${task}.${name}`;
  if (whole.length <= NAME_CHARS_MAX) return whole;
  return `${whole.slice(0, NAME_CHARS_MAX - 9)}-${sha256Hex(whole).slice(0, 8)}`;
}
