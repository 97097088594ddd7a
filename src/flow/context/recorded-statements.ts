import { sha256Hex } from "../../base/index.ts";
import type { Entry } from "../../schema/index.ts";
import { messageIdOf } from "../../view/index.ts";
import { type EntryPlace, entryAddress } from "../address/entry-address.ts";
import { type SignedEntry, signedEntries } from "../address/signed-entries.ts";
import type { Place } from "../place.ts";
import { readArtifactText } from "../talk/artifact-text.ts";
import type { Bus } from "../talk/bus.ts";
import { renderState } from "../talk/render-talk.ts";
import type { Quotable } from "./context-block.ts";
import { decisionText } from "./decision-text.ts";
import type { Stated } from "./find-conflicts.ts";

/** A decision or fact: what it says, and what is shown of it. */
export interface Statement {
  readonly stated: Stated;
  readonly quotable: Quotable;
}

/** The newest so many of one bus or session are looked at. */
const STATEMENTS_MAX = 1_000;

/** The decisions and facts of a bus, as the runtime signed for them. */
export function statementsOnBus(bus: Bus, where: EntryPlace): Statement[] {
  const { statements } = bus.statements();
  return statements
    .slice(-STATEMENTS_MAX)
    .flatMap((one) => statementOf(bus.place, one, where) ?? []);
}

/** The decisions of a session. */
export function statementsInSession(place: Place, trace: string, where: EntryPlace): Statement[] {
  return signedEntries(place, trace)
    .filter(({ entry }) => entry.type === "decision_recorded")
    .slice(-STATEMENTS_MAX)
    .flatMap((one) => statementOf(place, one, where) ?? []);
}

/** How a task stands, as the runtime tells it; it stands where the bus ends. */
export function stateOnBus(bus: Bus, where: EntryPlace): Quotable[] {
  const { last } = bus.statements();
  if (last === undefined) return [];
  const text = renderState(bus).text.trim();
  const address = entryAddress(last.entry, sha256Hex(last.line), where);
  return [{ title: "state", text, brief: text, address }];
}

function statementOf(place: Place, one: SignedEntry, where: EntryPlace): Statement | undefined {
  const { entry } = one;
  const said = saidBy(place, entry);
  if (said === undefined) return undefined;
  const quotable = quotableOf(place, one, where);
  const { kind, id, subject, says, replaces } = said;
  const { trace, seq, parents } = entry;
  const supersedes = parents.filter((link) => link.kind === "supersedes").map((link) => link.seq);
  const { address } = quotable;
  const links = { supersedes, replaces };
  return { stated: { kind, id, subject, says, address, trace, seq, ...links }, quotable };
}

/** Any entry as it is shown: what it says, or all of its body where it is no statement. */
export function quotableOf(
  place: Place,
  { entry, digest }: SignedEntry,
  where: EntryPlace,
): Quotable {
  const { type: title, at, actor, body } = entry;
  const whole = { title, text: JSON.stringify(body, null, 2), brief: undefined };
  const said = saidBy(place, entry) ?? whole;
  const address = entryAddress(entry, digest, where);
  const own = { address, at, by: actor.agent, sidecars: sidecarsOf(entry) };
  return { title: said.title, text: said.text, brief: said.brief, ...own };
}

type Said = Pick<Stated, "kind" | "id" | "subject" | "says" | "replaces"> &
  Pick<Quotable, "title" | "text" | "brief">;

function saidBy(place: Place, entry: Entry): Said | undefined {
  switch (entry.type) {
    case "fact_recorded": {
      const { fact_id: id, title, text } = entry.body;
      return { kind: "fact", id, subject: title, says: text, title: `${id}: ${title}`, text };
    }
    case "decision_recorded": {
      const { decision_id: id, context, choice, links = [] } = entry.body;
      const replaces = links.filter(({ kind }) => kind === "decision").map(({ to }) => to);
      const brief = `${context}: ${choice}`;
      const own = { title: `${id}: ${context}`, text: decisionText(entry.body), brief, replaces };
      return { kind: "decision", id, subject: context, says: choice, ...own };
    }
    case "message_posted": {
      const { text: head, attachment, issue_id: subject = "" } = entry.body;
      const text = attachment === undefined ? head : readArtifactText(place, attachment);
      const id = messageIdOf(entry.seq);
      return { kind: "decision", id, subject, says: text, title: id, text };
    }
    default:
      return undefined;
  }
}

/** What a message says about who may see it, in the form that files have beside them. */
function sidecarsOf(entry: Entry): Uint8Array[] {
  const classification =
    entry.type === "message_posted" ? entry.body.meta?.["classification"] : undefined;
  if (classification === undefined) return [];
  return [Buffer.from(JSON.stringify({ classification, pii: false }))];
}
