import type { BusMessage, KnownFact } from "../../view/index.ts";
import type { Bus } from "./bus.ts";
import { escapeBody, headerValue } from "./escape-body.ts";
import { factsOf } from "./facts.ts";
import { stateOf, type TaskState } from "./task-state.ts";

/** A rendering: a file's name and its text. */
export interface Rendering {
  readonly name: string;
  readonly text: string;
}

/** One line of a header; nothing for what is not there. */
type Line = readonly [name: string, value: string | number | null | undefined];

/** A bus as a file: each message is a header between two edges, and a body below it. */
export function renderBus(project: string, on: Bus): Rendering {
  const { messages } = on.talk();
  const name = on.task === undefined ? "PROJECT-MESSAGE-BUS.md" : "TASK-MESSAGE-BUS.md";
  const text = messages.map((message) => renderMessage(project, on.task, message)).join("");
  return { name, text };
}

function renderMessage(project: string, task: string | undefined, message: BusMessage): string {
  const { id, at, kind, run, agent, role, parents, issue_id, links, meta, attachment } = message;
  const lines: Line[] = [
    ["msg_id", id],
    ["ts", at],
    ["type", kind],
    ["project", project],
    ["task", task],
    ["run_id", run],
    ["agent", agent],
    ["role", role],
    ["issue_id", issue_id],
    ["attachment_path", attachment === undefined ? undefined : `artifact:${attachment}`],
  ];
  const lists = [
    ...listOf(
      "parents",
      parents.map((parent) => [
        ["msg_id", parent.id],
        ["kind", parent.kind],
      ]),
    ),
    ...listOf(
      "links",
      (links ?? []).map((link) => [
        ["url", link.url],
        ["label", link.label],
        ["kind", link.kind],
      ]),
    ),
    ...(meta === undefined ? [] : [`meta: ${inline(Object.entries(meta))}`]),
  ];
  return `${header(lines, lists)}${escapeBody(message.text)}\n`;
}

function header(lines: readonly Line[], lists: readonly string[] = []): string {
  const plain = lines.flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [`${name}: ${typeof value === "number" ? value : headerValue(value)}`],
  );
  return `---\n${[...plain, ...lists].join("\n")}\n---\n`;
}

/** A list of small objects, each on a line of its own. */
function listOf(name: string, items: readonly (readonly Line[])[]): string[] {
  if (items.length === 0) return [];
  return [`${name}:`, ...items.map((item) => `  - ${inline(item)}`)];
}

function inline(item: readonly Line[]): string {
  const members = item.map(([key, value]) => `${headerValue(key)}: ${headerValue(String(value))}`);
  return `{ ${members.join(", ")} }`;
}

/** A task's state as a file: a head that is worked out, and the lead's note. */
export function renderState(on: Bus): Rendering {
  const state = stateOf(on);
  const note = state.note === null ? "Nobody has said yet where this stands." : state.note.text;
  return { name: "TASK_STATE.md", text: `${stateHeader(state)}\n${escapeBody(note)}\n` };
}

function stateHeader(state: TaskState): string {
  const { task, trace, entries, last_entry_at, runs, open_questions, note } = state;
  return header(
    [
      ["task", task],
      ["state", state.state],
      ["trace", trace],
      ["entries", entries],
      ["last_entry_at", last_entry_at],
      ["runs", runs.total],
      ["note_by", note?.by],
      ["note_at", note?.at],
    ],
    [
      ...listOf(
        "running",
        runs.running.map((run_id) => [["run_id", run_id]]),
      ),
      ...listOf(
        "open_questions",
        open_questions.map((one) => [
          ["question_id", one.question_id],
          ["text", one.text],
        ]),
      ),
    ],
  );
}

/** The facts as files: one a fact in a project, one for all of them in a task. */
export function renderFacts(on: Bus): Rendering[] {
  const { facts } = factsOf(on);
  const [first] = facts;
  if (first === undefined) return [];
  if (on.task === undefined) {
    return facts.map((fact) => ({
      name: `FACT-${stampOf(fact.at)}-${fact.fact_id}.md`,
      text: renderFact(fact),
    }));
  }
  const name = `TASK-FACTS-${stampOf(first.at)}.md`;
  return [{ name, text: facts.map(renderFact).join("\n") }];
}

function renderFact({ fact_id, scope, title, text, at, by, run_id, promoted_from }: KnownFact) {
  const front = header([
    ["fact_id", fact_id],
    ["created_at", at],
    ["scope", scope],
    ["run_id", run_id],
    ["title", title],
    ["by", by],
    ["promoted_from", promoted_from && `${promoted_from.trace} ${promoted_from.id}`],
  ]);
  return `${front}\n${escapeBody(text)}\n`;
}

/** A moment in a file's name: `20261116-150405-123`. */
function stampOf(at: string): string {
  const [date = "", time = ""] = at.split("T");
  return `${date.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${time.slice(9, 12)}`;
}
