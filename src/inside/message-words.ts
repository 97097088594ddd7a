/** A message, as far as it is shown. */
export interface ToldMessage {
  readonly id: string;
  readonly at: string;
  readonly agent: string;
  readonly kind: string;
  readonly text: string;
}

/** Messages as people read them. */
export function messageWords(messages: readonly ToldMessage[]): string {
  return messages
    .map(({ id, at, agent, kind, text }) => `${id}  ${at}  ${agent}  ${kind}\n${text}`)
    .join("\n\n");
}
