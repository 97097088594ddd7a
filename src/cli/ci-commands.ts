import type { Command } from "./command.ts";

/** The command that judges pull requests. */
export const CI_COMMANDS: readonly Command[] = [
  {
    path: ["ci"],
    summary: "judge a pull request: its checks on three trees, its tests, its description",
    example: "sworn ci --base origin/main --body description.md",
    options: {
      base: { type: "string" },
      head: { type: "string" },
      body: { type: "string" },
      post: { type: "boolean" },
      request: { type: "string" },
      repository: { type: "string" },
      api: { type: "string" },
      markdown: { type: "boolean" },
      sarif: { type: "boolean" },
      strict: { type: "boolean" },
    },
    notes: {
      base: "the branch that the change goes into (the event's, else origin's default branch)",
      head: "the change (the event's, else HEAD)",
      body: 'a file with the description, or "-" for standard input (the event\'s)',
      post: "write the table as one comment on the pull request, or renew it; needs SWORN_CI_TOKEN",
      request: "the number of the pull request (the event's)",
      repository: "owner/name, where the comment goes (GITHUB_REPOSITORY)",
      api: "the forge's interface (GITHUB_API_URL, else https://api.github.com)",
      markdown: "print the table in Markdown instead of words",
      sarif:
        "print SARIF instead of words: checks that do not pass, weakened tests, refuted claims",
      strict: "also exit with 3 for what is unproven, unverified or weakened",
    },
    more: [
      "What is run stands in sworn.yaml of the branch that the change goes into; what the change says about that",
      "does not count:",
      "  ci: { checks: [{ name: tests, argv: [npm, test] }] }",
      "Each check runs without a network on base, on head, and on head with the tests of base put back. One that",
      "counts no test does not pass, unless it says tests: false. Where the commit has a package-lock.json and the",
      "clone no node_modules, what the lockfile pins is installed first, as sworn exec --install does.",
      "In a workflow of GitHub the pull request is read from GITHUB_EVENT_PATH. Without --post nothing leaves the",
      "machine. Nothing that is run sees the token.",
    ],
    exits: {
      0: "every check passes on head and nothing was refuted",
      1: "the machine failed, the forge cannot be reached, or it was stopped",
      2: "wrong usage, a side is not here, or sworn.yaml of the base declares no check",
      3: "a check does not pass, or something that the description says is refuted",
    },
    isBrief: true,
    load: () => import("./commands/ci.ts"),
  },
];
