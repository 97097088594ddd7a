import type { Command } from "./command.ts";

/** All commands, one line each. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [usage(command), command.summary] as const);
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    "sworn puts coding agents under oath: what they did is recorded, signed and checked.",
    "",
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    "",
    "Every command takes --json (one JSON document on stdout; exec has --report) and --help (with an example).",
    "Exit codes: 0 done, 1 the machine failed, 2 wrong usage or input, 3 refused, 4 does not verify;",
    "what they mean for a command is in its own help.",
    "",
  ].join("\n");
}

/** One command in full, with an example. */
export function commandHelp(command: Command): string {
  const arguments_ = (command.positionals ?? []).map(
    ({ name, about }) => [`<${name}>`, about] as const,
  );
  const options = Object.entries(command.options ?? {}).map(
    ([name, { type }]) =>
      [
        `--${name}${type === "string" ? " <value>" : ""}`,
        `${command.required?.includes(name) ? "(required) " : ""}${command.notes?.[name] ?? ""}`,
      ] as const,
  );
  const rows = [...arguments_, ...options, ["--json", "one JSON document on stdout"] as const];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    `${usage(command)}`,
    "",
    `  ${command.summary}`,
    "",
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    "",
    `Example: ${command.example}`,
    ...(command.more === undefined ? [] : ["", ...command.more]),
    "",
    "Exit codes:",
    ...exitRows(command),
    "",
  ].join("\n");
}

const ALWAYS = { 0: "done", 1: "the machine failed", 2: "wrong usage or input" };

function exitRows({ exits }: Command): string[] {
  return Object.entries({ ...ALWAYS, ...exits }).map(([code, meaning]) => `  ${code}  ${meaning}`);
}

function usage({ path, positionals = [], required = [] }: Command): string {
  const words = positionals.map(({ name, optional }) => (optional ? `[${name}]` : `<${name}>`));
  return ["sworn", ...path, ...words, ...required.map((name) => `--${name} <value>`)].join(" ");
}
