/** Where a run speaks to the runtime; the same in every run, and nothing moves it. */
export const RUN_SOCKET = "/run/sworn/tooling/run.sock";

/** The first words of commands that speak for somebody, or read what was said. */
const TALKING = ["answer", "ask", "board", "bus", "check", "context", "delegate", "fact"];
const TALKING_TOO = ["mail", "mcp", "state", "vote"];

/** Whether a command line is one that inside a run is said as the run, and in no other way. */
export function isTalking([first = "", second]: readonly string[]): boolean {
  if (first === "run") return second === "status";
  return [...TALKING, ...TALKING_TOO].includes(first);
}
