import type { Command } from "./command.ts";

/** The commands about what tasks run in. */
export const ENVIRONMENT_COMMANDS: readonly Command[] = [
  {
    path: ["env", "build"],
    summary: "build an environment for tasks from this machine's Debian packages",
    example: "sworn env build node",
    positionals: [{ name: "name", about: "base, node, python, rust, go, java or cpp" }],
    more: [
      "It needs root, mmdebstrap and the machine's own package sources. The same packages give the same digest;",
      "tasks name an environment by it, and one whose files were changed since is not used.",
    ],
    exits: {
      1: "it could not be built",
      2: "wrong usage, or there is no such environment",
      3: "this user may not build one",
    },
    load: () => import("./commands/env-build.ts"),
  },
  {
    path: ["env", "ls"],
    aliases: [["env", "list"]],
    summary: "list the environments that were built, and whether they are still as built",
    example: "sworn env ls --verify",
    options: { verify: { type: "boolean" } },
    notes: { verify: "read every file and compare with the digest, instead of the seal" },
    exits: { 4: "an environment was changed, or what was written down cannot be read" },
    load: () => import("./commands/env-ls.ts"),
  },
  {
    path: ["env", "detect"],
    summary: "say which environment fits a task, and why",
    example: "sworn env detect --model rust-coder",
    positionals: [
      { name: "folder", about: "a repository, whose file names are the last hint", optional: true },
    ],
    options: {
      language: { type: "string" },
      model: { type: "string" },
      url: { type: "string" },
      description: { type: "string" },
      task: { type: "string" },
    },
    notes: {
      language: "the language that the task states; it beats every other hint",
      model: "the name of the model that will work on it",
      url: "the address of the repository",
      description: "what is to be done, in words",
      task: "a file with the task's context as JSON: task_id, description, context.language, context.repository_url",
    },
    exits: { 2: "wrong usage, no such folder, or the task's context cannot be read" },
    load: () => import("./commands/env-detect.ts"),
  },
];
