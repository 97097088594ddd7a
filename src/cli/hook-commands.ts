import type { Command } from "./command.ts";

const kind = { name: "kind", about: "claude, codex or git" };
const user = { user: { type: "boolean" } } as const;

/** The commands that hold agents to their word that work outside of Sworn. */
export const HOOK_COMMANDS: readonly Command[] = [
  {
    path: ["hook", "install"],
    summary: "have what an agent says when it stops, or a commit's message, checked by itself",
    example: "sworn hook install claude",
    positionals: [kind],
    options: user,
    notes: { user: "for all projects of this user instead of this one" },
    more: [
      "claude and codex get a stop hook in .claude/settings.json or .codex/hooks.json: made-up code and files",
      "that are not there are told to the agent, once, before it stops. git gets a commit-msg hook: a message",
      "that says of a file in backticks that it was added, changed or deleted, and is refuted by the change,",
      "refuses the commit. Other words are not judged, and a message that cannot be judged is let through and",
      "said to be. What is there already stays, and runs first.",
      "codex runs a hook only after you have looked at it and trusted it: type /hooks in codex.",
    ],
    exits: {
      1: "it could not be written",
      2: "wrong usage, no project here, or what is there cannot be read",
      3: "a link or another file is in the way; nothing was changed",
    },
    load: () => import("./commands/hook-install.ts"),
  },
  {
    path: ["hook", "remove"],
    aliases: [["hook", "rm"]],
    summary: "take a hook away again, and put back what was there before",
    example: "sworn hook remove git",
    positionals: [kind],
    options: user,
    notes: { user: "the one for all projects of this user" },
    exits: {
      1: "it could not be written",
      2: "wrong usage, no project here, or what is there cannot be read",
      3: "a link or another file is in the way; nothing was changed",
    },
    load: () => import("./commands/hook-remove.ts"),
  },
  {
    path: ["hook", "ls"],
    aliases: [["hook", "list"]],
    summary: "list where hooks can be, and which are there",
    example: "sworn hook ls",
    exits: { 2: "wrong usage, or no project here" },
    load: () => import("./commands/hook-ls.ts"),
  },
  {
    path: ["hook", "run"],
    summary: "what an installed hook calls: checks the words of an agent or of a commit",
    example: "sworn hook run git .git/COMMIT_EDITMSG",
    positionals: [
      kind,
      { name: "message", about: "git's file with the commit's message", optional: true },
    ],
    more: [
      "claude and codex hand their JSON to standard input, and 2 is their own sign for: not yet. An agent that",
      "was held up once is not held up again in the same turn. What only could not be seen is said, and passes.",
    ],
    exits: {
      0: "nothing that was said is refuted",
      1: "nothing was checked; why is said",
      2: "claude and codex: something said is refuted, and the agent is told; otherwise wrong usage",
      4: "git: something in the message is refuted",
    },
    load: () => import("./commands/hook-run.ts"),
  },
];
