/** A message, as far as it is shown. */
export interface ToldMessage {
  readonly id: string;
  readonly at: string;
  readonly agent: string;
  readonly role: string;
  readonly kind: string;
  readonly parents: readonly { readonly id: string; readonly kind: string }[];
  readonly text: string;
  readonly attachment?: string | undefined;
}

/** Messages for people: a line about each, and its text below it, indented so that no text looks like one. */
export function messageWords(messages: readonly ToldMessage[]): string {
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
}: ToldMessage): string {
  const answers = parents.map((parent) =>
    parent.kind === "other" ? parent.id : `${parent.kind} ${parent.id}`,
  );
  const about = answers.length === 0 ? "" : `  (${answers.join(", ")})`;
  const whole = attachment === undefined ? [] : [`the whole text: sworn bus read ${id}`];
  const lines = [...text.split("\n"), ...whole].map((line) => `    ${line}`.trimEnd());
  return `${id}  ${at}  ${agent} (${role})  ${kind}${about}\n${lines.join("\n")}\n`;
}
