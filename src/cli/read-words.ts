import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearest } from "../flow/words/nearest.ts";
import type { Command, Positional } from "./command.ts";
import { partWords } from "./own-words.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** An option as it was written. */
interface Written {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** The words of a command line by name, positionals and options alike; or what is wrong with them. */
export function readWords(
  command: Command,
  args: readonly string[],
): string | Record<string, unknown> {
  const { own, rest } = partWords(command, args);
  const options: Options = { ...command.options, json: { type: "boolean" } };
  // Not strict: what is wrong is said here, in our own words.
  const { tokens } = parseArgs({
    args: [...own],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const problem = problemOf(token, options, command);
    if (problem !== undefined) return problem;
    take(given, token, options);
  }
  const { json: _, ...named } = given;
  const before = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const words = [...before, ...rest];
  const problem = positionalProblem(command, words);
  if (problem !== undefined) return problem;
  const expected = command.positionals ?? [];
  return { ...named, ...byName(expected, words) };
}

function byName(expected: readonly Positional[], words: readonly string[]) {
  return Object.fromEntries(
    expected
      .slice(0, words.length)
      .map(({ name, many }, index) => [name, many ? words.slice(index) : words[index]]),
  );
}

function take(given: Record<string, unknown>, { name, value }: Written, options: Options): void {
  const earlier = given[name];
  const list = Array.isArray(earlier) ? (earlier as unknown[]) : [];
  given[name] = options[name]?.multiple ? [...list, value] : (value ?? true);
}

function problemOf(written: Written, options: Options, command: Command): string | undefined {
  const { name, value, inlineValue } = written;
  const known = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!known) return unknownOption(written, Object.keys(options));
  if (known.type === "boolean") {
    return value === undefined ? undefined : `--${name} takes no value, found "${value}"`;
  }
  const about = `expected ${command.notes?.[name] ?? "a value"}`;
  if (value === undefined) return `--${name} needs a value: ${about}`;
  // Most likely the value was forgotten and the next option taken for it.
  if (!inlineValue && /^-./.test(value)) {
    return `--${name} needs a value: ${about}, found "${value}" (write --${name}=${value} if that is the value)`;
  }
  return undefined;
}

function unknownOption({ name, rawName }: Written, known: readonly string[]): string {
  if (/^-\d/.test(rawName)) return `"${rawName}" is no option; expected a whole number from 0`;
  const meant = nearest(name, known);
  if (meant !== undefined) return `there is no option ${rawName}; did you mean --${meant}?`;
  const names = known.map((option) => `--${option}`);
  return `there is no option ${rawName}; expected ${[...names, "--help"].join(", ")}`;
}

function positionalProblem(command: Command, words: readonly string[]): string | undefined {
  const expected = command.positionals ?? [];
  const missing = expected.slice(words.length).find(({ optional }) => !optional);
  if (missing) return `${missing.name} is missing: expected ${missing.about}`;
  return words.length > expected.length && !expected.at(-1)?.many
    ? `"${words[expected.length]}" is one word too many`
    : undefined;
}
