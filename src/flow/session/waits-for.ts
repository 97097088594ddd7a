/** What leads on where only a judge can say something and nobody is one. */
export const NAME_JUDGE =
  "name somebody else than the worker in sworn.yaml, roles: { judge: <name> }, then sworn resume";
/** What leads on where somebody sits in a seat that is not theirs. */
export const CHANGE_SEATS = "change sworn.yaml, then sworn resume";

/** How somebody votes: a shell takes it as it stands, and another colour in the place of this one. */
export function voteWords(id: string, trace: string): string {
  return `vote with sworn vote ${id} green --why '<why>' --evidence '<file>:<line>' --trace ${trace}, or yellow, or red, then sworn resume`;
}

/** What has to be there before a session can go on that waits for this; a shell passes over it. */
const FIRST: readonly (readonly [isMeant: (reason: string) => boolean, words: string])[] = [
  [
    (reason) => reason.includes(NAME_JUDGE),
    "sworn.yaml has roles: { judge: <name> }, who is not the worker",
  ],
  [(reason) => reason.includes(CHANGE_SEATS), "sworn.yaml is changed"],
  [(reason) => reason.startsWith("vote with "), "you have voted: see sworn status --review"],
  [(reason) => reason.startsWith("sworn decide "), "it is decided: see sworn status --review"],
  [(reason) => reason.startsWith("answer with "), "it is answered"],
];

/** The command that goes on with a session which waits for this. */
export function nextFor(reasons: readonly string[]): string {
  const last = reasons.at(-1) ?? "";
  const first = FIRST.find(([isMeant]) => isMeant(last))?.[1];
  return first === undefined ? "sworn resume" : `sworn resume # once ${first}`;
}
