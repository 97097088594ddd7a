import type { Command } from "./command.ts";

/** What most people come for, in the order in which they need it. */
const FIRST = ["review", "check", "ci", "work", "run", "status", "verify", "prove", "doctor"];

/** The others, by what they are about; each is named by its first word. */
const OTHERS: readonly (readonly [string, readonly string[]])[] = [
  ["Set-up", ["init", "keys", "hook"]],
  ["Reviews", ["audit", "dismiss", "contract", "validate"]],
  ["Agents", ["agents", "cancel", "resume", "extract", "mcp"]],
  ["Plans", ["plan"]],
  ["Agreement", ["propose", "vote", "decide"]],
  ["Delivery", ["exec", "clear", "deliver", "settle", "env"]],
  ["Talk", ["bus", "ask", "answer", "fact", "state", "board", "mail", "context", "beat"]],
  ["Records", ["trace"]],
  ["Rules", ["policy", "exception"]],
];
const REST = "More";

/** Commands under a heading. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** The commands that are shown with what they do. */
export function firstCommands(commands: readonly Command[]): readonly Command[] {
  return FIRST.flatMap((word) => startingWith(word, commands));
}

/** All others. A command that nobody put into a group is listed all the same. */
export function otherCommands(commands: readonly Command[]): readonly CommandGroup[] {
  const groups = OTHERS.map(([title, words]) => ({
    title,
    commands: words.flatMap((word) => startingWith(word, commands)),
  }));
  const known = new Set([...firstCommands(commands), ...groups.flatMap((one) => one.commands)]);
  const rest = commands.filter((command) => !known.has(command));
  return [...groups, { title: REST, commands: rest }].filter((one) => one.commands.length > 0);
}

function startingWith(word: string, commands: readonly Command[]): readonly Command[] {
  return commands.filter(({ path }) => path[0] === word);
}
