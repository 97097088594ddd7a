import type { BusMessage } from "../view/index.ts";

/** Messages for people: a line about each, and its text below it, indented so that no text looks like one. */
export function messageWords(messages: readonly BusMessage[]): string {
  return messages.map(messageBlock).join("");
}

function messageBlock({
  id,
  at,
  agent,
  role,
  kind,
  parents,
  text,
  attachment,
}: BusMessage): string {
  const answers = parents.map((parent) =>
    parent.kind === "other" ? parent.id : `${parent.kind} ${parent.id}`,
  );
  const about = answers.length === 0 ? "" : `  (${answers.join(", ")})`;
  const whole = attachment === undefined ? [] : [`the whole text: sworn bus read ${id}`];
  const lines = [...text.split("\n"), ...whole].map((line) => `    ${line}`.trimEnd());
  return `${id}  ${at}  ${agent} (${role})  ${kind}${about}\n${lines.join("\n")}\n`;
}
