import type { Command } from "./command.ts";

const policies = {
  options: { policies: { type: "string" } },
  note: 'a folder with policies of your own (the folder "policies" beside your keys, if there is one)',
} as const;

/** The commands that show what the policies decide. */
export const POLICY_COMMANDS: readonly Command[] = [
  {
    path: ["policy", "test"],
    summary: "run the tests of the policies that decide what may start, and your own",
    example: "sworn policy test my-policies",
    positionals: [
      {
        name: "cases",
        about: "a *.facts.json file, or a folder of them (those beside your policies)",
        optional: true,
      },
    ],
    options: policies.options,
    notes: { policies: policies.note },
    more: [
      "Policies of your own are Cedar files (*.cedar) that hold forbid only, or policies compiled with",
      '"opa build -t wasm" (*.wasm) that answer true or {"allow": true}. They can refuse more, never allow more.',
      'A case is {"name", "facts", "exceptions", "at", "expect": {"decision", "rules"}}.',
    ],
    exits: {
      0: "every case came out as expected",
      2: "wrong usage, or a policy or a case cannot be read",
      4: "a case came out differently, or a policy is not tested by any",
    },
    load: () => import("./commands/policy-test.ts"),
  },
  {
    path: ["policy", "explain"],
    summary: "say what the policies decide about facts in a file, which of them, and why",
    example: "sworn policy explain run.facts.json",
    positionals: [{ name: "facts", about: "a JSON file with facts, or with a case" }],
    options: policies.options,
    notes: { policies: policies.note },
    exits: {
      0: "it would be allowed",
      2: "wrong usage, or a policy or the file cannot be read",
      3: "it would be denied",
    },
    load: () => import("./commands/policy-explain.ts"),
  },
];
