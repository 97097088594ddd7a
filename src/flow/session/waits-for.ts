/** What leads on where only a judge can say something and nobody is one. */
export const NAME_JUDGE =
  "name somebody else than the worker in sworn.yaml, roles: { judge: <name> }, then sworn resume";
/** What leads on where somebody sits in a seat that is not theirs. */
export const CHANGE_SEATS = "change sworn.yaml, then sworn resume";

/** What has to be there before a session can go on that waits for this; a shell passes over it. */
const FIRST = [
  [NAME_JUDGE, "sworn.yaml has roles: { judge: <name> }, who is not the worker"],
  [CHANGE_SEATS, "sworn.yaml is changed"],
] as const;

/** The command that goes on with a session which waits for this. */
export function nextFor(reasons: readonly string[]): string {
  const last = reasons.at(-1) ?? "";
  const first = FIRST.find(([words]) => last.includes(words))?.[1];
  return first === undefined ? "sworn resume" : `sworn resume # once ${first}`;
}
